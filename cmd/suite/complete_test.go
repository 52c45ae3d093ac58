package main

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// freeFlags take numbers, times and texts of the user's own: nothing can be proposed.
var freeFlags = []string{"warmup", "target-time", "max-time", "precision", "timeout", "runs", "seed", "reason", "by", "probe", "time", "from", "lane", "source", "archive", "sha256", "last", "least", "keep", "older", "size", "tolerance", "confidence", "report"}

// Every flag with a value is completed, with words or with files, or takes a value of the
// user's own.
func TestEveryFlagIsCompleted(t *testing.T) {
	flags := 0
	for _, c := range append([]*cobra.Command{}, newRoot(system(nil)).Commands()...) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			flags++
			_, completed := c.GetFlagCompletionFunc(f.Name)
			isFree := f.Value.Type() == "bool" || slices.Contains(freeFlags, f.Name)
			if completed == isFree {
				t.Errorf("suite %s --%s: completed is %t", c.Name(), f.Name, completed)
			}
		})
	}
	if flags < 50 {
		t.Errorf("only %d flags were seen", flags)
	}
}
