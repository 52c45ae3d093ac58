package e2e

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// Pictures of a page in light, dark and without style, to be looked at: they are
// written where SUITE_SHOTS says and kept by nobody.
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
			if err := os.WriteFile(filepath.Join(folder, name+"-"+colors+".png"), picture, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
