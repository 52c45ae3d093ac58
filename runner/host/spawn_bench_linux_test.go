//go:build amd64 || arm64

package host

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/suite/runner/host/wire"
	"golang.org/x/sys/unix"
)

// BenchmarkSpawn compares ways from spawn to reap, block by block in random order:
// for `true`, and for the smallest program, whose own work is almost nothing. It is
// one comparison, whatever b.N is:
//
//	go test -run - -bench Spawn ./runner/host
//
// hyperfine and a loop in C take part if hyperfine and gcc are installed. The CPU
// time is the tool's, per run. It includes the start of the tool in each block, if
// the tool is a program of its own.
func BenchmarkSpawn(b *testing.B) {
	dir := b.TempDir()
	programs := []string{"/bin/true"}
	if tiny := filepath.Join(dir, "tiny"); writeTiny(tiny) {
		programs = append(programs, tiny)
	}
	for _, program := range programs {
		b.Run(filepath.Base(program), func(b *testing.B) {
			arms := []*arm{
				{name: "suite", block: bySuite(b, program, "off")},
				{name: "suite, pin: auto", block: bySuite(b, program, "auto")},
				{name: "suite, pin: on", block: bySuite(b, program, "on")},
				{name: "ForkExec + Wait4", block: byForkExec(b, program)},
				{name: "os/exec", block: byExec(b, program)},
			}
			if tool, err := exec.LookPath("hyperfine"); err == nil {
				arms = append(arms, &arm{name: "hyperfine -N", block: byHyperfine(b, tool, program)})
			}
			if gcc, err := exec.LookPath("gcc"); err == nil {
				arms = append(arms, &arm{name: "C vfork", block: byC(b, gcc, program)})
			}
			for range blocks {
				for _, i := range rand.Perm(len(arms)) {
					times, cpu := arms[i].block(blockRuns)
					arms[i].times, arms[i].cpu = append(arms[i].times, times...), arms[i].cpu+cpu
				}
			}
			b.Log("\n" + table(arms))
			b.ReportMetric(0, "ns/op") // the table is the result
		})
	}
}

const blocks, blockRuns = 20, 100

// arm is one way. block makes n runs and returns their times, in ns, and the CPU time
// of the tool for all of them.
type arm struct {
	name  string
	block func(n int) (times []int64, cpu int64)
	times []int64
	cpu   int64
}

func table(arms []*arm) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%-18s %6s %9s %9s %9s %9s %14s\n", "µs", "runs", "min", "p25", "median", "p99", "tool CPU a run")
	for _, a := range arms {
		slices.Sort(a.times)
		at := func(q float64) float64 { return float64(a.times[int(q*float64(len(a.times)-1))]) / 1e3 }
		fmt.Fprintf(&out, "%-18s %6d %9.1f %9.1f %9.1f %9.1f %14.1f\n", a.name, len(a.times), at(0), at(0.25), at(0.5), at(0.99),
			float64(a.cpu)/float64(len(a.times))/1e3)
	}
	return out.String()
}

// bySuite goes through the whole host, as the controller asks for runs.
func bySuite(b *testing.B, program, pin string) func(int) ([]int64, int64) {
	h := commander(b)
	c := wire.Command{Argv: []string{program}, Dir: "/", ExitCodes: []int{0}, Timeout: 20e9, Pin: pin}
	id := ask(b, h, wire.Request{Op: "prepare", Command: &c}).Prepared.ID
	return func(n int) ([]int64, int64) {
		r := wire.Request{Op: "run", Limit: 1e12, Batches: slices.Repeat([]wire.Batch{{ID: id, N: 1}}, n)}
		cpu := -ownCPU() - h.spawnerCPU()
		got := ask(b, h, r).Readings
		return got.Columns["wall"], cpu + ownCPU() + h.spawnerCPU()
	}
}

// spawnerCPU is the CPU time of the spawner, ns.
func (h *Host) spawnerCPU() (onCPU int64) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", h.kit.starter.PID())) // no spawner: 0
	_, _ = fmt.Sscan(string(text), &onCPU)
	return onCPU
}

func ownCPU() int64 {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &u)
	return u.Utime.Nano() + u.Stime.Nano()
}

func byForkExec(b *testing.B, program string) func(int) ([]int64, int64) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { null.Close() })
	return func(n int) (times []int64, cpu int64) {
		cpu = -ownCPU()
		for range n {
			start := time.Now()
			pid, err := syscall.ForkExec(program, []string{program}, &syscall.ProcAttr{Files: []uintptr{null.Fd(), null.Fd(), null.Fd()}})
			if err != nil {
				b.Fatal(err)
			}
			for _, err = syscall.Wait4(pid, nil, 0, nil); err == syscall.EINTR; {
				_, err = syscall.Wait4(pid, nil, 0, nil)
			}
			times = append(times, int64(time.Since(start)))
		}
		return times, cpu + ownCPU()
	}
}

