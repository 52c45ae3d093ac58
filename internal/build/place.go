package build

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"example.com/suite/internal/usercache"
)

// On amd64 the linker starts functions at multiples of 32 bytes. Whether one starts at a multiple of 64 too, as a line of
// the cache does, depends on the sizes of all functions before it, so a change of one function moves others by half a line. For
// some loops that decides 15 % of their time, far more than the changes that are looked for.
//
// Where data are within a page decides how many instructions Go's assembly executes: strings.Index compares byte by byte if
// what it looks for is in the last 16 bytes of a page, which is four times as many, and a string or a type that is added
// anywhere moves all that come after it.
//
// No option of the linker says where in a line functions start, or in a page data. Therefore go's own linker is built once
// more with two lines added, which say it. Without the variables it links what go links, and it is used only after it has
// linked the same program, byte for byte.
const (
	// startVariable is where functions start: so many times their alignment after a multiple of 64 bytes.
	startVariable = "SUITE_FUNCTION_START"
	linkerSource  = "src/cmd/link/internal/ld/data.go"
	// alignedAddress is where the linker aligns the address of a function.
	alignedAddress = "\tva = uint64(Rnd(int64(va), int64(align)))\n\tif sect.Align < align {\n"
	placedAddress  = "\tva = suitePlaced(va, align, sect)\n"
	// dataVariable is by how many bytes data are moved, each kind of data by another multiple.
	dataVariable = "SUITE_DATA_START"
	// alignedData is where the linker gives one of the data of a kind its address.
	alignedData = "\t\tstate.datsize = aligner(state, state.datsize, s)\n"
	movedData   = "\t\tstate.datsize += suiteMoved(ldr, syms, s)\n"
	placement   = `
var suiteData, _ = strconv.Atoi(os.Getenv("` + dataVariable + `"))

// suiteMoved returns how many bytes are left out before one of the data of a kind. The first ones stay, because they may have
// to be aligned, and constants of a program do not.
func suiteMoved(ldr *loader.Loader, syms []loader.Sym, s loader.Sym) int64 {
	const page = 4096
	if suiteData == 0 || len(syms) < 2 || s != syms[1] {
		return 0
	}
	switch kind := ldr.SymType(s); kind {
	case sym.SGOSTRING, sym.SGOSTRINGRELRO, sym.SRODATA, sym.SRODATARELRO, sym.SNOPTRDATA, sym.SDATA, sym.SNOPTRBSS, sym.SBSS:
		return int64(suiteData) * (2*int64(kind) + 1) % page
	}
	return 0
}

var suiteStart, errSuiteStart = strconv.Atoi(os.Getenv("` + startVariable + `"))

// suitePlaced returns from where on the next function that is aligned starts at the wanted place.
// The first symbol of a section stays where it is: the section starts with it.
func suitePlaced(va uint64, align int32, sect *sym.Section) uint64 {
	const line = 64
	if errSuiteStart != nil || align >= line || va == sect.Vaddr {
		return va
	}
	sect.Align = max(sect.Align, line) // if another linker puts the section somewhere
	start := int64(suiteStart) * int64(align) % line
	return uint64(Rnd(int64(va)-start, line) + start)
}
`
)

// building linkers one at a time keeps two trees from building the same one.
var linkers sync.Mutex

// placing returns how the linker that says where functions start links the program. The error says why there is none.
func (r *relink) placing(ctx context.Context, b *building) (*relink, error) {
	linkers.Lock()
	defer linkers.Unlock()
	root, _, found := strings.Cut(filepath.ToSlash(r.argv[0]), "/pkg/tool/")
	if !found {
		return nil, errors.New("the linker is in no folder of a release of Go")
	}
	source := filepath.Join(root, filepath.FromSlash(linkerSource))
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, err
	}
	release, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err != nil {
		return nil, err
	}
	changed := string(text)
	for at, line := range map[string]string{alignedAddress: placedAddress, alignedData: movedData} {
		if strings.Count(changed, at) != 1 {
			return nil, errors.New("the linker of this release of Go is not known")
		}
		changed = strings.Replace(changed, at, line+at, 1)
	}
	changed += placement
	folder := filepath.Join(b.Cache, "linker", usercache.Key(root, string(release), changed))
	linker := filepath.Join(folder, filepath.Base(r.argv[0]))
	if _, err := os.Stat(linker); err != nil {
		if err := b.buildLinker(ctx, root, source, changed, linker); err != nil {
			return nil, err
		}
	}
	usercache.Touch(folder)
	p := *r
	p.argv, p.places = slices.Concat([]string{linker}, r.argv[1:]), true
	return &p, nil
}

// buildLinker builds a linker with one changed source, in 3 s.
func (b *building) buildLinker(ctx context.Context, root, source, changed, target string) error {
	folder := filepath.Dir(target)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(folder, "building-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	overlay, _ := json.Marshal(map[string]map[string]string{"Replace": {source: filepath.Join(temp, "data.go")}})
	for name, text := range map[string]string{"data.go": changed, "overlay.json": string(overlay)} {
		if err := os.WriteFile(filepath.Join(temp, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	built := filepath.Join(temp, filepath.Base(target))
	env := []string{"GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0", "GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH}
	here := tool{path: filepath.Join(root, "bin", filepath.Base(b.tool.path)), dir: filepath.Join(root, "src", "cmd"),
		env: slices.Concat(b.tool.env, env)}
	if _, text, err := here.run(ctx, "build", "-trimpath", "-overlay", filepath.Join(temp, "overlay.json"), "-o", built,
		"cmd/link"); err != nil {
		return errors.Join(err, errors.New(text))
	}
	return os.Rename(built, target)
}
