package spec

import (
	"maps"
	"testing"
)

func TestParseOverrides(t *testing.T) {
	for _, c := range []struct {
		own  map[string]string
		runs string
		set  []string
		want Overrides // nil: an error
	}{
		{nil, "", nil, Overrides{}},
		{map[string]string{"warmup": "", "target_time": "2s"}, "", nil, Overrides{"target_time": "2s"}},
		{map[string]string{"warmup": "3"}, "", nil, Overrides{"warmup": "3 runs"}},
		{map[string]string{"warmup": "0"}, "", nil, Overrides{"warmup": "0"}},
		{nil, "20", nil, Overrides{"samples.min": "20", "samples.max": "20", "max_time": "24h"}},
		{map[string]string{"max_time": "5s"}, "20", nil, Overrides{"samples.min": "20", "samples.max": "20", "max_time": "5s"}},
		{nil, "3s", nil, Overrides{"target_time": "3s"}},
		{map[string]string{"target_time": "1s"}, "3s", nil, Overrides{"target_time": "1s"}},
		{nil, "20", []string{"samples.min=5", "env=A=B"}, Overrides{"samples.min": "5", "samples.max": "20", "max_time": "24h", "env": "A=B"}},
		{nil, "0", nil, nil},
		{nil, "often", nil, nil},
		{nil, "", []string{"samples.min"}, nil},
	} {
		got, err := ParseOverrides(c.own, c.runs, c.set)
		if (err == nil) != (c.want != nil) || !maps.Equal(got, c.want) {
			t.Errorf("own %v, --runs %q, --set %q: %v, %v; want %v", c.own, c.runs, c.set, got, err, c.want)
		}
	}
}
