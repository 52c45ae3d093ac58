package build

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/usercache"
)

// adapted are the packages of the toolchain of which a program that counts contains other code: files, what of these
// is replaced, and a file that is added.
//
// Three packages write what coverage has counted, and do so by package reflect. Headers have no gaps, and a slice of
// bytes is formatted without reflect, so what is counted of package reflect then belongs to the program. Package time
// gets a clock that can run faster.
var adapted = []struct {
	pkg     string
	files   []string
	replace *strings.Replacer
	added   string
	calls   int // of what is added, if it has to be known
}{
	{"internal/coverage/encodemeta", []string{"encode.go", "encodefile.go"}, headersOf, writeHeader, 0},
	{"internal/coverage/encodecounter", []string{"encode.go"}, headersOf, writeHeader, 0},
	{"internal/coverage/cfile", []string{"emit.go"}, strings.NewReplacer(
		"coverage.MetaFilePref, metaHash)", "coverage.MetaFilePref, metaHash[:])",
		"coverage.CounterFilePref, metaHash, ", "coverage.CounterFilePref, metaHash[:], "), "", 0},
	{"time", []string{"time.go"}, strings.NewReplacer(
		"sec, nsec, mono := runtimeNow()", "sec, nsec, mono := suiteNow(runtimeNow())",
		"sec, nsec, mono := now()", "sec, nsec, mono := suiteNow(now())", // Go 1.24
		"subMono(runtimeNano()-startNano, ", "subMono(suiteNano()-startNano, ",
		", runtimeNano()-startNano)", ", suiteNano()-startNano)"), fastClock, 3},
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

const fastClock = `

import "syscall"

var suiteTimes, suiteStart = func() (times, start int64) {
	text, _ := syscall.Getenv("SUITE_FAST_CLOCK")
	syscall.Unsetenv("SUITE_FAST_CLOCK")
	for _, digit := range text {
		times = times*10 + int64(digit-'0')
	}
	return times, runtimeNano()
}()

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
	shown := ""
	for _, flag := range slices.Concat(b.flags, last) {
		if file, ok := strings.CutPrefix(flag, "-overlay="); ok {
			shown = file
		}
	}
	seen, err := readOverlay(shown)
	if err != nil {
		return nil, err
	}
	goroot := b.vars["GOROOT"]
	for _, entry := range b.tool.env { // see apart
		if link, ok := strings.CutPrefix(entry, "GOROOT="); ok {
			goroot = link
		}
	}
	source := filepath.Join(goroot, "src")
	dir := filepath.Join(b.Cache, "testing", usercache.Key("counters", source, shown))
	for _, of := range adapted {
		folder := filepath.Join(source, filepath.FromSlash(of.pkg))
		files, calls := map[string]string{}, 0
		if of.added != "" {
			files["suite.go"] = "package " + path.Base(of.pkg) + of.added
		}
		for _, name := range of.files {
			own, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				return last, nil
			}
			files[name] = of.replace.Replace(string(own))
			calls += strings.Count(files[name], "suiteN")
		}
		if calls < of.calls {
			continue
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
