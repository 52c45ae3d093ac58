package main

import (
	"fmt"
	"strings"

	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// settingFlags are the flags that override settings of all cases. Settings have the
// names of the suite file.
type settingFlags struct {
	short map[string]*string // by setting
	runs  string
	set   []string
}

// shortFlags are the settings that have a flag of their own.
var shortFlags = []struct{ setting, flag, help string }{
	{"warmup", "warmup", "run each case for this `TIME` before its first sample, such as 100ms, or so many times, such as 3"},
	{"target_time", "target-time", "measured `TIME` of each case, such as 3s"},
	{"max_time", "max-time", "end each case after this `TIME`, warm-up included"},
	{"precision", "precision", "end a case once half its interval is below this `SHARE` of the median, such as 1%"},
	{"timer", "timer", "clock and cycle counter of all cases, such as `'clock=wall cycle=any'`; the word list shows what works here"},
	{"timeout", "timeout", "give up on a run or request that takes longer than this `TIME`"},
}

func (s *settingFlags) flags(c *cobra.Command) {
	s.short = map[string]*string{}
	for _, f := range shortFlags {
		s.short[f.setting] = c.Flags().String(f.flag, "", f.help)
	}
	c.Flags().StringVarP(&s.runs, "runs", "r", "", "measure exactly `N` runs of each command, however long they take (samples of a function); or a time, as --target-time")
	c.Flags().StringArrayVar(&s.set, "set", nil, "override any setting of all cases, `KEY=VALUE`, such as samples.min=50; repeatable")
}

// overrides returns the settings that the flags set, by name. --set wins over a flag of
// the setting.
func (s *settingFlags) overrides() (spec.Overrides, error) {
	all := spec.Overrides{}
	for _, f := range shortFlags {
		if value := *s.short[f.setting]; value != "" {
			all[f.setting] = value
		}
	}
	if count := all["warmup"]; isCount(count) {
		all["warmup"] = count + " runs"
	}
	if err := s.addRuns(all); err != nil {
		return nil, err
	}
	for _, text := range s.set {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, hinted{fmt.Sprintf("--set %q: want KEY=VALUE", text), "for example --set samples.min=50"}
		}
		all[key] = value
	}
	return all, nil
}

// noLimit is a max_time for those who count runs.
const noLimit = "24h"

// addRuns adds the settings that --runs stands for. A flag of one of them wins.
func (s *settingFlags) addRuns(all spec.Overrides) error {
	set := func(key, value string) {
		if all[key] == "" {
			all[key] = value
		}
	}
	switch _, err := spec.ParseDuration(s.runs); {
	case s.runs == "":
	case isCount(s.runs):
		all["samples.min"] = s.runs
		all["samples.max"] = s.runs
		set("max_time", noLimit)
	case err == nil && s.runs != "0":
		set("target_time", s.runs)
	default:
		return hinted{fmt.Sprintf("--runs %q is neither a number of runs nor a time", s.runs), "for example --runs 20, or --runs 3s"}
	}
	return nil
}

// isCount reports whether a text is a number without a unit, and not 0, which is a time too.
func isCount(text string) bool {
	return text != "" && text != "0" && strings.Trim(text, "0123456789") == ""
}
