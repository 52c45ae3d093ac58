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
	"example.com/suite/result"
)

// killed is the suite that is killed: bodies of both kinds, one of which a
// summary is kept, and programs that leave a line for each of their runs, so that
// what was measured is known from outside.
const killed = `
defaults: {target_time: 60ms, warmup: 2ms}
benchmarks:
  - {name: direct, go: basics/xorshift}
  - {name: kept, go: basics/xorshift, samples: {keep: summary}}
  - name: counted/${letter}
    matrix: {letter: [a, b, c, d, e, f, g]} # the last of them in a window of its own
    shell: "echo >> runs-${letter}; : ${env.PLACE}"
    warmup: 0s
    target_time: 1s # so that blocks have 10 runs
    samples: {min: 30, max: 30}
  - {name: slow, shell: "sleep 0.005; : ${env.PLACE}", warmup: 0s, samples: {min: 20, max: 20}}
`

// TestRandomKills kills suite, its hosts and its programs at random moments, so
// often as SUITE_KILLS says (SUITE_KILLS_SEED repeats them); what a kill hits
// depends on how fast the machine is, so it runs where it is asked for, and the
// script resume has the certain ones. Behind each the journal has to be readable and to hold every block
// that was followed by another one, --resume has to complete the run with all of
// them, and no process may be left.
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
	k.whole()
	t.Logf("seed %d; a run takes %v", seed, k.length.Round(time.Millisecond))
	for i := range kills {
		k.round = i
		k.once()
		if t.Failed() {
			t.Fatalf("in round %d; SUITE_KILLS=%d SUITE_KILLS_SEED=%d repeats the moments", i, kills, seed)
		}
	}
	t.Logf("%d rounds in %v: killed %v; behind a dead controller %d journals held %d blocks and %d finished cases, %d were not begun; "+
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
	extra  map[string]int // runs of a counted case that give no sample
	second bool           // a host was killed before suite was, so that another one may have begun

	victims                                                map[string]int
	journals, blocks, finished, none, lost, resumed, twice int
}

func newKiller(t *testing.T, seed uint64) *killer {
	k := &killer{T: t, rng: rand.New(rand.NewPCG(seed, 1)), dir: t.TempDir(), extra: map[string]int{}, victims: map[string]int{}}
	host, err := exec.LookPath("real-host")
	if err != nil {
		t.Fatal(err)
	}
	k.must(os.Mkdir(filepath.Join(k.dir, "bin"), 0o777))
	k.must(os.Symlink(host, filepath.Join(k.dir, "bin", "real-host")))
	write(t, k.path("suite.yaml"), killed)
	return k
}

