package openmetrics

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/flat"
	"example.com/suite/internal/flat/flattest"
	"example.com/suite/internal/golden"
)

func rendered(t *testing.T, rows []flat.Row, moment Moment) string {
	t.Helper()
	var text bytes.Buffer
	if err := RenderRows(&text, rows, moment); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// promtool tsdb create-blocks-from openmetrics has read rows.om, and a Pushgateway rows.prom.
func TestRenderRows(t *testing.T) {
	runs := flattest.Runs(t)
	golden.Check(t, "testdata/rows.prom", rendered(t, flat.Rows(runs[0]), Now))
	var all []flat.Row
	for _, run := range runs {
		all = append(all, flat.Rows(run)...)
	}
	golden.Check(t, "testdata/rows.om", rendered(t, all, Then))
}

// A name has one family, a family is in one piece, and a series has one number at a time, in
// the order of time.
func TestSeriesOfRows(t *testing.T) {
	x := func(metric, unit string, value float64, at int64) flat.Row {
		return flat.Row{Started: time.Unix(at, 0), Suite: "s", Case: "c", Metric: metric, Unit: unit, Value: &value, Params: map[string]string{"a-b": "1", "a_b": "2"}}
	}
	got := rendered(t, []flat.Row{x("x", "s", 3, 30), x("x_seconds", "s", 9, 20), x("x", "s", 2, 20), x("x", "s", 1, 20)}, Then)
	var samples []string
	for line := range strings.Lines(got) {
		if !strings.HasPrefix(line, "#") {
			samples = append(samples, strings.TrimSpace(line))
		}
	}
	const labels = `{suite="s",case="c",param_a_b="1",machine=""}`
	want := "suite_metric_x_seconds" + labels + " 1 20.000\nsuite_metric_x_seconds" + labels + " 3 30.000\nsuite_metric_x_seconds_2_seconds" + labels + " 9 20.000"
	if strings.Join(samples, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(samples, "\n"), want)
	}
}
