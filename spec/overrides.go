package spec

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
)

// ParseOverrides reads the flags that override settings of all cases: those that a setting has as its own, by the
// name of the setting and empty if they were not given, --runs, and each --set KEY=VALUE. --set wins over a flag of
// the setting, and that over --runs.
func ParseOverrides(own map[string]string, runs string, set []string) (Overrides, error) {
	all := Overrides{}
	for key, value := range own {
		if value != "" {
			all[key] = value
		}
	}
	if count := all["warmup"]; isCount(count) {
		all["warmup"] = count + " runs"
	}
	if err := all.addRuns(runs); err != nil {
		return nil, err
	}
	for _, text := range set {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, diag.Hinted(fmt.Sprintf("--set %q: want KEY=VALUE", text), "for example --set samples.min=50")
		}
		all[key] = value
	}
	return all, nil
}

// noLimit is a max_time for those who count runs.
const noLimit = "24h"

// addRuns adds the settings that --runs means.
func (o Overrides) addRuns(runs string) error {
	set := func(key, value string) {
		if o[key] == "" {
			o[key] = value
		}
	}
	switch _, err := ParseDuration(runs); {
	case runs == "":
	case isCount(runs):
		o["samples.min"] = runs
		o["samples.max"] = runs
		set("max_time", noLimit)
	case err == nil && runs != "0":
		set("target_time", runs)
	default:
		return diag.Hinted(fmt.Sprintf("--runs %q is neither a number of runs nor a time", runs),
			"for example --runs 20, or --runs 3s")
	}
	return nil
}

// isCount reports whether a text is a number without a unit, and not 0, which is a time too.
func isCount(text string) bool {
	return text != "" && text != "0" && strings.Trim(text, "0123456789") == ""
}
