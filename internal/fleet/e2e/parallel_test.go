package e2e

import (
	"os/exec"
	"strings"
	"testing"
)

// GNU parallel runs the command line, and the script ends with the status of suite merge.
func TestParallel(t *testing.T) {
	require(t, "parallel", "parallel")
	if out, _ := exec.Command("parallel", "--version").Output(); !strings.HasPrefix(string(out), "GNU parallel") {
		t.Skip("this parallel is another program; apt-get install parallel")
	}
	p := newPlace(t)
	// In a CI job, where what suite prints has no commands of that system.
	p.ends(t, 0, "CI=true suite fleet parallel 'my suite.yaml' -n 4 --name local -- --no-sentinel >job.sh")
	p.ends(t, 1, "sh job.sh")
	p.sameAsWhole(t, "results/local/*.json")

	// A lost shard is measured again by the command that merge prints.
	if status, out := p.sh(t, "rm results/local/3.json; suite merge results/local/*.json 2>&1"); status != 2 || !strings.Contains(out, "sh FILE 3 measures what is missing") {
		t.Errorf("exit status %d, want the command that repeats a shard:\n%s", status, out)
	}
	p.ends(t, 1, "sh job.sh 3")
	p.sameAsWhole(t, "results/local/*.json")
	if status, _ := p.sh(t, "sh job.sh"); status != 1 {
		t.Error("a second run mixes its results with those of the first")
	}
}
