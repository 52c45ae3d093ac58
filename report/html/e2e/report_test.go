package e2e

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
)

// Pages in a browser: one is started for all, because that takes a second or more, and
// each test has a tab of its own.
func TestPages(t *testing.T) {
	shared := browser(t)
	for _, c := range []struct {
		name string
		test func(*testing.T, context.Context)
	}{
		{"open from disk", openFromDisk}, {"console is heard", consoleIsHeard}, {"drawings are there", drawingsAreThere},
		{"nothing is lost without scripts", nothingIsLostWithoutScripts}, {"nothing is lost without styles", nothingIsLostWithoutStyles},
		{"sorting", sorting}, {"finding", finding}, {"links unfold cases", linksUnfoldCases}, {"pegs are there", pegsAreThere}, {"gates lead to the suite file", gatesLeadToTheSuiteFile}, {"fits the window", fitsTheWindow}, {"legible", legible}, {"plots are seen", plotsAreSeen}, {"columns are filled", columnsAreFilled}, {"sites are seen", sitesAreSeen}, {"closer look", closerLook}, {"cases are found", casesAreFound}, {"points without scripts", pointsWithoutScripts}, {"opening sites", openingSites}, {"many cases", manyCases}, {"layout is bounded", layoutIsBounded}, {"opening", opening}, {"heads on each page", headsOnEachPage}, {"paper is wide enough", paperIsWideEnough}, {"accessible", accessible}, {"shots", shots},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, stop := chromedp.NewContext(shared)
			defer stop()
			do(t, ctx)
			c.test(t, ctx)
		})
	}
}
