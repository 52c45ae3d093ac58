package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/paths"
	"example.com/suite/internal/usercache"
)

// link builds the program. go decides whether anything has changed, because it knows what a
// build depends on (cgo headers, embedded files, C flags): with the last program as its
// target it checks all inputs and links nothing if they are the same. That takes 0.1 s; a
// first build with a warm compiler cache takes 1.0 s, a new link alone 0.4 s. Hashing all
// files ourselves with go list -deps would take 0.05 s and miss some inputs.
//
// The target is a file of this build alone, and programs are named after their content, so
// that suites that build at the same time do not disturb each other.
func (b *building) link(ctx context.Context) (*Program, error) {
	overlay := "-overlay=" + filepath.Join(b.slot, "overlay.json")
	made, err := b.binary(ctx, "host", []string{"build"}, overlay, b.main)
	if err != nil {
		return nil, err
	}
	return &Program{Path: made.path, Packages: importPaths(b.packages), Hash: made.hash,
		Cached: made.cached, Notes: b.notes,
		linked: linked{request: b, build: []string{"build", b.main}, overlay: []string{overlay}, program: made.path,
			graph: made.graph}}, nil
}

// binary is a program in the cache, a host or a test binary.
type binary struct {
	path   string
	hash   string // sha256, hexadecimal
	cached bool   // a program with the same content was in the cache
	graph  []byte // of its build
}

// binary builds a program and puts it into the slot, under a name that depends on its content.
// It runs go with command, the flags of the request, the target, and last.
func (b *building) binary(ctx context.Context, kind string, command []string, last ...string) (made binary, err error) {
	temp, err := os.MkdirTemp(b.slot, "building-")
	if err != nil {
		return made, unwritable(err)
	}
	defer os.RemoveAll(temp)
	target := filepath.Join(temp, kind)
	if err := seed(b.slot, target, kind); err != nil {
		return made, unwritable(err)
	}
	graph, text, err := b.tool.build(ctx, temp, slices.Concat(command, b.lean(), []string{"-o", target}), last)
	if err != nil {
		return made, b.tree.failed(text, err)
	}
	made, err = keep(b.Cache, b.slot, target, kind)
	made.graph = graph
	return made, err
}

// lean are the flags of the request, and an option of the linker, unless GOFLAGS has some.
func (b *building) lean() []string {
	flags, err := b.linkedWith(leaner)
	if err != nil {
		return b.flags
	}
	return flags
}

// keep moves a program that was built to its slot.
func keep(cache, slot, target, kind string) (made binary, err error) {
	made.hash, err = hashFile(target)
	if err != nil {
		return made, unwritable(err)
	}
	made.path = filepath.Join(slot, binaryName(kind, made.hash))
	made.cached = paths.Exists(made.path)
	if !made.cached {
		if err := os.Rename(target, made.path); err != nil && !paths.Exists(made.path) {
			return made, unwritable(err)
		}
	}
	usercache.Touch(made.path)
	prune(cache, slot)
	return made, nil
}

func binaryName(kind, hash string) string {
	name := kind + "-" + hash[:16]
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// seed copies the newest program of a slot to target, if there is one. It must be a copy, because go
// may write into its target. A damaged program, whose content does not have its name, is
// removed.
func seed(slot, target, kind string) error {
	all := programs(slot)
	if len(all) == 0 {
		return nil
	}
	newest := all[0].Path
	in, err := os.Open(newest)
	if errors.Is(err, os.ErrNotExist) { // removed by another suite
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, sum), in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err == nil && binaryName(kind, hex.EncodeToString(sum.Sum(nil))) != filepath.Base(newest) {
		err = errors.Join(os.Remove(target), os.Remove(newest))
	}
	return err
}

// programs lists the programs of a slot, the newest first.
func programs(slot string) []usercache.Entry { return usercache.Entries(slot, isProgram) }

func isProgram(e fs.DirEntry) bool {
	return strings.HasPrefix(e.Name(), "host-") || strings.HasPrefix(e.Name(), "test-")
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// What is kept in the cache, with 5 MB for a program. Programs of the last day may still be running.
var (
	keptPrograms = usercache.Limit{Most: 3, Age: 24 * time.Hour} // of one slot
	keptBuilding = usercache.Limit{Age: 24 * time.Hour}
	keptFolders  = usercache.Limit{Age: 30 * 24 * time.Hour} // slots and copies of go.mod
)

// prune removes what has not been used for long.
func prune(cache, slot string) {
	keptPrograms.Prune(slot, isProgram)
	// by a suite that was killed
	keptBuilding.Prune(slot, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), "building-") })
	for _, kind := range []string{"source", "mod", "work", "host", "test", "testing", "linker", "archives", "split"} {
		keptFolders.Prune(filepath.Join(cache, kind), func(e fs.DirEntry) bool { return usercache.IsKey(e.Name()) })
	}
}
