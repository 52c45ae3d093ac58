package build

import (
	"bytes"
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/usercache"
)

// inside is a file that package testing gets in test binaries, so that benchmarks can be run again and again in one
// process.
//
//go:embed inside/inside.go
var inside []byte

// Two more files let it ask valgrind, on one kind of processor.
var (
	//go:embed inside/count_amd64.go
	countGo []byte
	//go:embed inside/count_amd64.s
	countAssembly []byte
)

// calls are put into benchmark.go of package testing, each at a place that has to be there exactly once, in place of
// what its first group matches. They stay on the lines that are there. Each expression begins with a text, by which it
// is looked for: all of them take 1 ms, and 50 ms if they begin with ^.
var calls = []struct {
	at   func() *regexp.Regexp
	call string
}{
	{lazy.Regexp(`(?m)\n\t\tbenchFunc: func\(b \*B\) \{\n\t\t\tfor _, Benchmark := range (bs) \{$`),
		"served.order(b, bs, benchmarks)"},
	{lazy.Regexp(`(?m)\nfunc \(\w+ \*benchState\) processBench\(b \*B\) \{()$`),
		" if served.serve(b) { return }"},
	{lazy.Regexp(`(?m)\nfunc \(b \*B\) runN\(n int\) \{(?:\n\t?.*)*?\n\t(runtime\.GC\(\))$`), "served.begin()"},
	{lazy.Regexp(`(?m)\n\t(b\.benchFunc\(b\))\n\tb\.StopTimer\(\)$`), "served.run(b)"},
	{lazy.Regexp(`(?m)\n\tserved\.run\(b\)\n\tb\.StopTimer\(\)()$`), "; served.end()"},
	{lazy.Regexp(`(?m)\nfunc \(b \*B\) StartTimer\(\) \{(?:\n\t.*)*?\n\t\tb\.timerOn = true()$`),
		"; served.started()"},
	{lazy.Regexp(`(?m)\nfunc \(b \*B\) RunParallel\(body func\(\*PB\)\) \{()$`), " served.shares()"},
	{lazy.Regexp(`(?m)\nfunc \(b \*B\) StopTimer\(\) \{\n\tif b\.timerOn \{()$`), " served.stops()"},
	{lazy.Regexp(`(?m)\nfunc \(b \*B\) ResetTimer\(\) \{(?:\n\t.*)*?\n\tb\.netBytes = 0()$`), "; served.reset()"},
}

// needs is what the file uses of package testing, as its source declares it.
var needs = []func() *regexp.Regexp{
	lazy.Regexp(`\n\tsignal +chan bool\b`),
	lazy.Regexp(`\n\toutput +\[\]byte\b`),
	lazy.Regexp(`\n\tfailed +bool\b`),
	lazy.Regexp(`\n\tskipped +bool\b`),
	lazy.Regexp(`\n\tw +io\.Writer\b`),
	lazy.Regexp(`\n\tbenchTime +durationOrCountFlag\b`),
	lazy.Regexp(`\n\tduration +time\.Duration\b`),
	lazy.Regexp(`\n\tcpuList +\[\]int\b`),
	lazy.Regexp(`\nfunc runBenchmarks\(.*, benchmarks \[\]InternalBenchmark\) `),
	lazy.Regexp(`\n\tbstate +\*benchState\b`),
	lazy.Regexp(`\n\tmatch +\*matcher\b`),
	lazy.Regexp(`\nfunc newMatcher\(matchString func\(pat, str string\) \(bool, error\), ` +
		`patterns, name, skips string\) \*matcher `),
	lazy.Regexp(`(?m)\n\tfilter +filterMatch$`),
	lazy.Regexp(`(?m)\n\tmatches\(name \[\]string, matchString func\(pat, str string\) \(bool, error\)\) ` +
		`\(ok, partial bool\)$`),
	lazy.Regexp(`(?m)\n\tverify\(name string, matchString func\(pat, str string\) \(bool, error\)\) error$`),
	lazy.Regexp(`\nvar memStats runtime\.MemStats\b`),
	lazy.Regexp(`\nfunc \(r BenchmarkResult\) mbPerSec\(\) float64 `),
}

// serving makes the test binaries of a request able to stay: it lets go read a benchmark.go of package testing with
// nine calls in it, and more files. If package testing is not as it is known, or the system has no pipes to
// inherit, the binaries are the ones of go test.
func (b *building) serving(goroot, modules string) error {
	if runtime.GOOS == "windows" || goroot == "" {
		return nil
	}
	if _, fetched := paths.Within(paths.Real(modules), paths.Real(goroot)); fetched {
		link, err := b.apart(goroot)
		if err != nil {
			return unwritable(err)
		}
		goroot = link
	}
	folder := filepath.Join(goroot, "src", "testing")
	own, err := os.ReadFile(filepath.Join(folder, "benchmark.go"))
	if err != nil {
		return nil // go reports what is wrong with its own files
	}
	var others []byte
	for _, name := range []string{"testing.go", "match.go"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil
		}
		others = append(others, text...)
	}
	changed, ok := withCalls(own, others)
	if !ok {
		return nil
	}
	files := map[string][]byte{"benchmark.go": changed}
	key := []string{folder, string(changed)}
	for _, added := range []struct {
		name string
		text []byte
	}{{"suite.go", inside}, {"suite_amd64.go", countGo}, {"suite_amd64.s", countAssembly}} {
		_, files[added.name], _ = bytes.Cut(added.text, []byte("\n")) // without its constraint
		key = append(key, string(files[added.name]))
	}
	dir := filepath.Join(b.Cache, "testing", usercache.Key(key...))
	file := filepath.Join(dir, "overlay.json")
	seen := overlay{map[string]string{}}
	for name, text := range files {
		copied := filepath.Join(dir, name)
		if err := put(copied, text); err != nil {
			return unwritable(err)
		}
		seen.Replace[filepath.Join(folder, name)] = copied
	}
	if err := seen.write(file); err != nil {
		return unwritable(err)
	}
	usercache.Touch(dir)
	b.flags, b.serves = append(b.flags, "-overlay="+file), true
	return nil
}

// apart makes a name for a toolchain that go has fetched itself, and lets go be run under it: go shows nothing in place
// of files in its module cache, where these toolchains are.
func (b *building) apart(goroot string) (link string, err error) {
	dir := filepath.Join(b.Cache, "toolchain", usercache.Key(goroot))
	link = filepath.Join(dir, filepath.Base(goroot))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if err := os.Symlink(goroot, link); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	usercache.Touch(dir)
	b.tool.path = filepath.Join(link, "bin", "go")
	b.tool.env = append(slices.Clone(b.tool.env), "GOROOT="+link, "GOTOOLCHAIN=local")
	return link, nil
}

// withCalls returns benchmark.go of package testing with the calls, and false if one of them has no place, or several,
// or if package testing lacks what is needed.
func withCalls(own, others []byte) ([]byte, bool) {
	for _, need := range needs {
		if !need().Match(own) && !need().Match(others) {
			return nil, false
		}
	}
	text := string(own)
	for _, c := range calls {
		places := c.at().FindAllStringSubmatchIndex(text, -1)
		if len(places) != 1 {
			return nil, false
		}
		from, to := places[0][2], places[0][3]
		text = text[:from] + c.call + text[to:]
	}
	return []byte(text), true
}
