package build

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/usercache"
)

// emitters are the packages of the toolchain that write what coverage has counted, their files that do so by package
// reflect, and what of these is replaced: headers have no gaps, and a slice of bytes is formatted without reflect. What
// is counted of package reflect then belongs to the program.
var emitters = []struct {
	pkg     string
	files   []string
	replace *strings.Replacer
	headers bool // it gets writeHeader
}{
	{"internal/coverage/encodemeta", []string{"encode.go", "encodefile.go"}, headersOf, true},
	{"internal/coverage/encodecounter", []string{"encode.go"}, headersOf, true},
	{"internal/coverage/cfile", []string{"emit.go"}, strings.NewReplacer(
		"coverage.MetaFilePref, metaHash)", "coverage.MetaFilePref, metaHash[:])",
		"coverage.CounterFilePref, metaHash, ", "coverage.CounterFilePref, metaHash[:], "), false},
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

// withoutReflection returns the last arguments of a command that builds a binary, with an overlay in which coverage is
// written without package reflect. If the toolchain is not as it is known, go reads its own files, and reflect counts
// as executed.
func (b *building) withoutReflection(last []string) ([]string, error) {
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
	for _, of := range emitters {
		folder := filepath.Join(source, filepath.FromSlash(of.pkg))
		files := map[string]string{}
		if of.headers {
			files["suite.go"] = "package " + path.Base(of.pkg) + writeHeader
		}
		for _, name := range of.files {
			own, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				return last, nil
			}
			files[name] = of.replace.Replace(string(own))
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
