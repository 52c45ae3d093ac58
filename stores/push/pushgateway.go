package push

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/suite/internal/flat"
	"example.com/suite/internal/history"
	"example.com/suite/report/openmetrics"
)

// pushgateway is a Pushgateway of Prometheus. It keeps one state of each group of metrics;
// each suite has a group of its own, so that suites do not replace each other.
type pushgateway struct {
	*sender
	address *url.URL
	group   string // the path of the group, up to the label of the suite
}

const pushPath = "/metrics/job/"

func openPushgateway(place string, u *url.URL, lookup func(string) (string, bool)) (Store, error) {
	g := &pushgateway{newSender(place, u, password(lookup)), bare(u), strings.TrimRight(u.EscapedPath(), "/")}
	if u.RawQuery != "" {
		return nil, Usage(place+": a Pushgateway takes no query",
			"labels of the group are a path: "+pushPath+"NAME/LABEL/VALUE")
	}
	_, labels, ok := strings.Cut(g.group+"/", pushPath)
	switch {
	case !ok:
		g.group += pushPath + "suite"
	case labels == "" || strings.Count(labels, "/")%2 == 0: // a name, then pairs, each with a slash after it
		return nil, Usage(place+": the path of a group is "+pushPath+"NAME/LABEL/VALUE",
			"a value with a slash is LABEL@base64/TEXT")
	}
	return g, nil
}

// Lacking returns all runs: the Pushgateway keeps the last one that it gets.
func (g *pushgateway) Lacking(_ context.Context, runs []*history.Run) ([]*history.Run, error) {
	return runs, nil
}

// oneOfEach refuses several runs of one suite, of which only the last would be left.
func (g *pushgateway) oneOfEach(runs []*history.Run) error {
	by := map[string]string{}
	for _, run := range runs {
		for i := range run.Cases {
			suite := run.Cases[i].Suite
			if by[suite] != "" && by[suite] != run.Digest {
				return Usage(fmt.Sprintf("%s: it keeps one run of a suite, and there are several of %q", g, suite),
					"send one result; suite history export --format openmetrics writes all runs for promtool")
			}
			by[suite] = run.Digest
		}
	}
	return nil
}

// Push replaces the group of each suite.
func (g *pushgateway) Push(ctx context.Context, rows []flat.Row) (added bool, err error) {
	var suites []string
	for i := range rows {
		if !slices.Contains(suites, rows[i].Suite) {
			suites = append(suites, rows[i].Suite)
		}
	}
	for _, suite := range suites {
		of := slices.DeleteFunc(slices.Clone(rows), func(r flat.Row) bool { return r.Suite != suite })
		var body bytes.Buffer
		if err := openmetrics.RenderRows(&body, of, openmetrics.Now); err != nil {
			return false, err
		}
		// Base64, because a name may have slashes, which no escape saves.
		label := "/suite@base64/" + base64.RawURLEncoding.EncodeToString([]byte(suite))
		if _, err := g.send(ctx, http.MethodPut, g.address.String()+g.group+label,
			"text/plain; version=0.0.4; charset=utf-8", body.Bytes()); err != nil {
			return false, err
		}
	}
	return true, nil
}
