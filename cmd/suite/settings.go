package main

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
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

// --set wins over a flag of the setting.
func (s *settingFlags) overrides() (spec.Overrides, error) {
	all := spec.Overrides{}
	for key, value := range s.short {
		if *value != "" {
			all[key] = *value
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
			return nil, diag.Hinted(fmt.Sprintf("--set %q: want KEY=VALUE", text), "for example --set samples.min=50")
		}
		all[key] = value
	}
	return all, nil
}

// noLimit is a max_time for those who count runs.
const noLimit = "24h"

// addRuns adds the settings that --runs means. A flag for one of them goes first.
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
		return diag.Hinted(fmt.Sprintf("--runs %q is neither a number of runs nor a time", s.runs),
			"for example --runs 20, or --runs 3s")
	}
	return nil
}

// isCount reports whether a text is a number without a unit, and not 0, which is a time too.
func isCount(text string) bool {
	return text != "" && text != "0" && strings.Trim(text, "0123456789") == ""
}
