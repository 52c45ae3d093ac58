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
	set   []string
}

// shortFlags are the settings that have a flag of their own.
var shortFlags = []struct{ setting, flag, help string }{
	{"warmup", "warmup", "run each case for this `TIME` before its first sample, such as 100ms"},
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
	for _, text := range s.set {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, hinted{fmt.Sprintf("--set %q: want KEY=VALUE", text), "for example --set samples.min=50"}
		}
		all[key] = value
	}
	return all, nil
}
