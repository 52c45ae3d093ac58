package push

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/flat"
	"example.com/suite/internal/history"
	"example.com/suite/internal/lazy"
	"example.com/suite/result"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// otlp is a receiver of OpenTelemetry metrics, OTLP/HTTP in JSON.
type otlp struct {
	*sender
	to string
}

// headerName matches a name that a header of HTTP may have.
var headerName = lazy.Regexp("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// metricsPath is where a receiver takes metrics, from its base address.
const metricsPath = "/v1/metrics"

// openOTLP opens a receiver. Without a URL the variables of OpenTelemetry have its address,
// and their headers are sent in any case.
func openOTLP(place string, u *url.URL, lookup func(string) (string, bool)) (Store, error) {
	variable := func(name string) string { // the one for metrics wins
		text, _ := lookup("OTEL_EXPORTER_OTLP_METRICS_" + name)
		if text == "" {
			text, _ = lookup("OTEL_EXPORTER_OTLP_" + name)
		}
		return text
	}
	whole := false // the address is complete
	if u == nil {
		address := variable("ENDPOINT")
		if address == "" {
			return nil, Usage("otlp: OTEL_EXPORTER_OTLP_ENDPOINT is not set",
				"set it, or name the receiver: otlp+http://HOST:4318")
		}
		own, _ := lookup("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT")
		whole = own != ""
		var err error
		u, err = url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, Usage("otlp: OTEL_EXPORTER_OTLP_ENDPOINT is no URL with http or https",
				"for example http://localhost:4318")
		}
		place = "otlp+" + withoutSecrets(address)
	}
	if u.RawQuery != "" {
		return nil, Usage(place+": the URL of a receiver has no query", "headers are set by OTEL_EXPORTER_OTLP_HEADERS")
	}
	o := &otlp{sender: newSender(place, u, password(lookup))}
	path := u.EscapedPath()
	if !whole {
		path = strings.TrimSuffix(strings.TrimRight(path, "/"), metricsPath) + metricsPath
	}
	o.to = bare(u).String() + path
	for pair := range strings.SplitSeq(variable("HEADERS"), ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		plain, err := url.PathUnescape(strings.TrimSpace(value))
		name = strings.TrimSpace(name)
		if !ok || err != nil || !headerName().MatchString(name) || strings.ContainsAny(plain, "\r\n\x00") {
			return nil, Usage("OTEL_EXPORTER_OTLP_HEADERS has a part that is no NAME=VALUE",
				"parts are separated by commas, and values are percent-encoded")
		}
		o.headers.Set(name, plain)
	}
	return o, nil
}

// Lacking returns all runs: a receiver cannot be asked. A point that is sent twice has the same
// series and time.
func (o *otlp) Lacking(_ context.Context, runs []*history.Run) ([]*history.Run, error) {
	return runs, nil
}

// mostRows of one request: collectors refuse large ones.
const mostRows = 2000

func (o *otlp) Push(ctx context.Context, rows []flat.Row) (added bool, err error) {
	for part := range slices.Chunk(rows, mostRows) {
		body, err := json.Marshal(otlpRequest(part), jsontext.WithIndent(""))
		if err != nil {
			return false, err
		}
		a, err := o.send(ctx, http.MethodPost, o.to, "application/json", body)
		if err != nil {
			return false, err
		}
		if err := o.accepted(a); err != nil {
			return false, err
		}
	}
	return true, nil
}

// accepted fails if the receiver answers that it has dropped points, which it does with status
// 200.
func (o *otlp) accepted(a *answer) error {
	var answered struct {
		Partial struct {
			// a text, as JSON of protocol buffers has it, or a number
			Rejected jsontext.Value `json:"rejectedDataPoints"`
			Message  string         `json:"errorMessage"`
		} `json:"partialSuccess"`
	}
	if json.Unmarshal(a.body, &answered) != nil {
		return nil // an empty answer, or one in another format, is a success
	}
	if n := strings.Trim(string(answered.Partial.Rejected), `"`); n != "" && n != "0" && n != "null" {
		return o.failure(fmt.Sprintf("it has dropped %s points: %s", n, firstLine([]byte(answered.Partial.Message))),
			"")
	}
	return nil
}

// The types below are messages of OTLP 1 in their JSON form.

type metricsRequest struct {
	Resources []resourceMetrics `json:"resourceMetrics"`
}

type resourceMetrics struct {
	Resource struct {
		Attributes []attribute `json:"attributes"`
	} `json:"resource"`
	Scopes []scopeMetrics `json:"scopeMetrics"`
}

type scopeMetrics struct {
	Scope struct {
		Name string `json:"name"`
	} `json:"scope"`
	Metrics []gauge `json:"metrics"`
}

type gauge struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Unit        string `json:"unit"`
	Gauge       struct {
		Points []dataPoint `json:"dataPoints"`
	} `json:"gauge"`
}

type dataPoint struct {
	Attributes []attribute `json:"attributes"`
	Time       string      `json:"timeUnixNano"` // 64-bit integers are texts
	Value      float64     `json:"asDouble"`
}

type attribute struct {
	Key   string `json:"key"`
	Value struct {
		Text string `json:"stringValue"`
	} `json:"value"`
}

func textAttribute(key, text string) (a attribute) {
	a.Key, a.Value.Text = key, text
	return a
}

// otlpRequest makes the request for rows of one run. The run is the resource.
func otlpRequest(rows []flat.Row) *metricsRequest {
	r := &rows[0]
	var of resourceMetrics
	for _, a := range []flat.Label{
		{Name: "service.name", Value: "suite"}, {Name: "os.type", Value: r.OS}, {Name: "host.arch", Value: r.Arch},
		{Name: "host.cpu.model.name", Value: r.CPU},
		{Name: "vcs.ref.head.revision", Value: r.Commit}, {Name: "suite.run", Value: r.Run}, {Name: "suite.tool",
			Value: r.Tool}, {Name: "suite.tool.version", Value: r.ToolVersion},
	} {
		if a.Value != "" {
			of.Resource.Attributes = append(of.Resource.Attributes, textAttribute(a.Name, a.Value))
		}
	}
	var scope scopeMetrics
	scope.Scope.Name = "suite"
	at := map[string]int{}
	started := strconv.FormatInt(r.Started.UnixNano(), 10)
	for i := range rows {
		for _, p := range rows[i].Points() {
			key := p.Name + " " + p.Unit
			n, ok := at[key]
			if !ok {
				n = len(scope.Metrics)
				at[key] = n
				scope.Metrics = append(scope.Metrics,
					gauge{Name: "suite." + p.Name, Description: p.Help, Unit: otlpUnit(p.Unit)})
			}
			point := dataPoint{Time: started, Value: p.Value}
			for _, l := range p.Labels {
				point.Attributes = append(point.Attributes, textAttribute(l.Name, l.Value))
			}
			g := &scope.Metrics[n].Gauge
			g.Points = append(g.Points, point)
		}
	}
	of.Scopes = []scopeMetrics{scope}
	return &metricsRequest{Resources: []resourceMetrics{of}}
}

// otlpUnit is a unit as UCUM writes it.
func otlpUnit(unit string) string {
	switch unit {
	case "B":
		return "By"
	case flat.Ratio, result.Percent:
		return "1"
	}
	return unit
}
