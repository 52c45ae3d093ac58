package fleet

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
)

// Check returns what an engine would not accept in a job, all of it.
func (e Engine) Check(j *Job) (all []error) {
	wrong := func(hint, format string, args ...any) {
		all = append(all, diag.Hinted(fmt.Sprintf(format, args...), hint))
	}
	if j.Shards < 1 || j.Shards > mostShards {
		wrong("-n 4 divides the suite among four machines", "the number of shards must be from 1 to %d, not %d",
			mostShards, j.Shards)
	}
	if j.Limit != 0 && j.Limit < time.Minute {
		wrong("--time 30m", "--time %v is less than a minute", j.Limit)
	}
	if j.CPUs < 0 {
		wrong("--cpus 2", "--cpus %d is less than one CPU", j.CPUs)
	}
	if j.Memory < 0 {
		wrong("--memory 2048", "--memory %d is less than nothing", j.Memory)
	}
	if j.Name != "" && !isLabel(j.Name) {
		wrong("--name "+NameOf(j.Name),
			"%q is no name of a job: want at most %d letters a-z, digits and -, a letter first", j.Name, longestName)
	}
	if e.containers && j.Image == "" {
		wrong("--image registry.example.org/perf:1, an image with suite, sh, the suite file and what it measures",
			"%s needs the image of the containers", e.Name)
	}
	if e.Name == "kubernetes" && j.Results != "" && !path.IsAbs(j.Results) {
		wrong("--results /results", "--results %q is where the volume is mounted, and must begin with /", j.Results)
	}
	for _, file := range j.Suites {
		if e.containers && !path.IsAbs(file) && !filepath.IsLocal(filepath.FromSlash(file)) {
			wrong("go to the top of what the image contains, and name the file from there",
				"%q is outside of the working folder, and so outside of the image's", file)
		}
	}
	for _, text := range slices.Concat(j.Suites, j.Flags, []string{j.Results, j.Image, j.Claim, j.Hosts}) {
		if strings.ContainsFunc(text, unicode.IsControl) {
			wrong("", "%q has a line break or another control character, which no job can have", text)
		}
	}
	if strings.ContainsAny(j.Image, " ${}") {
		wrong("--image registry.example.org/perf:1", "--image %q is no name of an image", j.Image)
	}
	if j.Claim != "" && !isLabel(j.Claim) {
		wrong("--claim "+NameOf(j.Claim), "--claim %q is no name of a PersistentVolumeClaim", j.Claim)
	}
	return all
}

// mostShards is more than any engine accepts without being asked to: the array of a Slurm
// job has 1,001 tasks at most by default.
const mostShards = 10_000

// longestName leaves room for the number of a pod and a date in a label of DNS, which has 63
// characters.
const longestName = 40

var label = lazy.Regexp(`^[a-z]([a-z0-9-]*[a-z0-9])?$`)

func isLabel(name string) bool { return len(name) <= longestName && label().MatchString(name) }

// NameOf makes a name for the job of a suite.
func NameOf(suite string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(suite) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	name := b.String()
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = strings.TrimSuffix("suite-"+name, "-")
	}
	return strings.TrimRight(name[:min(len(name), longestName)], "-")
}
