package main

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// writePackages writes the packages for the package managers of Linux. The programs are static, so a package depends on
// nothing.
func (r *release) writePackages(b build) error {
	for _, format := range []string{"deb", "rpm", "apk"} {
		packager, err := nfpm.Get(format)
		if err != nil {
			return err
		}
		info := nfpm.WithDefaults(&nfpm.Info{
			Name: "suite", Arch: b.architecture, Platform: b.system, Version: r.version,
			Release: release1[format], MTime: r.date,
			Section: "devel", Maintainer: r.maintainer, Homepage: r.homepage(), License: licence,
			Description:     summary + "\n" + description,
			DisableGlobbing: true,
			Overridables: nfpm.Overridables{
				Contents: installed(b.files), Umask: 0o022,
				RPM: nfpm.RPM{BuildHost: "localhost", Summary: summary},
			},
		})
		switch format {
		case "apk": // its package manager has no words for what is only of use
			info.Description = summary
		case "rpm":
			info.Description = description
			fallthrough
		default:
			info.Recommends = []string{"git"}                    // --against
			info.Suggests = []string{golang[format], "valgrind"} // Go benchmarks; instructions
		}
		if err := nfpm.PrepareForPackager(info, format); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
		name := filepath.Join(r.out, packager.ConventionalFileName(info))
		if err := create(name, func(w io.Writer) error { return packager.Package(info, w) }); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
	}
	return nil
}

// The packages' description of suite, in a line and in a paragraph.
const (
	summary     = "Declarative benchmark suites with verdicts that can be trusted"
	description = `Measures Go functions and commands that a YAML file declares, compares them
with another revision in pairs, and judges gates.`
)

// licence is suite's own licence, in the words of SPDX.
const licence = "Apache-2.0"

// release1 is the first package of a version, and golang the package with Go, in the words of each package manager.
var (
	release1 = map[string]string{"deb": "1", "rpm": "1", "apk": "0"}
	golang   = map[string]string{"deb": "golang-go", "rpm": "golang"}
)

// installed maps the files of an archive to their places in a system.
func installed(all []file) (contents files.Contents) {
	for _, f := range all {
		to := place(f.name)
		if to == "" {
			continue
		}
		contents = append(contents, &files.Content{Source: f.path, Destination: to,
			FileInfo: &files.ContentFileInfo{Mode: f.mode}})
	}
	return contents
}

// place is where a file of an archive is installed, empty if it is not.
func place(name string) string {
	const share = "/usr/share/"
	base := path.Base(name)
	switch dir, _, below := strings.Cut(name, "/"); {
	case !below && slices.Contains([]string{"suite", "suite-push"}, name):
		return "/usr/bin/" + name
	case name == "LICENSE":
		return share + "doc/suite/copyright" // where Debian's users look
	case dir == "man":
		return share + "man/man1/" + base
	case base == "suite.bash":
		return share + "bash-completion/completions/suite"
	case base == "_suite":
		return share + "zsh/site-functions/_suite"
	case base == "suite.fish":
		return share + "fish/vendor_completions.d/suite.fish"
	case dir == "completions":
		return "" // of a shell of another system
	case dir == "schemas":
		return share + "suite/" + name
	}
	return share + "doc/suite/" + name
}
