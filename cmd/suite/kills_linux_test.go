package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/suite/internal/lock"
	"example.com/suite/internal/testfile"
	"example.com/suite/result"
)

// killed is the suite that is killed. It has functions, one of them with only a summary
// kept, and commands. The counted commands write a line at each run, so that the test
// knows how often they ran without the journal. No word of a command is the path of a file that
// changes: --resume would measure the case again.
const killed = `
defaults: {target_time: 60ms, warmup: 2ms}
benchmarks:
  - {name: direct, go: basics/xorshift}
  - {name: kept, go: basics/xorshift, samples: {keep: summary}}
  - name: counted/${letter}
    matrix: {letter: [a, b, c, d, e, f, g]} # the last is in another window than the first
    shell: 'echo >> "$PLACE/runs-${letter}"; : x${env.PLACE}'
    warmup: 0s
    target_time: 1s # so that blocks have 10 runs
    samples: {min: 30, max: 30}
  - {name: slow, shell: "sleep 0.005; : x${env.PLACE}", warmup: 0s, samples: {min: 20, max: 20}}
`

// TestRandomKills kills suite, its hosts or its programs at random moments, as many times
// as SUITE_KILLS. SUITE_KILLS_SEED repeats the moments. What a kill hits depends on the
// speed of the machine, so the test only runs on request; the script resume has kills at
// fixed points.
//
// After each kill the journal must be readable and contain every block but the last,
// --resume must complete the run with those blocks, and no process may be left.
func TestRandomKills(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv("SUITE_KILLS"))
	if err != nil {
		t.Skip("set SUITE_KILLS to a number of kills")
	}
	seed, err := strconv.ParseUint(cmp.Or(os.Getenv("SUITE_KILLS_SEED"), "1"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	k := newKiller(t, seed)
	began := time.Now()
	k.runUndisturbed()
	t.Logf("seed %d; a run takes %v", seed, k.length.Round(time.Millisecond))
	for i := range kills {
		k.round = i
		k.killAndResume()
		if t.Failed() {
			t.Fatalf("in round %d; SUITE_KILLS=%d SUITE_KILLS_SEED=%d repeats the moments", i, kills, seed)
		}
	}
	t.Logf("%d rounds in %v: killed %v; after a dead controller %d journals had %d blocks and %d finished cases, %d were not begun; "+
		"at most %d samples of a case were lost, of a block of 10; %d runs were resumed, %d of them after a second kill",
		kills, time.Since(began).Round(time.Second), k.victims, k.journals, k.blocks, k.finished, k.none, k.lost, k.resumed, k.twice)
}

// killer runs and kills suite in a folder of its own.
type killer struct {
	*testing.T
	rng    *rand.Rand
	round  int
	dir    string // its name is in the command lines of all processes
	length time.Duration
	extra  map[string]int // runs of a counted case without a sample
	second bool           // a host was killed before suite, so a second one may have started

	victims                                                map[string]int
	journals, blocks, finished, none, lost, resumed, twice int
}

func newKiller(t *testing.T, seed uint64) *killer {
	k := &killer{T: t, rng: rand.New(rand.NewPCG(seed, 1)), dir: t.TempDir(), extra: map[string]int{}, victims: map[string]int{}}
	host, err := exec.LookPath("suite-host")
	if err != nil {
		t.Fatal(err)
	}
	k.must(os.Mkdir(filepath.Join(k.dir, "bin"), 0o777))
	k.must(os.Symlink(host, filepath.Join(k.dir, "bin", "suite-host")))
	testfile.Write(t, k.path("suite.yaml"), killed)
	return k
}

func (k *killer) must(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

func (k *killer) path(name string) string { return filepath.Join(k.dir, name) }

// command prepares a run of the suite file that has its cache and its lock in the
// folder. The buffer collects its standard error.
func (k *killer) command(flags ...string) (*exec.Cmd, *bytes.Buffer) {
	argv := append(append([]string{"run", "--quiet", "--out", "json=" + k.path("result.json")}, flags...), k.path("suite.yaml"))
	cmd := exec.Command("suite-real", argv...)
	var stderr bytes.Buffer
	cmd.Dir = k.dir
	cmd.Stderr = &stderr
	cmd.Env = append(os.Environ(), "PATH="+k.path("bin")+":"+os.Getenv("PATH"), "PLACE="+k.dir, cacheVariable+"="+k.path("cache"),
		lock.Variable+"="+k.path("lock"))
	return cmd, &stderr
}

// runUndisturbed runs the suite once without a kill. It records how long that takes, and
// how often the counted commands run without a sample, as in a warm-up.
func (k *killer) runUndisturbed() {
	cmd, said := k.command()
	began := time.Now()
	if err := cmd.Run(); err != nil {
		k.Fatalf("%v\n%s", err, said)
	}
	k.length = time.Since(began)
	doc := k.document()
	for i := range doc.Cases {
		if c := &doc.Cases[i]; strings.HasPrefix(c.Name, "counted/") {
			k.extra[c.Name] = k.runs(c.Name) - c.Samples.Len()
		}
	}
}

// runs counts how often a counted case has run since its file was removed.
func (k *killer) runs(name string) int {
	text, _ := os.ReadFile(k.path("runs-" + strings.TrimPrefix(name, "counted/"))) // no file: no run
	return bytes.Count(text, []byte("\n"))
}

func (k *killer) forgetRuns() {
	for name := range k.extra {
		os.Remove(k.path("runs-" + strings.TrimPrefix(name, "counted/")))
	}
}

// written reports whether there is a result.
func (k *killer) written() bool {
	_, err := os.Stat(k.path("result.json"))
	return err == nil
}

func (k *killer) document() *result.Document {
	k.Helper()
	f, err := os.Open(k.path("result.json"))
	k.must(err)
	defer f.Close()
	doc, err := result.Read(f)
	k.must(err)
	return doc
}

// killAndResume runs the suite, kills a process, checks the journal and resumes the run.
// One resumed run in three is killed as well.
func (k *killer) killAndResume() {
	os.Remove(k.path("result.json"))
	os.RemoveAll(k.path("cache"))
	k.forgetRuns()
	cmd, said := k.command()
	if !k.strike(cmd) {
		k.checkFinished(cmd, said, nil)
		return
	}
	had := k.journal(true)
	for again := k.rng.IntN(3) == 0; ; again = false {
		if had == nil {
			k.none++
			k.checkFresh()
			return
		}
		k.forgetRuns()
		cmd, said = k.command("--resume")
		if again && k.strike(cmd) {
			k.twice++
			later := k.journal(false)
			if later == nil && k.written() {
				k.victims["nobody: it was over"]++ // the journal was already removed
				return
			}
			k.checkKept(later, had)
			had = later
			continue
		}
		if !again {
			k.must(cmd.Start())
			cmd.Wait() // the exit status is checked below
		}
		k.resumed++
		k.checkFinished(cmd, said, had)
		return
	}
}

// strike starts suite and kills one of its processes at a random moment. It reports
// whether suite itself was killed; otherwise suite has ended by itself.
func (k *killer) strike(cmd *exec.Cmd) (dead bool) {
	moment := time.Duration(k.rng.Int64N(int64(k.length)))
	victim := []string{"controller", "controller", "host", "program", "host, then controller"}[k.rng.IntN(5)]
	pause := time.Duration(k.rng.IntN(30)) * time.Millisecond
	k.second = false
	k.must(cmd.Start())
	time.Sleep(moment)
	if victim != "controller" {
		wanted := strings.TrimSuffix(victim, ", then controller")
		pid := k.anyDescendant(cmd.Process.Pid, wanted == "host")
		if pid != 0 {
			syscall.Kill(pid, syscall.SIGKILL) // fails if the process has just ended
		}
		switch {
		case pid == 0:
			victim = "controller" // there is no such process at this moment
		case wanted == victim:
			k.victims[victim]++
			cmd.Wait() // the caller checks the exit status
			return false
		default:
			k.second = true
			time.Sleep(pause)
		}
	}
	k.victims[victim]++
	cmd.Process.Kill()
	cmd.Wait() // ProcessState has the signal
	k.waitUntilGone()
	if cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
		return true
	}
	k.victims[victim]--
	k.victims["nobody: it was over"]++
	return false
}

// anyDescendant picks a random descendant that is a host or, if isHost is false, one
// that is not. It is 0 if there is none.
func (k *killer) anyDescendant(controller int, isHost bool) int {
	parents := map[int]int{}
	lines := map[int]string{}
	all, err := filepath.Glob("/proc/[0-9]*")
	k.must(err)
	for _, dir := range all {
		stat, _ := os.ReadFile(dir + "/stat") // empty if the process has ended
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil && len(fields) > 1 && fields[0] != "Z" {
			line, _ := os.ReadFile(dir + "/cmdline")
			parents[pid], _ = strconv.Atoi(fields[1])
			lines[pid] = string(line)
		}
	}
	var found []int
	for pid := range parents {
		for up := parents[pid]; up != 0; up = parents[up] {
			if up == controller && strings.HasPrefix(lines[pid], k.path("bin")) == isHost {
				found = append(found, pid)
			}
		}
	}
	if len(found) == 0 {
		return 0
	}
	slices.Sort(found)
	return found[k.rng.IntN(len(found))]
}

// waitUntilGone waits until no process of the folder is left.
func (k *killer) waitUntilGone() {
	k.Helper()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		var left []string
		all, err := filepath.Glob("/proc/[0-9]*/cmdline")
		k.must(err)
		for _, path := range all {
			if line, _ := os.ReadFile(path); bytes.Contains(line, []byte(k.dir)) { // empty if the process has ended
				left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Since(began) > patience {
			k.Fatalf("left behind: %s", strings.Join(left, "\n"))
		}
	}
}

// journalCase is a case as the journal has it.
type journalCase struct {
	times []float64 // of its samples; if only a summary is kept, empty until it is finished
	final bool
	fault bool
}

// journal reads the journal of a killed run from its lines and checksums, without the code
// of suite. It returns nil if nothing was measured. If first, the counted runs are all
// from this part of the run, and it checks that only the last block is missing.
func (k *killer) journal(first bool) map[string]*journalCase {
	k.Helper()
	files, _ := filepath.Glob(k.path("cache/journals/*.jsonl"))
	if len(files) == 0 {
		return nil
	}
	text, err := os.ReadFile(files[0])
	k.must(err)
	cases := map[string]*journalCase{}
	sum := uint32(0)
	lines := 0
	for line := range bytes.Lines(text) {
		object, ok := bytes.CutSuffix(line, []byte("\"}\n"))
		if !ok || len(object) < len(`,"crc":"01234567`) {
			break // the kill interrupted its writing
		}
		body := object[:len(object)-len(`,"crc":"01234567`)]
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), body)
		if seal := fmt.Sprintf(`,"crc":"%08x`, sum); !bytes.HasSuffix(object, []byte(seal)) {
			k.Fatalf("line %d of the journal is damaged", lines+1)
		}
		lines++
		k.addLine(cases, append(bytes.Clone(body), '}'))
	}
	if lines == 0 {
		return nil
	}
	k.journals++
	mayBeLost := 10 // runs of a block
	if k.second {
		mayBeLost += 3 // the warm-up of a second launch
	}
	for name, extra := range k.extra {
		if had := cases[name]; first && (had == nil || !had.final) {
			n := 0
			if had != nil {
				n = len(had.times)
			}
			lost := k.runs(name) - extra - n
			k.lost = max(k.lost, lost)
			if lost > mayBeLost {
				k.Errorf("%s ran %d times, %d of them for no sample, and the journal has %d", name, k.runs(name), extra, n)
			}
		}
	}
	return cases
}

