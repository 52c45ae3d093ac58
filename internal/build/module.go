package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/paths"
	"example.com/suite/internal/usercache"
)

// modFile is a go.mod or go.work as `go mod edit -json` prints it.
type modFile struct {
	Module    struct{ Path string }
	Go        string
	Toolchain string
	Require   []modVersion
	Replace   []struct{ Old, New modVersion }
	Use       []struct{ DiskPath string }
	Godebug   []struct{ Key, Value string }
}

type modVersion struct{ Path, Version string }

// String formats path@version, as go mod edit takes it.
func (v modVersion) String() string {
	if v.Version == "" {
		return v.Path
	}
	return v.Path + "@" + v.Version
}

func (m modFile) required(path string) (string, bool) {
	for _, r := range m.Require {
		if r.Path == path {
			return r.Version, true
		}
	}
	return "", false
}

// prepared describes a copy of go.mod in the cache.
type prepared struct {
	Path  string   // of the module
	Own   bool     // it is suite itself, which is built as it is
	Notes []string // how the copy differs

	Vendored bool // it is built from its vendor folder
}

// joinModule makes builds use a copy of go.mod and go.sum in which suite is replaced with
// our own sources. A copy is made once for each content, in 0.1 s.
func (b *building) joinModule(ctx context.Context) error {
	mod, err := paths.ReadRegular(filepath.Join(b.tree.root, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := paths.ReadRegular(filepath.Join(b.tree.root, "go.sum"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	source, err := unpack(b.Cache)
	if err != nil {
		return err
	}
	b.vendor, err = b.findVendor(b.tree.root, false)
	if err != nil {
		return err
	}
	root := b.tree.root // to which replacements with folders are relative
	if b.vendor.dir == "" && !bytes.Contains(mod, []byte("replace")) {
		root = "" // trees of one module share a copy
	}
	dir := filepath.Join(b.Cache, "mod", usercache.Key(root, string(mod), string(sum), source,
		b.vendor.dir, b.vendor.text))
	if _, err := os.Stat(filepath.Join(dir, "prepared.json")); err != nil {
		if err := b.prepare(ctx, dir, source, mod, sum); err != nil {
			return err
		}
	}
	return b.usePrepared(dir)
}

func (b *building) usePrepared(dir string) error {
	text, err := paths.ReadRegular(filepath.Join(dir, "prepared.json"))
	if err != nil {
		return unwritable(err)
	}
	var p prepared
	if err := json.Unmarshal(text, &p); err != nil {
		return unwritable(err)
	}
	usercache.Touch(dir)
	b.path, b.notes = p.Path, p.Notes
	b.flags = append(b.flags, "-mod=readonly") // overrides GOFLAGS, so that nothing is written
	if !p.Own {
		b.flags = append(b.flags, "-modfile="+b.tree.copied(dir))
	}
	if p.Vendored {
		b.overlay = filepath.Join(dir, "overlay.json")
		b.flags = append(b.flags, "-overlay="+b.overlay)
	}
	return nil
}

// prepare makes the copy in a temporary folder, which gets its final name when it is
// complete: another suite may prepare the same copy.
func (b *building) prepare(ctx context.Context, dir, source string, mod, sum []byte) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return unwritable(err)
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		return unwritable(err)
	}
	defer os.RemoveAll(temp) // does nothing if it was renamed
	file := b.tree.copied(temp)
	if err := put(file, mod); err != nil {
		return unwritable(err)
	}
	p, err := b.edit(ctx, file, source, sum)
	if err != nil {
		return err
	}
	if p.Vendored {
		if err := b.vendor.overlay(temp, dir); err != nil {
			return unwritable(err)
		}
	}
	text, err := json.Marshal(p)
	if err == nil {
		err = put(filepath.Join(temp, "prepared.json"), text)
	}
	if err != nil {
		return unwritable(err)
	}
	if err := os.Rename(temp, dir); err != nil && !paths.Exists(filepath.Join(dir, "prepared.json")) {
		return unwritable(err)
	}
	return nil
}

// edit puts suite's sources into a copy of go.mod, and their sums into the copy of go.sum
// next to it.
func (b *building) edit(ctx context.Context, file, source string, sum []byte) (prepared, error) {
	m, err := b.readMod(ctx, "mod", file)
	if err != nil {
		return prepared{}, err
	}
	p := prepared{Path: m.Module.Path, Own: m.Module.Path == suiteModule}
	if p.Own {
		return p, nil
	}
	if err := b.oldLine(m.Go, "go.mod", "suite init --go makes a module of its own for benchmarks; or go mod edit -go="+
		goLine); err != nil {
		return p, err
	}
	args := []string{"mod", "edit", "-go=" + newer(m.Go)}
	p.Vendored = b.vendor.dir != ""
	if p.Vendored {
		if err := b.consistent(ctx); err != nil {
			return p, err
		}
		args = append(args, b.vendor.replacements(m)...)
	}
	args = append(args, "-replace="+suiteModule+"="+source) // in place of all other replacements
	if _, ok := m.required(suiteModule); !ok {
		args = append(args, "-require="+suiteModule+"@v0.0.0")
		p.Notes = append(p.Notes,
			fmt.Sprintf("go.mod does not require %s, which the host is built with all the same; editors and go vet "+
				"want it: go mod edit -require=%s@v0.0.0, and a go.work that replaces it with a clone",
				suiteModule, suiteModule))
	}
	before, listed := m.required(sysModule)
	if !listed {
		args = append(args, "-require="+sysModule+"@"+sysVersion)
	}
	if _, text, err := b.tool.run(ctx, append(args, file)...); err != nil {
		return p, b.tree.failed(text, err)
	}
	if len(sum) > 0 && sum[len(sum)-1] != '\n' {
		sum = append(sum, '\n')
	}
	if err := put(strings.TrimSuffix(file, ".mod")+".sum", append(sum, sourceSum...)); err != nil {
		return p, unwritable(err)
	}
	var seen []string
	if p.Vendored {
		if err := b.vendor.overlay(filepath.Dir(file), filepath.Dir(file)); err != nil {
			return p, unwritable(err)
		}
		seen = []string{"-overlay=" + filepath.Join(filepath.Dir(file), "overlay.json")}
	}
	after, err := b.settle(ctx, file, seen)
	if listed && after != before {
		p.Notes = append(p.Notes,
			fmt.Sprintf("the host is built with %s %s, as its timing code needs it; go.mod says %s",
				sysModule, after, before))
	}
	return p, err
}

// settle lets go adjust the versions in a copy, and returns the version of x/sys: ours may
// be above the version that the user's module requires, and below the one that another
// module requires. It loads no package of the user, so go looks for no new module; asking
// for a package of x/sys makes go add the module's sum. seen are flags that show go other
// files.
func (b *building) settle(ctx context.Context, file string, seen []string) (string, error) {
	flags := append([]string{"-mod=mod", "-modfile=" + file}, seen...)
	// Without a network this may fail to find a go.mod that nothing else reads.
	if _, _, err := b.tool.run(ctx, slices.Concat([]string{"list", "-m"}, flags,
		[]string{"all"})...); ctx.Err() != nil {
		return "", err
	}
	out, text, err := b.tool.run(ctx, slices.Concat([]string{"list", "-find"}, flags,
		[]string{"-f", "{{.Module.Version}}", sysModule + "/" + sysPackage})...)
	if err != nil {
		err = b.tree.failed(text, err)
		if e := new(Error); errors.As(err, &e) && strings.Contains(text, sysModule) {
			// the module of the user may not require it
			e.Problems[0].Message = fmt.Sprintf("hosts need the module %s: %s", sysModule, e.Problems[0].Message)
			e.Problems[0].Hint = fmt.Sprintf("with a network, once: go mod download %s@%s", sysModule, sysVersion)
		}
		return "", err
	}
	return strings.TrimSpace(out), nil
}

// newer raises the go line of a copy: 1.26 becomes 1.26.0, the same language, which go
// treats as newer.
func newer(line string) string {
	if version.Compare("go"+line, "go"+goLine) < 0 {
		return goLine
	}
	return line
}

// oldLine refuses a language version older than suite's: raising it could change the
// meaning of the user's code.
func (b *building) oldLine(line, file, mend string) error {
	if line == "" {
		line = "1.16" // go's default
	}
	if version.Compare(version.Lang("go"+line), version.Lang("go"+goLine)) >= 0 {
		return nil
	}
	return fault("", fmt.Sprintf("%s says go %s, and %s needs go %s", b.tree.place(filepath.Join(b.tree.root, file)),
		line, suiteModule, goLine),
		fmt.Sprintf("in %s: %s", shown(b.Dir, b.tree.root), mend))
}

// readMod reads a go.mod ("mod") or go.work ("work").
func (b *building) readMod(ctx context.Context, kind, file string) (m modFile, err error) {
	out, text, err := b.tool.run(ctx, kind, "edit", "-json", file)
	if err != nil {
		return m, b.tree.failed(text, err)
	}
	return m, json.Unmarshal([]byte(out), &m)
}
