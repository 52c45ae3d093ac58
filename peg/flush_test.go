//go:build !nopeg

package peg_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/suite/internal/testfile"
	"example.com/suite/peg"
	"example.com/suite/peg/pegfile"
)

// asChild names the part that this test program plays when it is started again, as an
// instrumented program.
const asChild = "PEG_TEST_CHILD"

func init() {
	if part := children[os.Getenv(asChild)]; part != nil {
		part()
		os.Exit(0)
	}
}

var children = map[string]func(){
	"flushes": func() {
		twoHits()
		if err := peg.Flush(); err != nil {
			panic(err)
		}
	},
	"exits":    func() { twoHits(); peg.Exit(7) },
	"forgets":  func() { twoHits() },
	"is quiet": func() { twoHits(); waitForTick(1) },
	"goes on":  func() { twoHits(); _ = peg.Flush(); twoHits(); waitForTick(2) },
	"twice":    func() { twoHits(); _ = peg.Flush(); twoHits(); _ = peg.Flush() },
	"moves": func() {
		twoHits()
		if err := os.Chdir(os.TempDir()); err != nil {
			panic(err)
		}
		if err := peg.Flush(); err != nil {
			panic(err)
		}
	},
	// The number in the variable becomes that of a file of the program.
	"opens": func() {
		var opened []*os.File
		for len(opened) == 0 || opened[len(opened)-1].Fd() < 20 {
			f, err := os.CreateTemp("", "peg-test-")
			if err != nil {
				panic(err)
			}
			_ = os.Remove(f.Name())
			opened = append(opened, f)
		}
		for range 3 {
			collect()
		}
		for _, f := range opened {
			if _, err := f.WriteString("mine"); err != nil {
				panic(err)
			}
		}
	},
	"has children": func() {
		twoHits()
		_ = os.Setenv(asChild, "flushes")
		if err := exec.Command(os.Args[0]).Run(); err != nil {
			panic(err)
		}
		_ = peg.Flush()
	},
}

// collect ends when a finalizer has run.
func collect() {
	done := make(chan struct{})
	runtime.SetFinalizer(&struct{ p *int }{}, func(any) { close(done) })
	for {
		runtime.GC()
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// points of the children, which have one of each name.
var points = sync.OnceValues(func() (a, b *peg.Point) { return peg.New("a"), peg.New("b") })

func twoHits() {
	a, b := points()
	lane := peg.NewLane("main")
	lane.Hit(a)
	lane.Hit(b)
	lane.Close()
}

// waitForTick ends when a file without an end holds so many hits, or gives up.
func waitForTick(hits uint64) {
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(time.Millisecond) {
		if doc, err := pegfile.ReadAll(os.Getenv(pegfile.Variable)); err == nil && !doc.End && hitsOf(doc, "b") == hits {
			return
		}
	}
	panic("nothing was written")
}

func hitsOf(doc *pegfile.Document, name string) uint64 {
	i := slices.IndexFunc(doc.Points, func(p pegfile.Hits) bool { return p.Name == name })
	if i < 0 {
		return 0
	}
	return doc.Points[i].Count
}

// child runs a part with the variable set, and gives what ReadAll finds.
func child(t *testing.T, part string, env ...string) (*pegfile.Document, *exec.Cmd) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pegs")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append([]string{asChild + "=" + part, pegfile.Variable + "=" + path}, env...)...)
	if said, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 7 || len(said) > 0 {
		t.Fatalf("%v: %s", err, said)
	}
	doc, err := pegfile.ReadAll(path)
	if err != nil {
		t.Fatal(err)
	}
	return doc, cmd
}

func TestFlushWritesTheEnd(t *testing.T) {
	doc, _ := child(t, "flushes")
	if !doc.End || hitsOf(doc, "a") != 1 || len(doc.Arcs) != 1 || doc.Clock == "" {
		t.Errorf("%+v", doc)
	}
}

func TestExitFlushesAndKeepsTheStatus(t *testing.T) {
	doc, cmd := child(t, "exits")
	if !doc.End || hitsOf(doc, "b") != 1 || cmd.ProcessState.ExitCode() != 7 {
		t.Errorf("%v: %+v", cmd.ProcessState, doc)
	}
}

func TestAProgramThatNeverFlushesHasNoEnd(t *testing.T) {
	if doc, _ := child(t, "forgets"); doc.End {
		t.Errorf("%+v", doc)
	}
	if doc, _ := child(t, "is quiet"); doc.End || hitsOf(doc, "b") != 1 {
		t.Errorf("%+v", doc)
	}
}

func TestHitsBehindFlushTakeTheEndAway(t *testing.T) {
	if doc, _ := child(t, "goes on"); doc.End || hitsOf(doc, "b") != 2 {
		t.Errorf("%+v", doc)
	}
}

func TestAFileHoldsAllHitsOnce(t *testing.T) {
	if doc, _ := child(t, "twice"); !doc.End || hitsOf(doc, "a") != 2 || len(doc.Problems) > 0 {
		t.Errorf("%+v", doc)
	}
}

func TestChildrenHaveFilesOfTheirOwn(t *testing.T) {
	if doc, _ := child(t, "has children"); !doc.End || hitsOf(doc, "a") != 2 || doc.Arcs[0].Count != 2 {
		t.Errorf("%+v", doc)
	}
}

func TestOnlyThePointsThatAreWantedAreOn(t *testing.T) {
	doc, _ := child(t, "flushes", pegfile.PointsVariable+"=b, c")
	if hitsOf(doc, "a") != 0 || hitsOf(doc, "b") != 1 || len(doc.Arcs) != 0 {
		t.Errorf("%+v", doc)
	}
}

// Documents in a stream add up: the second Flush must not say again what the first did.
func TestAStreamHoldsAllHitsOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("descriptors are not inherited on Windows")
	}
	cmd, out := streamChild(t, "twice")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	text := testfile.Read(t, out)
	doc, err := pegfile.Read(bytes.NewReader(text))
	if err != nil || !doc.End || hitsOf(doc, "a") != 2 || bytes.Count(text, []byte("\n")) != 2 {
		t.Errorf("%v: %s", err, text)
	}
}

