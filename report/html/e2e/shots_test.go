package e2e

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Pictures of a page in light, dark, without style, 400 pixels wide and on paper, to be looked
// at: they are written to the folder SUITE_SHOTS and kept by nobody.
func shots(t *testing.T, ctx context.Context) {
	folder := os.Getenv("SUITE_SHOTS")
	if folder == "" {
		t.Skip("SUITE_SHOTS names no folder for pictures")
	}
	for _, name := range []string{"gallery", "traced", "names", "verdicts", "faults"} {
		for _, colors := range []string{"light", "dark", "bare"} {
			address := saved(t, name)
			if colors == "bare" {
				address = serve(t, page(t, name), "default-src 'none'")
			}
			do(t, ctx, scheme(colors), chromedp.Navigate(address))
			picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			keep(t, filepath.Join(folder, name+"-"+colors+".png"), picture)
		}
		do(t, ctx, scheme("light"), window(400, 900), chromedp.Navigate(saved(t, name)))
		picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		if err != nil {
			t.Fatal(err)
		}
		keep(t, filepath.Join(folder, name+"-400.png"), picture)
		do(t, ctx, command(emulation.ClearDeviceMetricsOverride, cdp.Empty{}))
		do(t, ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			pdf, err := cdp.Call(ctx, target, cdpage.PrintToPDF, cdpage.PrintToPDFParams{})
			if err == nil {
				keep(t, filepath.Join(folder, name+"-paper.pdf"), pdf.Data)
			}
			return err
		}))
	}
}

func keep(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