func (k *killer) must(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

func (k *killer) path(name string) string { return filepath.Join(k.dir, name) }

// command is suite on the file, in the folder, with a cache and a lock there.
func (k *killer) command(flags ...string) (*exec.Cmd, *bytes.Buffer) {
	argv := append(append([]string{"run", "--quiet", "--out", "json=" + k.path("result.json")}, flags...), k.path("suite.yaml"))
	cmd := exec.Command("suite-real", argv...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stderr = k.dir, &said
	cmd.Env = append(os.Environ(), "PATH="+k.path("bin")+":"+os.Getenv("PATH"), "PLACE="+k.dir, cacheVariable+"="+k.path("cache"),
		lock.Variable+"="+k.path("lock"))
	return cmd, &said
}

// whole runs the suite once undisturbed, to know how long it takes and how often
// its programs run beside the samples.
func (k *killer) whole() {
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

// runs counts the runs of a counted case since its file was removed.
func (k *killer) runs(name string) int {
	text, _ := os.ReadFile(k.path("runs-" + strings.TrimPrefix(name, "counted/"))) // none: no run
	return bytes.Count(text, []byte("\n"))
}

func (k *killer) forgetRuns() {
	for name := range k.extra {
		os.Remove(k.path("runs-" + strings.TrimPrefix(name, "counted/")))
	}
}

// written says that there is a result.
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

// once runs the suite, kills, looks, and goes on.
func (k *killer) once() {
	os.Remove(k.path("result.json"))
	os.RemoveAll(k.path("cache"))
	k.forgetRuns()
	cmd, said := k.command()
	if !k.strike(cmd) {
		k.over(cmd, said, nil)
		return
	}
	had := k.journal(true)
	for again := k.rng.IntN(3) == 0; ; again = false {
		if had == nil {
			k.none++
			k.anew()
			return
		}
		k.forgetRuns()
		cmd, said = k.command("--resume")
		if again && k.strike(cmd) {
			k.twice++
			later := k.journal(false)
			if later == nil && k.written() {
				k.victims["nobody: it was over"]++ // and its journal removed, when the signal came
				return
			}
			k.holds(later, had)
			had = later
			continue
		}
		if !again {
			k.must(cmd.Start())
			cmd.Wait() // its state tells
		}
		k.resumed++
		k.over(cmd, said, had)
		return
	}
}

// strike starts suite and kills somebody at some moment. It says whether that
// was, or brought down, suite itself; else suite has ended by itself.
func (k *killer) strike(cmd *exec.Cmd) (dead bool) {
	moment := time.Duration(k.rng.Int64N(int64(k.length)))
	victim := []string{"controller", "controller", "host", "program", "host, then controller"}[k.rng.IntN(5)]
	pause := time.Duration(k.rng.IntN(30)) * time.Millisecond
	k.second = false
	k.must(cmd.Start())
	time.Sleep(moment)
	if victim != "controller" {
		wanted := strings.TrimSuffix(victim, ", then controller")
		pid := k.find(cmd.Process.Pid, wanted == "host")
		if pid != 0 {
			syscall.Kill(pid, syscall.SIGKILL) // gone a moment ago: then nobody is killed
		}
		switch {
		case pid == 0:
			victim = "controller" // there is none at this moment
		case wanted == victim:
			k.victims[victim]++
			cmd.Wait() // its state tells
			return false
		default:
			k.second = true
			time.Sleep(pause)
		}
	}
	k.victims[victim]++
	cmd.Process.Kill()
	cmd.Wait() // its state tells
	k.gone()
	if cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
		return true
	}
	k.victims[victim]--
	k.victims["nobody: it was over"]++
	return false
}

// find gives a descendant that is a host, or none: a program.
func (k *killer) find(controller int, isHost bool) int {
	parents, lines := map[int]int{}, map[int]string{}
	all, err := filepath.Glob("/proc/[0-9]*")
	k.must(err)
	for _, dir := range all {
		stat, _ := os.ReadFile(dir + "/stat") // what has ended meanwhile is empty
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

// gone waits until no process of the folder is left.
func (k *killer) gone() {
	k.Helper()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		var left []string
		all, err := filepath.Glob("/proc/[0-9]*/cmdline")
		k.must(err)
		for _, path := range all {
			if line, _ := os.ReadFile(path); bytes.Contains(line, []byte(k.dir)) { // one that has ended is empty
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

// held is what a journal has of a case.
type held struct {
	times []float64 // of its samples; of a summary, once it is finished
	final bool
	fault bool
}

// journal reads what a killed run has left, as anybody could: line by line, each
// with a checksum. It is nil where nothing was begun. Where the runs of programs
// are of this part alone, all but those of the running block have to be there.
func (k *killer) journal(first bool) map[string]*held {
	k.Helper()
	files, _ := filepath.Glob(k.path("cache/journals/*.jsonl"))
	if len(files) == 0 {
		return nil
	}
	text, err := os.ReadFile(files[0])
	k.must(err)
	cases, sum, lines := map[string]*held{}, uint32(0), 0
	for line := range bytes.Lines(text) {
		object, ok := bytes.CutSuffix(line, []byte("\"}\n"))
		if !ok || len(object) < len(`,"crc":"01234567`) {
			break // it was being written
		}
		body := object[:len(object)-len(`,"crc":"01234567`)]
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), body)
		if seal := fmt.Sprintf(`,"crc":"%08x`, sum); !bytes.HasSuffix(object, []byte(seal)) {
			k.Fatalf("line %d of the journal is damaged", lines+1)
		}
		lines++
		k.note(cases, append(bytes.Clone(body), '}'))
	}
	if lines == 0 {
		return nil
	}
	k.journals++
	running := 10 // runs of a block
	if k.second {
		running += 3 // a later launch warms up with as many
	}
	for name, extra := range k.extra {
		if had := cases[name]; first && (had == nil || !had.final) {
			n := 0
			if had != nil {
				n = len(had.times)
			}
			lost := k.runs(name) - extra - n
			if k.lost = max(k.lost, lost); lost > running {
				k.Errorf("%s ran %d times, %d of them for no sample, and the journal has %d", name, k.runs(name), extra, n)
			}
		}
	}
	return cases
}

// note adds a line to what is known of cases.
func (k *killer) note(cases map[string]*held, object []byte) {
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
		cases[line.Case.Name] = &held{line.Case.Samples.Columns["time"], true, line.Case.Failure != nil}
		k.finished++
	case line.Block != nil:
		name := line.Block.Case.Name
		if cases[name] == nil {
			cases[name] = &held{}
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

// holds checks that a later journal has what an earlier one had.
func (k *killer) holds(later, earlier map[string]*held) {
	k.Helper()
	for name, had := range earlier {
		got := later[name]
		if got == nil || len(got.times) < len(had.times) || !slices.Equal(got.times[:len(had.times)], had.times) {
			k.Errorf("the journal of the second part has lost samples of %s", name)
		}
	}
}

// anew is what is left where nothing was begun: --resume says so, and a new run
// completes.
func (k *killer) anew() {
	k.Helper()
	cmd, said := k.command("--resume")
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitUsage || !regexp.MustCompile(`no run of these suite files was interrupted|ended before anything was measured`).Match(said.Bytes()) {
		k.Fatalf("--resume without a journal: %v\n%s", err, said)
	}
	cmd, said = k.command()
	cmd.Run() // its state tells
	k.over(cmd, said, nil)
}

// over checks a run that has come to its end, with all that a journal had.
func (k *killer) over(cmd *exec.Cmd, said *bytes.Buffer, had map[string]*held) {
	k.Helper()
	k.gone()
	if exit := cmd.ProcessState.ExitCode(); exit != exitOK && exit != exitFail {
		k.Fatalf("exit status %d\n%s", exit, said)
	}
	if !k.written() {
		// A host was killed while it told its functions, before anything began.
		if k.none++; cmd.ProcessState.ExitCode() != exitFail || said.Len() == 0 {
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