// addLine adds a line of the journal to cases.
func (k *killer) addLine(cases map[string]*journalCase, object []byte) {
	type table struct{ Columns map[string][]float64 }
	var line struct {
		Block *struct {
			Case struct {
				Name     string
				Failure  *struct{}
				Settings struct{ Keep string }
			}
			Samples *table
		}
		Case *struct {
			Name    string
			Failure *struct{}
			Samples table
		}
	}
	k.must(json.Unmarshal(object, &line))
	switch {
	case line.Case != nil:
		cases[line.Case.Name] = &journalCase{line.Case.Samples.Columns["time"], true, line.Case.Failure != nil}
		k.finished++
	case line.Block != nil:
		name := line.Block.Case.Name
		if cases[name] == nil {
			cases[name] = &journalCase{}
		}
		cases[name].fault = line.Block.Case.Failure != nil
		if line.Block.Samples != nil {
			k.blocks++
			if line.Block.Case.Settings.Keep != "summary" {
				cases[name].times = append(cases[name].times, line.Block.Samples.Columns["time"]...)
			}
		}
	}
}

// checkKept checks that a later journal still has the samples of an earlier one.
func (k *killer) checkKept(later, earlier map[string]*journalCase) {
	k.Helper()
	for name, had := range earlier {
		got := later[name]
		if got == nil || len(got.times) < len(had.times) || !slices.Equal(got.times[:len(had.times)], had.times) {
			k.Errorf("the journal of the resumed run has lost samples of %s", name)
		}
	}
}

