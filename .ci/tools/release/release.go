package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// release is a release that is being made.
type release struct {
	*source
	maintainer string
	out        string // the folder of the finished files
	work       string // a folder for all others
	built      map[target][]program
}

// file is a file of an archive: its slash-separated name there, the file that it is a copy of, and its permissions. A
// folder has a name that ends with a slash, and no path.
type file struct {
	name, path string
	mode       fs.FileMode
}

func (f file) isFolder() bool { return strings.HasSuffix(f.name, "/") }

// build is what a release contains for one target.
type build struct {
	target
	programs []program
	files    []file // of the archive, in alphabetical order
}

// name is how the names of the target's files begin.
func (r *release) name(t target) string {
	return fmt.Sprintf("suite_%s_%s_%s", r.plain(), t.system, t.architecture)
}

// make writes all files of the release but the checksums.
func (r *release) make(ctx context.Context, targets []target) error {
	common, err := r.documents()
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "manual pages and completions of suite %s\n", r.version)
	pages, err := r.describeItself(ctx)
	if err != nil {
		return err
	}
	common = append(common, pages...)
	var images []build
	for _, t := range targets {
		fmt.Fprintln(os.Stderr, t)
		b := build{target: t}
		if b.programs, err = r.build(ctx, t); err != nil {
			return err
		}
		terms, err := r.writeNotices(ctx, t, b.programs)
		if err != nil {
			return err
		}
		b.files = append(slices.Clone(common), terms)
		for _, p := range b.programs {
			b.files = append(b.files, file{filepath.Base(p.path), p.path, 0o755})
		}
		slices.SortFunc(b.files, func(x, y file) int { return cmp.Compare(x.name, y.name) })
		if err := r.writeFor(b); err != nil {
			return err
		}
		if t.system == "linux" {
			images = append(images, b)
		}
	}
	if len(images) == 0 {
		return nil
	}
	return r.writeImage(images)
}

// writeFor writes the files of one target.
func (r *release) writeFor(b build) error {
	if err := r.writeArchive(b); err != nil {
		return err
	}
	if err := r.writeBill(b); err != nil {
		return err
	}
	if b.system != "linux" {
		return nil
	}
	return r.writePackages(b)
}

// documents are the texts that every archive has, from the tree.
func (r *release) documents() (files []file, err error) {
	for _, pattern := range []string{"LICENSE", "README.md", "CHANGELOG.md", "docs/*.md",
		"docs/evidence/*.md", "schemas/*.json"} {
		paths, err := filepath.Glob(filepath.Join(r.tree, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("%s has no %s", r.tree, pattern)
		}
		for _, path := range paths {
			name, err := filepath.Rel(r.tree, path)
			if err != nil {
				return nil, err
			}
			files = append(files, file{filepath.ToSlash(name), path, 0o644})
		}
	}
	return files, nil
}

// sums is the name of the file with the checksums, one line for each other file, as sha256sum writes them.
const sums = "SHA256SUMS"

func (r *release) writeChecksums() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, e := range entries {
		sum, err := sha256Of(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s  %s\n", sum, e.Name())
	}
	return os.WriteFile(filepath.Join(r.out, sums), []byte(text.String()), 0o666)
}

// describe lists the files, and prints the checksum by which jobs pin the release.
func (r *release) describe(w io.Writer) error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%11d  %s\n", info.Size(), e.Name())
	}
	sum, err := sha256Of(filepath.Join(r.out, sums))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nsuite %s of commit %.12s is in %s\nJobs pin it by the checksum of %s:\n%s\n", r.version,
		r.commit, r.out, sums, sum)
	if strings.HasPrefix(r.module, "example.com/") {
		fmt.Fprintf(w, "The module path is still %s, which nobody can go install: docs/releasing.md\n", r.module)
	}
	return nil
}

func sha256Of(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