func byExec(b *testing.B, program string) func(int) ([]int64, int64) {
	return func(n int) (times []int64, cpu int64) {
		cpu = -ownCPU()
		for range n {
			start := time.Now()
			if err := exec.Command(program).Run(); err != nil {
				b.Fatal(err)
			}
			times = append(times, int64(time.Since(start)))
		}
		return times, cpu + ownCPU()
	}
}

func byHyperfine(b *testing.B, tool, program string) func(int) ([]int64, int64) {
	file := filepath.Join(b.TempDir(), "times.json")
	return func(n int) (times []int64, cpu int64) {
		cmd := exec.Command(tool, "-N", "--style", "none", "-r", strconv.Itoa(n), "--export-json", file, program)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		var all struct {
			Results []struct {
				User, System float64
				Times        []float64
			}
		}
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &all)
		}
		if err != nil || len(all.Results) != 1 {
			b.Fatal(err, string(text))
		}
		got := all.Results[0]
		for _, t := range got.Times {
			times = append(times, int64(t*1e9))
		}
		return times, int64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()) - int64(float64(n)*(got.User+got.System)*1e9)
	}
}

const vforkLoop = `
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
extern char **environ;
int main(int argc, char **argv) {
	int n = atoi(argv[1]), out = dup(1), null = open("/dev/null", O_RDWR);
	long *times = calloc(n, sizeof *times);
	char *args[] = {argv[2], 0};
	fcntl(out, F_SETFD, FD_CLOEXEC);
	dup2(null, 0), dup2(null, 1), dup2(null, 2);
	for (int i = 0; i < n; i++) {
		long start = now();
		int pid = vfork();
		if (pid == 0) { execve(args[0], args, environ); _exit(127); }
		waitpid(pid, 0, 0);
		times[i] = now() - start;
	}
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	dprintf(out, "%ld\n", (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000L + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000L);
	for (int i = 0; i < n; i++) dprintf(out, "%ld\n", times[i]);
}
`

func byC(b *testing.B, gcc, program string) func(int) ([]int64, int64) {
	source, tool := filepath.Join(b.TempDir(), "loop.c"), filepath.Join(b.TempDir(), "loop")
	if err := os.WriteFile(source, []byte(vforkLoop), 0o666); err != nil {
		b.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-O2", "-o", tool, source).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return func(n int) (times []int64, cpu int64) {
		out, err := exec.Command(tool, strconv.Itoa(n), program).Output()
		if err != nil {
			b.Fatal(err)
		}
		for i, word := range strings.Fields(string(out)) {
			x, _ := strconv.ParseInt(word, 10, 64)
			if i == 0 {
				cpu = x
			} else {
				times = append(times, x)
			}
		}
		return times, cpu
	}
}

// writeTiny writes the smallest program: two headers, and two or three instructions
// that end it. It is false if there is none for this architecture.
func writeTiny(path string) bool {
	code := map[string][]byte{
		"amd64": {0x31, 0xff, 0xb8, 60, 0, 0, 0, 0x0f, 0x05},               // xor edi, edi; mov eax, 60; syscall
		"arm64": {0, 0, 0x80, 0xd2, 0xa8, 0x0b, 0x80, 0xd2, 1, 0, 0, 0xd4}, // mov x0, 0; mov x8, 93; svc 0
	}[runtime.GOARCH]
	machine := map[string]uint16{"amd64": 62, "arm64": 183}[runtime.GOARCH]
	const base, headers = 0x400000, 64 + 56
	var b bytes.Buffer
	put := func(fields ...any) {
		for _, f := range fields {
			_ = binary.Write(&b, binary.LittleEndian, f) // into memory
		}
	}
	b.WriteString("\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 9))
	put(uint16(2), machine, uint32(1), uint64(base+headers), uint64(64), uint64(0), uint32(0), uint16(64), uint16(56), uint16(1), uint16(0), uint16(0), uint16(0))
	size := uint64(headers + len(code))
	put(uint32(1), uint32(5), uint64(0), uint64(base), uint64(base), size, size, uint64(0x1000)) // load, read and execute
	b.Write(code)
	return code != nil && os.WriteFile(path, b.Bytes(), 0o777) == nil
}
