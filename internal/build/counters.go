package build

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/reach"
	"example.com/suite/internal/usercache"
)

// adapted are the packages of the toolchain of which a program that counts contains other code: files, what of these
// is replaced, and a file that is added.
//
// Package time comes first, because others call it: it gets a clock and timers that can run faster. Three packages write
// what coverage has counted, and do so by package reflect. Headers have no gaps, and a slice of bytes is formatted
// without reflect, so what is counted of package reflect then belongs to the program. Package testing leaves out
// requests that begin with 0 after Youth or in the second half of a LongLife, and waits for its end before one that begins
// with a +.
var adapted = []struct {
	pkg     string
	files   []string
	replace *strings.Replacer
	added   string
	calls   int // of what is added, if it has to be known
}{
	{"time", []string{"sleep.go", "tick.go", "time.go"}, strings.NewReplacer(
		"\nfunc Sleep(d Duration)\n", sleep,
		"runtimeNano() + int64(d)", "runtimeNano() + int64(suiteNear(d))",
		"when(d), int64(d)", "when(d), int64(suiteNear(d))",
		"sec, nsec, mono := runtimeNow()", "sec, nsec, mono := suiteNow(runtimeNow())",
		"sec, nsec, mono := now()", "sec, nsec, mono := suiteNow(now())", // Go 1.24
		"subMono(runtimeNano()-startNano, ", "subMono(suiteNano()-startNano, ",
		", runtimeNano()-startNano)", ", suiteNano()-startNano)"), fastClock, 7},
	{"internal/coverage/encodemeta", []string{"encode.go", "encodefile.go"}, headersOf, writeHeader, 0},
	{"internal/coverage/encodecounter", []string{"encode.go"}, headersOf, writeHeader, 0},
	{"internal/coverage/cfile", []string{"emit.go", "testsupport.go"}, strings.NewReplacer(
		"coverage.MetaFilePref, metaHash)", "coverage.MetaFilePref, metaHash[:])",
		"coverage.CounterFilePref, metaHash, ", "coverage.CounterFilePref, metaHash[:], ",
		"\nfunc emitCounterDataToDirectory(", marksLife+"\nfunc emitCounterDataToDirectory(",
		"ts.cf.EmitTextual(selpkgs, tf)", "suiteMark(tf, ts.cf.EmitTextual(selpkgs, tf))"), "", 0},
	{"testing", []string{"suite.go"}, strings.NewReplacer(
		"s.in.ReadString('\\n')\n", "s.in.ReadString('\\n')\n"+
			"\tfor strings.HasPrefix(line, \"0\") && !time.SuiteYoung() {\n\t\tline, err = s.in.ReadString('\\n')\n\t}\n"+
			"\tif strings.HasPrefix(line, \"+\") {\n\t\ttime.SuiteLive()\n\t}\n",
		`fmt.Fprintln(s.out, "LEFT")`, `fmt.Fprintln(s.out, "LEFT"); time.SuiteLive()`), "", 0},
}

var headersOf = strings.NewReplacer("binary.Write(", "writeHeader(")

const writeHeader = `

import (
	"io"
	"unsafe"
)

func writeHeader[T any](w io.Writer, order any, header T) error {
	_, err := w.Write(unsafe.Slice((*byte)(unsafe.Pointer(&header)), unsafe.Sizeof(header)))
	return err
}
`

// FastClock is a variable of the environment that makes the times of package time go on a thousand times as fast in a
// program that Covered has built. A run of a tenth of a second then executes what comes after a minute and a half, in
// the code that asks for the time and wherever else it leads. Timers are as they were. The program does not see the
// variable.
const FastClock = "SUITE_FAST_CLOCK=1000"

// LongLife makes the timers of package time as fast as its clock. If a program has lived for so many ns at its end, its
// coverage profile has reach.LongMark.
var LongLife = fmt.Sprintf("SUITE_LONG_LIFE=%d", Life)

// Life is ten minutes of the time of a program whose clock is fast.
const Life = 600 * time.Millisecond

// Youth is for how long a program executes a benchmark again and again: about as long as a process that takes samples,
// of which later ones may find what earlier ones have left.
const Youth = 250 * time.Millisecond

// YoungFor is a variable of the environment that makes Youth known.
var YoungFor = fmt.Sprintf("SUITE_YOUTH=%d", Youth)

// sleep gives Sleep a body and a symbol of its own. The runtime has a function for the symbol that Sleep had.
const sleep = `
//
//go:linkname Sleep time.suiteSleep
func Sleep(d Duration) { runtimeSleep(suiteNear(d)) }
`