// checkFresh checks a run that was killed before anything was measured: --resume fails
// with that reason, and a new run completes.
func (k *killer) checkFresh() {
	k.Helper()
	cmd, said := k.command("--resume")
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitUsage || !regexp.MustCompile(`no run of these suite files was interrupted|ended before anything was measured`).Match(said.Bytes()) {
		k.Fatalf("--resume without a journal: %v\n%s", err, said)
	}
	cmd, said = k.command()
	cmd.Run() // checkFinished checks the exit status
	k.checkFinished(cmd, said, nil)
}

// checkFinished checks the result of a run that has ended. had are the cases of the
// journal that it was resumed from.
func (k *killer) checkFinished(cmd *exec.Cmd, said *bytes.Buffer, had map[string]*journalCase) {
	k.Helper()
	k.waitUntilGone()
	if exit := cmd.ProcessState.ExitCode(); exit != exitOK && exit != exitFail {
		k.Fatalf("exit status %d\n%s", exit, said)
	}
	if !k.written() {
		// A host was killed while it listed its functions, before anything was measured.
		k.none++
		if cmd.ProcessState.ExitCode() != exitFail || said.Len() == 0 {
			k.Errorf("exit status %d without a result\n%s", cmd.ProcessState.ExitCode(), said)
		}
		return
	}
	faults := 0
	doc := k.document()
	for i := range doc.Cases {
		c := &doc.Cases[i]
		if c.Status == result.NotRun {
			k.Errorf("%s was not measured", c.Name)
		}
		if c.Failure != nil {
			faults++
			if !regexp.MustCompile("SIGKILL|was killed").MatchString(c.Failure.Message + c.Failure.Signal) {
				k.Errorf("%s: %+v", c.Name, c.Failure)
			}
		}
		if h := had[c.Name]; h != nil {
			if times := c.Samples.Columns["time"]; len(times) < len(h.times) || !slices.Equal(times[:len(h.times)], h.times) {
				k.Errorf("%s has %d samples, and not all of the %d that were in the journal", c.Name, len(times), len(h.times))
			}
			if h.fault && c.Failure == nil {
				k.Errorf("%s has failed before, and has not now", c.Name)
			}
		}
	}
	if (faults > 0) != (cmd.ProcessState.ExitCode() == exitFail) {
		k.Errorf("%d cases failed, and the exit status is %d", faults, cmd.ProcessState.ExitCode())
	}
	if left, _ := filepath.Glob(k.path("cache/journals/*")); len(left) > 0 {
		k.Errorf("the journal of a run that is over is left: %q", left)
	}
}
