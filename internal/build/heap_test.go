package build

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// placesObjects reports which of the objects of 48 bytes without pointers, of those that share 8 KiB, it has allocated.
const placesObjects = `package placed

import (
	"testing"
	"unsafe"
)

var object []byte

func BenchmarkPlace(b *testing.B) {
	object = make([]byte, 48)
	b.ReportMetric(float64(uintptr(unsafe.Pointer(&object[0]))%8192/48), "place")
}
`

// A test binary whose instructions are counted moves its heap by what is drawn, and one that takes samples does not.
func TestACountedTestBinaryMovesItsHeap(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its test binaries do not stay")
	}
	tests, err := Tests(context.Background(), offline(tree(t, "-- go.mod --\nmodule placed\n\ngo 1.24\n-- placed_test.go --\n"+placesObjects), "."))
	if err != nil {
		t.Fatal(err)
	}
	place := func(how string, padding int) (place float64) {
		requests, ask, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		hear, answers, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer hear.Close()
		cmd := exec.Command(tests[0].Path, "-test.run=^$", "-test.bench=.", "-test.benchtime=1x")
		// Without collections and other threads memory is filled from its beginning.
		cmd.Env = append(cmd.Environ(), "SUITE_BENCHMARK="+how, "SUITE_PADDING="+strings.Repeat("x", padding), "GOGC=off", "GOMAXPROCS=1",
			"GODEBUG=asyncpreemptoff=1,memprofilerate=0")
		cmd.ExtraFiles = []*os.File{requests, answers}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		requests.Close()
		answers.Close()
		fmt.Fprintln(ask, "1 BenchmarkPlace")
		line, err := bufio.NewReader(hear).ReadString('\n')
		ask.Close()
		before, _, found := strings.Cut(line, " place")
		if _, wrong := fmt.Sscan(before[strings.LastIndexByte(before, ' ')+1:], &place); err != nil || !found || wrong != nil {
			t.Fatalf("it answers %q: %v", line, err)
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		return place
	}
	const inPage = 8192 / 48
	for how, moves := range map[string]int{"count": 960 / 48, "sample": 0} {
		first, then := place(how, 0), place(how, 960)
		if got := (int(then) - int(first) + inPage) % inPage; got != moves {
			t.Errorf("%s: 960 bytes move an object from %g to %g, so by %d, want %d", how, first, then, got, moves)
		}
	}
}