const marksLife = `
func suiteMark(profile *os.File, err error) error {
	if time.SuiteLived() && err == nil {
		_, err = profile.WriteString("` + reach.LongMark + ` 1\n")
	}
	return err
}
`

const fastClock = `

import (
	"syscall"
	_ "unsafe"
)

var (
	suiteTimes, suiteLife = suiteNumber("SUITE_FAST_CLOCK"), suiteNumber("SUITE_LONG_LIFE")
	suiteYouth, suiteStart = suiteNumber("SUITE_YOUTH"), runtimeNano()
)

func suiteNumber(variable string) (n int64) {
	text, _ := syscall.Getenv(variable)
	syscall.Unsetenv(variable)
	for _, digit := range text {
		n = n*10 + int64(digit-'0')
	}
	return n
}

//go:linkname runtimeSleep time.Sleep
func runtimeSleep(d Duration)

// SuiteYoung reports whether the program is in its youth, or in the first half of its life.
func SuiteYoung() bool { return runtimeNano()-suiteStart < max(suiteLife/2, suiteYouth) }

// SuiteLive waits for half of the life of the program at least, until it has lived for as long as it has to.
func SuiteLive() { runtimeSleep(Duration(max(suiteLife/2, suiteStart+suiteLife-runtimeNano()))) }

// SuiteLived reports whether timers are fast, and the program has lived for as long as it has to.
func SuiteLived() bool {
	return suiteLife > 0 && suiteTimes > 0 && runtimeNano()-suiteStart >= suiteLife
}

// suiteNear returns how long a timer of the runtime takes for a duration. A period of 0 would be none.
func suiteNear(d Duration) Duration {
	if d <= 0 || suiteLife == 0 || suiteAhead(runtimeNano()) == 0 {
		return d
	}
	return max(d/Duration(suiteTimes), 1)
}

// suiteAhead returns how much later it is than a clock of the runtime shows. In a bubble of package synctest, years
// after the start, the clock is left as it is.
func suiteAhead(mono int64) int64 {
	since := mono - suiteStart
	if suiteTimes == 0 || since < 0 || since > 1<<50 {
		return 0
	}
	return since * (suiteTimes - 1)
}

func suiteNano() int64 {
	nano := runtimeNano()
	return nano + suiteAhead(nano)
}

func suiteNow(sec int64, nsec int32, mono int64) (int64, int32, int64) {
	ahead := suiteAhead(mono)
	all := int64(nsec) + ahead
	return sec + all/1e9, int32(all % 1e9), mono + ahead
}
`

// ofCounting returns the last arguments of a command that builds a program that counts, with an overlay of what is
// adapted. If the toolchain is not as it is known, go reads its own files: reflect counts as executed, and no clock is
// fast.
func (b *building) ofCounting(last []string) ([]string, error) {
	if !slices.Contains([]string{"amd64", "arm64"}, b.vars["GOARCH"]) { // headers are little-endian
		return last, nil
	}
	seen, shown, err := shownBy(b, last)
	if err != nil {
		return nil, err
	}
	source := filepath.Join(goroot(b), "src")
	dir := filepath.Join(b.Cache, "testing", usercache.Key("counters", source, shown))
	for _, of := range adapted {
		folder := filepath.Join(source, filepath.FromSlash(of.pkg))
		if of.pkg == "testing" && seen.Replace[filepath.Join(folder, "suite.go")] == "" { // it serves nobody
			continue
		}
		files, calls := map[string]string{}, 0
		if of.added != "" {
			files["suite.go"] = "package " + path.Base(of.pkg) + of.added
		}
		for _, name := range of.files {
			own, err := seen.read(filepath.Join(folder, name))
			if err != nil {
				return last, nil
			}
			files[name] = of.replace.Replace(string(own))
			calls += strings.Count(files[name], "suiteN")
		}
		if calls < of.calls {
			return last, nil
		}
		for name, text := range files {
			copied := filepath.Join(dir, path.Base(of.pkg), name)
			if err := put(copied, []byte(text)); err != nil {
				return nil, err
			}
			seen.Replace[filepath.Join(folder, name)] = copied
		}
	}
	usercache.Touch(dir)
	file := filepath.Join(dir, "overlay.json")
	args := []string{"-overlay=" + file}
	for _, arg := range last {
		if !strings.HasPrefix(arg, "-overlay=") {
			args = append(args, arg)
		}
	}
	return args, seen.write(file)
}