func streamChild(t *testing.T, part string) (cmd *exec.Cmd, out string) {
	f, err := os.Create(filepath.Join(t.TempDir(), "stream"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	cmd = exec.Command(os.Args[0])
	cmd.ExtraFiles = []*os.File{f}
	cmd.Env = append(os.Environ(), asChild+"="+part, pegfile.Variable+"=fd:3")
	return cmd, f.Name()
}

func TestATargetThatCannotBeWrittenIsSaidOnce(t *testing.T) {
	for target, want := range map[string]string{
		filepath.Join(t.TempDir(), "missing", "pegs"): "no such file",
		filepath.Join(t.TempDir(), "missing") + "/":   "no such file",
		"fd:three": "want the number of an inherited descriptor, as in fd:3",
		"fd:77":    "bad file descriptor",
	} {
		if runtime.GOOS == "windows" && want != "no such file" {
			continue
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), asChild+"=flushes", pegfile.Variable+"="+target)
		said, err := cmd.CombinedOutput()
		if err != nil || strings.Count(string(said), "\n") != 1 || !strings.Contains(string(said), want) && runtime.GOOS != "windows" {
			t.Errorf("%s: %v: %s", target, err, said)
		}
	}
}

// A child often has the variable without the descriptor, and opens files of its own.
func TestADescriptorThatIsRefusedIsLeftAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("descriptors are not inherited on Windows")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asChild+"=opens", pegfile.Variable+"=fd:20")
	if said, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(said), "bad file descriptor") {
		t.Errorf("%v: %s", err, said)
	}
}

func TestARelativePathIsThatOfTheStart(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asChild+"=moves", pegfile.Variable+"=pegs")
	said, err := cmd.CombinedOutput()
	doc, readErr := pegfile.ReadAll(filepath.Join(dir, "pegs"))
	if err != nil || readErr != nil || !doc.End || hitsOf(doc, "b") != 1 {
		t.Errorf("%v, %v: %s", err, readErr, said)
	}
}

func TestNothingIsWrittenWithoutTheVariable(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asChild+"=flushes", pegfile.Variable+"=")
	said, err := cmd.CombinedOutput()
	left, _ := os.ReadDir(dir)
	if err != nil || len(said) > 0 || len(left) > 0 {
		t.Errorf("%v: %s, left %v", err, said, left)
	}
	if _, err = pegfile.ReadAll(filepath.Join(dir, "pegs")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
