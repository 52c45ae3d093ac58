package main

import (
	"strings"

	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// settingFlags are the flags that override settings of all cases. Package spec lists the
// settings and describes them.
type settingFlags struct {
	short map[string]*string // by setting
	runs  string
	set   []string
}

// letterOf are the settings whose flags have a letter.
var letterOf = map[string]string{"warmup": "w"}

func (s *settingFlags) flags(c *cobra.Command) {
	s.short = map[string]*string{}
	for _, one := range spec.ListSettings() {
		if one.Flag != "" {
			s.short[one.Key] = c.Flags().StringP(strings.ReplaceAll(one.Key, "_", "-"), letterOf[one.Key], "", one.Flag)
		}
	}
	c.Flags().StringVarP(&s.runs, "runs", "r", "",
		"measure exactly `N` runs of each command, however long they take (samples of a function); or a time, as "+
			"--target-time")
	complete(c, "timer", completeTimer)
	complete(c, "judge", choices([]string{result.JudgeTime, result.JudgeInstructions}))
	c.Flags().StringArrayVar(&s.set, "set", nil,
		"override any setting of all cases, `KEY=VALUE`, such as samples.min=50; repeatable")
	complete(c, "set", completeSetting)
}

func (s *settingFlags) overrides() (spec.Overrides, error) {
	own := map[string]string{}
	for key, value := range s.short {
		own[key] = *value
	}
	return spec.ParseOverrides(own, s.runs, s.set)
}
