package build

import (
	"bytes"
	"embed"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"example.com/suite/bench"
	"example.com/suite/internal/atomicfile"
	"example.com/suite/internal/benchcase"
	"example.com/suite/internal/histogram"
	"example.com/suite/internal/orphan"
	"example.com/suite/internal/scratch"
	"example.com/suite/internal/self"
	"example.com/suite/internal/units"
	"example.com/suite/internal/usercache"
	"example.com/suite/peg"
	"example.com/suite/peg/pegfile"
	"example.com/suite/runner/host"
	"example.com/suite/stats"
	"example.com/suite/timer"
)

// The module that hosts are built against. It contains only the packages of suite that a
// host imports, so that suite's own dependencies stay out of the user's build.
var (
	suiteModule = self.Module
	benchPath   = suiteModule + "/bench"
	sourceMod   = "module " + suiteModule + "\n\ngo " + goLine + "\n\nrequire " + sysModule + " " + sysVersion + "\n"
)

const (
	sysModule  = "golang.org/x/sys"
	sysVersion = "v0.49.0"
	goLine     = "1.26.0" // the go line of x/sys
	sourceSum  = sysModule + " " + sysVersion + " h1:XbzkgYJHdqh/8m2Uu0W/dQv8nktxx4BFHp1M0gROTXA=\n" +
		sysModule + " " + sysVersion + "/go.mod h1:hNLxWAXmnKAxqDtdwIYC4bM9oQPEecfsnNMuSxOs3og=\n"
)

// sysPackage is the package of sysModule that hosts import on this system.
var sysPackage = map[bool]string{true: "windows", false: "unix"}[runtime.GOOS == "windows"]

// embedded contains the packages of that module.
var embedded = map[string]embed.FS{
	"bench":              bench.Source,
	"internal/benchcase": benchcase.Source,
	"internal/histogram": histogram.Source,
	"internal/orphan":    orphan.Source,
	"internal/scratch":   scratch.Source,
	"internal/units":     units.Source,
	"peg":                peg.Source,
	"peg/pegfile":        pegfile.Source,
	"runner/host":        host.Source,
	"stats":              stats.Source,
	"timer":              timer.Source,
}

// importable lists the packages of that module that user code may import.
func importable() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(embedded)) {
		if !strings.HasPrefix(name, "internal/") {
			names = append(names, name)
		}
	}
	return names
}

// sources has the files of the module by their slash paths, without tests, and a hash
// of them all.
var sources = sync.OnceValues(func() (map[string][]byte, string) {
	files := map[string][]byte{"go.mod": []byte(sourceMod), "go.sum": []byte(sourceSum)}
	for dir, tree := range embedded {
		_ = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, _ error) error { // embedded: nothing fails
			if !d.IsDir() && !strings.HasSuffix(name, "_test.go") {
				files[dir+"/"+name], _ = tree.ReadFile(name)
			}
			return nil
		})
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		parts = append(parts, name, string(files[name]))
	}
	return files, usercache.Key(parts...)
})

// unpack writes the module to the cache, once per content, and returns its
// folder. Files that were changed since are written again.
func unpack(cache string) (string, error) {
	files, hash := sources()
	dir := filepath.Join(cache, "source", hash)
	defer usercache.Touch(dir)
	for name, text := range files {
		if err := put(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return "", unwritable(err)
		}
	}
	return dir, nil
}

// put writes text to a file. It replaces the file in one step, so that a build
// in another process never sees half of it. A file that already contains text is
// left alone, so that its modification time stays.
func put(file string, text []byte) error {
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(file, text, 0o600)
}
