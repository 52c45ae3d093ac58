package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/paths"
	"example.com/suite/internal/usercache"
)

// joinWorkspace makes builds use a copy of go.work that uses our own sources too: a module
// that a workspace uses wins over all required versions. -modfile is not allowed in a
// workspace, and not needed.
func (b *building) joinWorkspace(ctx context.Context, work string, all []pattern) error {
	vendor, err := b.findVendor(filepath.Dir(work), true)
	if err != nil {
		return err
	}
	if vendor.dir != "" {
		return fault("",
			fmt.Sprintf("a host cannot be built from the vendor folder of a workspace, %s, and go build takes "+
				"packages from there", b.tree.place(vendor.dir)),
			"toolchain: {env: {GOFLAGS: -mod=readonly}} builds it from the module cache, or GOWORK: off from the "+
				"module alone")
	}
	b.flags = append(b.flags, "-mod=readonly")
	members, err := b.members(ctx)
	if err != nil {
		return err
	}
	own := ""
	for _, dir := range slices.Sorted(maps.Keys(members)) {
		b.tree.members = append(b.tree.members, dir)
		if members[dir] == suiteModule {
			own = dir
		}
	}
	if moduleRoot(b.tree.root) == "" { // import paths in the folder of go.work: main goes to the first path's module
		b.tree.root = memberOf(all[0].text, members)
		b.tool.dir = b.tree.root
	}
	for _, p := range all {
		if p.base == "" {
			continue
		}
		if _, ok := members[p.root]; !ok {
			return fault(p.text, fmt.Sprintf("%q is in the module of %s, which %s does not use", p.text,
				b.tree.place(filepath.Join(p.root, "go.mod")), b.tree.place(work)),
				"go work use "+shown(b.Dir, p.root))
		}
		if p.root == own { // suite itself is built as it is
			b.path = members[b.tree.root]
			return nil
		}
	}
	b.path = members[b.tree.root]
	if b.path == "" {
		return fault("", fmt.Sprintf("the module in %s is not one that %s uses", shown(b.Dir, b.tree.root),
			b.tree.place(work)), "go work use "+shown(b.Dir, b.tree.root))
	}
	return b.copyWorkspace(ctx, work, own, members)
}

// memberOf finds the folder of the module that contains an import path. It is the first
// module's folder if none does.
func memberOf(importPath string, members map[string]string) (found string) {
	for _, dir := range slices.Sorted(maps.Keys(members)) {
		if found == "" || below(importPath, members[dir]) {
			found = dir
		}
	}
	return found
}

// The members are the modules of the workspace by their folders.
func (b *building) members(ctx context.Context) (map[string]string, error) {
	out, text, err := b.tool.run(ctx, "list", "-m", "-mod=readonly", "-f", "{{.Dir}}\t{{.Path}}")
	if err != nil {
		return nil, b.tree.failed(text, err)
	}
	members := map[string]string{}
	for line := range strings.Lines(out) {
		dir, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		members[dir] = path
	}
	return members, nil
}

// copyWorkspace writes the copy, once for each content, with absolute paths. If the
// workspace uses a suite of its own, ours replaces it.
func (b *building) copyWorkspace(ctx context.Context, work, own string, members map[string]string) error {
	m, err := b.readMod(ctx, "work", work)
	if err != nil {
		return err
	}
	if err := b.oldLine(m.Go, "go.work", "go work edit -go="+goLine); err != nil {
		return err
	}
	source, err := unpack(b.Cache)
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(work + ".sum")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	versions, err := b.versions(ctx, members)
	if err != nil {
		return err
	}
	text := m.workspace(filepath.Dir(work), source, own, versions)
	dir := filepath.Join(b.Cache, "work", usercache.Key(text, string(sum)))
	file := filepath.Join(dir, "go.work")
	if !paths.Exists(file + ".sum") { // go adds to it
		err = put(file+".sum", sum)
	}
	if err == nil {
		err = put(file, []byte(text))
	}
	if err != nil {
		return unwritable(err)
	}
	usercache.Touch(dir)
	b.tree.origin[file] = work
	b.tool.env = append(slices.Clone(b.tool.env), "GOWORK="+file)
	return nil
}

// versions lists the versions of suite that the modules of a workspace require. go
// reads the go.mod of each version although ours wins.
func (b *building) versions(ctx context.Context, members map[string]string) (all []string, err error) {
	for _, dir := range slices.Sorted(maps.Keys(members)) {
		m, err := b.readMod(ctx, "mod", filepath.Join(dir, "go.mod"))
		if err != nil {
			return nil, err
		}
		if v, ok := m.required(suiteModule); ok && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all, nil
}

// workspace writes a copy of the go.work in dir.
func (m modFile) workspace(dir, source, own string, versions []string) string {
	var t strings.Builder
	absolute := func(path string) string {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		return path
	}
	fmt.Fprintf(&t, "go %s\n", newer(m.Go))
	if m.Toolchain != "" {
		fmt.Fprintf(&t, "toolchain %s\n", m.Toolchain)
	}
	for _, g := range m.Godebug {
		fmt.Fprintf(&t, "godebug %s=%s\n", g.Key, g.Value)
	}
	for _, use := range m.Use {
		if path := absolute(use.DiskPath); path != own {
			fmt.Fprintf(&t, "use %q\n", path)
		}
	}
	fmt.Fprintf(&t, "use %q\n", source)
	for _, v := range versions {
		fmt.Fprintf(&t, "replace %s %s => %q\n", suiteModule, v, source)
	}
	for _, r := range m.Replace {
		if r.Old.Path == suiteModule {
			continue
		}
		to := fmt.Sprintf("%q %s", r.New.Path, r.New.Version)
		if r.New.Version == "" {
			to = fmt.Sprintf("%q", absolute(r.New.Path))
		}
		fmt.Fprintf(&t, "replace %s %s => %s\n", r.Old.Path, r.Old.Version, to)
	}
	return t.String()
}
