package e2e

import (
	"context"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// axeFile is where npm ci puts the checker, in the version that package.json pins.
const axeFile = "node_modules/axe-core/axe.min.js"

// axe gives what is wrong, one line for each rule and its first place.
const axe = `axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations.map((v) => v.id + ": " + v.help + ": " + v.nodes.length + " × " + v.nodes[0].target + " " + v.nodes[0].failureSummary))`

// A reader who cannot see the page, or not its colours, can use it, in light and in
// dark.
func accessible(t *testing.T, ctx context.Context) {
	checker, err := os.ReadFile(axeFile)
	if err != nil {
		t.Skip("no axe-core: npm ci in report/html/e2e installs it, and what it finds is an error")
	}
	folder := "file://" + site(t)
	sites := map[string]string{"index of a site": folder + "/index.html", "case of a site": folder + casePage}
	for _, c := range []struct {
		name, colors string
		width        int64
	}{
		{"index of a site", "light", 1280}, {"index of a site", "dark", 400}, {"case of a site", "light", 400}, {"case of a site", "dark", 1280},
		{"gallery", "light", 1280}, {"gallery", "dark", 1280}, {"gallery", "light", 400}, {"traced", "light", 1280}, {"traced", "dark", 1280}, {"traced", "light", 400},
		{"names", "dark", 1280}, {"verdicts", "light", 1280}, {"verdicts", "light", 400}, {"tree_unfit", "dark", 1280}, {"faults", "light", 1280}, {"faults", "light", 400}, {"compared", "light", 400}, {"empty", "light", 1280},
	} {
		address := sites[c.name]
		if address == "" {
			address = saved(t, c.name)
		}
		do(t, ctx, scheme(c.colors), window(c.width, 800), chromedp.Navigate(address))
		ask[any](t, ctx, `document.querySelectorAll("details").forEach((d) => d.open = true)`)
		ask[any](t, ctx, string(checker)+";0")
		for _, found := range ask[[]string](t, ctx, axe) {
			t.Errorf("%s, %s, %d wide: %s", c.name, c.colors, c.width, found)
		}
	}
}
