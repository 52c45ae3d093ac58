package prepare

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// Who waits for what cases read and execute is told how far it is, and nothing once it is over.
func TestObservedCasesAreReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lines []string
		say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
		c := &comparison{Comparison: &Comparison{Hosts: NewHosts(context.Background(), say, "")}}
		count, stop := c.reportObserved("main", 3)
		for i, takes := range []time.Duration{time.Second, 21 * time.Second, 6 * time.Second} {
			count.Store(int64(i))
			time.Sleep(takes)
		}
		stop()
		time.Sleep(time.Minute)
		want := []string{"--against main: 1 of 3 cases observed", "--against main: 1 of 3 cases observed"}
		if !slices.Equal(lines, want) {
			t.Errorf("%q, want %q", lines, want)
		}
	})
}
