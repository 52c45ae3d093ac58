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
		t.Skip("no axe-core: npm ci in e2e installs it, and what it finds is an error")
	}
	for _, c := range []struct{ name, colors string }{
		{"gallery", "light"}, {"gallery", "dark"}, {"traced", "light"}, {"traced", "dark"}, {"names", "dark"}, {"verdicts", "light"}, {"tree_unfit", "dark"}, {"faults", "light"}, {"empty", "light"},
	} {
		do(t, ctx, scheme(c.colors), chromedp.Navigate(saved(t, c.name)))
		ask[any](t, ctx, `document.querySelectorAll("details").forEach((d) => d.open = true)`)
		ask[any](t, ctx, string(checker)+";0")
		for _, found := range ask[[]string](t, ctx, axe) {
			t.Errorf("%s, %s: %s", c.name, c.colors, found)
		}
	}
}
