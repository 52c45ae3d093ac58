package build

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/lazy"
)

// link builds the program. Whether anything has changed is left to go, which
// knows what a build depends on (cgo headers, embedded files, C flags): given
// the program of last time as its target it looks at all inputs and links
// nothing when they are the same. That takes 0.1 s, a first build with a warm
// compiler cache 1.0 s, a new link alone 0.4 s; go list -deps, to hash all
// files ourselves, would take 0.05 s and know less.
//
// The target is a file of this build alone, and programs are named after their
// content, so that suites that build at once do not see each other.
func (b *building) link(ctx context.Context) (*Program, error) {
	temp, err := os.MkdirTemp(b.slot, "building-")
	if err != nil {
		return nil, unwritable(err)
	}
	defer os.RemoveAll(temp)
	target := filepath.Join(temp, "host")
	if err := b.seed(target); err != nil {
		return nil, unwritable(err)
	}
	overlay := "-overlay=" + filepath.Join(b.slot, "overlay.json")
	args := append([]string{"build"}, b.flags...)
	args = append(args, overlay, "-o", target, b.main)
	if _, text, err := b.tool.run(ctx, args...); err != nil {
		return nil, b.failed(text, err)
	}
	hash, err := hashFile(target)
	if err != nil {
		return nil, unwritable(err)
	}
	p := &Program{Path: filepath.Join(b.slot, programName(hash)), Packages: importPaths(b.packages), Hash: hash, Notes: b.notes,
		linked: linked{request: b, build: []string{"build", b.main}, overlay: []string{overlay}}}
	if p.Cached = exists(p.Path); !p.Cached {
		if err := os.Rename(target, p.Path); err != nil && !exists(p.Path) {
			return nil, unwritable(err)
		}
	}
	touch(p.Path)
	prune(b.Cache, b.slot)
	return p, nil
}

// programName names a program after its content.
func programName(hash string) string {
	name := "host-" + hash[:16]
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// seed makes target a copy of the newest program, if there is one. A copy: go
// may write into its target. One that was damaged since is removed.
func (b *building) seed(target string) error {
	all := programs(b.slot)
	if len(all) == 0 {
		return nil
	}
	newest := all[0]
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
	if err == nil && programName(hex.EncodeToString(sum.Sum(nil))) != filepath.Base(newest) {
		err = errors.Join(os.Remove(target), os.Remove(newest))
	}
	return err
}

// programs lists the programs of a slot, the newest first.
func programs(slot string) []string {
	all := append(entries(slot, "host-"), entries(slot, "test-")...)
	times := map[string]time.Duration{}
	for _, program := range all {
		times[program] = age(program)
	}
	slices.SortFunc(all, func(x, y string) int { return cmp.Compare(times[x], times[y]) })
	return all
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

// What is kept in the cache: 5 MB a program.
const (
	keptPrograms = 3                   // of one slot, and all that are younger than
	keptYoung    = 24 * time.Hour      // which a suite may still be running
	keptIdle     = 30 * 24 * time.Hour // slots and copies of go.mod since their last use
)

// named are folders that are called by a key: nothing else in the cache's
// folder, which the user may have chosen, is ours.
var named = lazy.Regexp(`^[0-9a-f]{32}$`)

// prune removes what has not been used for long. What cannot be removed stays.
func prune(cache, slot string) {
	for i, program := range programs(slot) {
		if i >= keptPrograms && age(program) > keptYoung {
			os.Remove(program)
		}
	}
	for _, left := range entries(slot, "building-") { // by a suite that was killed
		if age(left) > keptYoung {
			os.RemoveAll(left)
		}
	}
	for _, kind := range []string{"source", "mod", "work", "host", "test"} {
		for _, dir := range entries(filepath.Join(cache, kind), "") {
			if named().MatchString(filepath.Base(dir)) && age(dir) > keptIdle {
				os.RemoveAll(dir)
			}
		}
	}
}

// entries lists what a folder holds under names that begin with prefix.
func entries(dir, prefix string) (paths []string) {
	found, _ := os.ReadDir(dir) // unreadable: nothing to use or to remove
	for _, e := range found {
		if strings.HasPrefix(e.Name(), prefix) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// touch marks a file or folder as used now. Without that it is pruned too
// early and made again.
func touch(path string) {
	now := time.Now()
	_ = os.Chtimes(path, now, now)
}

// age is how long ago a file was used; long for one that is gone.
func age(path string) time.Duration {
	info, err := os.Stat(path)
	if err != nil {
		return 1 << 62
	}
	return time.Since(info.ModTime())
}
