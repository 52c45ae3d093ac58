package build

import (
	"cmp"
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
)

// vendored is a module with packages in a vendor folder, as modules.txt lists it.
type vendored struct {
	path, version string
	goLine        string // of its go.mod; empty: unknown
	packages      int
}

// vendoring is a vendor folder from which go build would take packages.
type vendoring struct {
	dir     string // absolute; empty: there is none
	text    string // of modules.txt
	modules []vendored
}

// findVendor finds the vendor folder next to a go.mod or go.work, if go build uses it:
// modules.txt marks the vendor folder of a workspace, and -mod=mod and -mod=readonly in
// GOFLAGS switch vendoring off.
func (b *building) findVendor(root string, workspace bool) (v vendoring, err error) {
	for _, flag := range strings.Fields(b.vars["GOFLAGS"]) {
		mode, is := strings.CutPrefix(strings.TrimLeft(flag, "-'\""), "mod=")
		if is && strings.TrimRight(mode, "'\"") != "vendor" {
			return v, nil
		}
	}
	dir := filepath.Join(root, "vendor")
	text, err := os.ReadFile(filepath.Join(dir, "modules.txt"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return v, err
	}
	if !paths.IsFolder(dir) || strings.HasPrefix(string(text), "## workspace") != workspace {
		return v, nil
	}
	return vendoring{dir, string(text), readModules(string(text))}, nil
}

// readModules reads modules.txt: "# path version" begins a module, lines with "##" describe
// it, and others are its packages. A replacement of all versions, repeated at the end, has
// no version.
func readModules(text string) (all []vendored) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "#" && len(words) >= 3 && words[2] != "=>":
			all = append(all, vendored{path: words[1], version: words[2]})
		case len(all) == 0 || words[0] == "#":
		case words[0] == "##":
			if _, line, ok := strings.Cut(line, "; go "); ok {
				all[len(all)-1].goLine = strings.TrimSpace(line)
			}
		default:
			all[len(all)-1].packages++
		}
	}
	return slices.DeleteFunc(all, func(m vendored) bool { return m.packages == 0 })
}

// goMod makes a folder in the vendor folder a module. Its packages need no module that
// the user's go.mod does not name.
func (m vendored) goMod() string {
	text := "module " + m.path + "\n"
	if m.goLine != "" {
		text += "\ngo " + m.goLine + "\n"
	}
	return text
}

func (v *vendoring) at(m vendored) string { return filepath.Join(v.dir, filepath.FromSlash(m.path)) }

// consistent checks that the vendor folder matches go.mod, as go build does.
func (b *building) consistent(ctx context.Context) error {
	if _, text, err := b.tool.run(ctx, "list", "-m", "-mod=vendor"); err != nil {
		return b.tree.failed(text, err)
	}
	return nil
}

// hasSys reports whether a module is a golang.org/x/sys with which hosts can be built: a
// vendor folder has only the packages that the user's code imports.
func (v *vendoring) hasSys(m vendored) bool {
	return m.path == sysModule && !oldSys(m.version) && paths.IsFolder(filepath.Join(v.at(m), sysPackage))
}

// oldSys reports whether a version of x/sys is older than the one that hosts need. Versions
// between releases count as old.
func oldSys(v string) bool {
	one := func(v string) string { return "go" + strings.TrimPrefix(v, "v") }
	return version.Compare(one(v), one(sysVersion)) < 0
}

// replacements has the arguments of go mod edit that build a module from its vendor
// folder: each module in the folder replaces the original, and modules that are not in
// it are not needed by the build.
func (v *vendoring) replacements(m modFile) (args []string) {
	for _, r := range m.Replace {
		if r.Old.Path != sysModule || slices.ContainsFunc(v.modules, v.hasSys) {
			args = append(args, "-dropreplace="+r.Old.String())
		}
	}
	for _, r := range m.Require {
		here := slices.ContainsFunc(v.modules, func(m vendored) bool { return m.path == r.Path })
		if !here && r.Path != suiteModule && r.Path != sysModule {
			args = append(args, "-droprequire="+r.Path)
		}
	}
	for _, one := range v.modules {
		if one.path == sysModule && oldSys(one.version) {
			args = append(args, "-require="+sysModule+"@"+sysVersion)
		}
		if one.path == suiteModule || one.path == sysModule && !v.hasSys(one) {
			continue
		}
		name := one.path + "@" + one.version
		args = append(args, "-require="+name, "-replace="+name+"="+v.at(one))
	}
	return args
}

// overlay writes go.mod files for the modules in the vendor folder, which has none, to a
// folder of the cache, and the overlay that shows them to go. named is what the folder will
// be called.
func (v *vendoring) overlay(dir, named string) error {
	seen := overlay{map[string]string{}}
	for i, m := range v.modules {
		file := fmt.Sprintf("vendored-%d.mod", i)
		if err := put(filepath.Join(dir, file), []byte(m.goMod())); err != nil {
			return err
		}
		seen.Replace[filepath.Join(v.at(m), "go.mod")] = filepath.Join(named, file)
	}
	return seen.write(filepath.Join(dir, "overlay.json"))
}

// overlay is what go reads in place of files, in the format of its option -overlay.
type overlay struct{ Replace map[string]string }

func (o overlay) write(file string) error {
	text, err := json.Marshal(o)
	if err == nil {
		err = put(file, text)
	}
	return err
}

// read reads a file as go does.
func (o overlay) read(file string) ([]byte, error) { return os.ReadFile(cmp.Or(o.Replace[file], file)) }

// readOverlay reads what write wrote. An empty name means an empty overlay.
func readOverlay(file string) (o overlay, err error) {
	if file == "" {
		return overlay{map[string]string{}}, nil
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	return o, err
}
