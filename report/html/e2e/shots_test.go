package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Pictures of pages in light and dark at 1,280 and 400 pixels, without style, and on paper, to be
// looked at: they are written to the folder SUITE_SHOTS and kept by nobody.
func shots(t *testing.T, ctx context.Context) {
	folder := os.Getenv("SUITE_SHOTS")
	if folder == "" {
		t.Skip("SUITE_SHOTS names no folder for pictures")
	}
	site := "file://" + site(t)
	for name, address := range map[string]string{"site": site + "/index.html", "site-case": site + casePage} {
		picture(t, ctx, filepath.Join(folder, name), address)
	}
	for _, name := range []string{"gallery", "traced", "names", "verdicts", "faults"} {
		picture(t, ctx, filepath.Join(folder, name), saved(t, name))
		screen(t, ctx, filepath.Join(folder, name+"-bare.png"), serve(t, page(t, name), "default-src 'none'"))
	}
}

// picture keeps a page on two screens, in two colours, and on paper.
func picture(t *testing.T, ctx context.Context, file, address string) {
	t.Helper()
	for _, width := range []int64{1280, 400} {
		for _, colors := range []string{"light", "dark"} {
			do(t, ctx, scheme(colors), window(width, 900))
			screen(t, ctx, fmt.Sprintf("%s-%d-%s.png", file, width, colors), address)
		}
	}
	do(t, ctx, scheme("light"), command(emulation.ClearDeviceMetricsOverride, cdp.Empty{}), chromedp.Navigate(address))
	do(t, ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		pdf, err := cdp.Call(ctx, target, cdpage.PrintToPDF, cdpage.PrintToPDFParams{})
		if err == nil {
			keep(t, file+"-paper.pdf", pdf.Data)
		}
		return err
	}))
}

func screen(t *testing.T, ctx context.Context, file, address string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(address))
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	keep(t, file, picture)
}

func keep(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
