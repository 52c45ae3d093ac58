package scaffold

import (
	"cmp"
	"runtime/debug"
	"strings"

	"example.com/suite/internal/self"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// SetSource sets where the tool's source is: the text URL@REVISION of a git repository. Without a revision it is the
// one that this program was built from, and without a URL the repository that the module's path leads to. What is not
// known stays empty. version is the version of this program.
func (t *Tool) SetSource(text, version string) {
	at := strings.LastIndex(text, "@")
	switch {
	case at > strings.LastIndexAny(text, "/:"):
		t.Source, t.Revision = text[:at], text[at+1:]
	case text != "":
		t.Source, t.Revision = text, revisionOf(version)
	default:
		if t.Revision = revisionOf(version); t.Revision != "" {
			t.Source = repositoryOf(self.Module)
		}
	}
}

// forges are hosts on which the path of a module is the address of its repository.
var forges = []string{"github.com/", "gitlab.com/", "codeberg.org/", "bitbucket.org/"}

// repositoryOf is the git URL of a module's repository, empty if the path of the module does not have it.
func repositoryOf(path string) string {
	for _, host := range forges {
		if prefix, _, ok := module.SplitPathVersion(path); ok && strings.HasPrefix(path, host) {
			return "https://" + prefix
		}
	}
	return ""
}

// revisionOf is what git calls a version: the tag of a release, the commit that the build has recorded, or the commit
// of a version that the go command made up. It is empty if nothing is known, or the work tree had changes.
func revisionOf(version string) string {
	switch {
	case semver.Build(version) != "": // v0.0.0-…+dirty
		return ""
	case semver.IsValid(version) && !module.IsPseudoVersion(version):
		return version
	}
	commit, err := module.PseudoVersionRev(version)
	if err != nil {
		commit = ""
	}
	return cmp.Or(builtFrom(), commit)
}

// builtFrom is the commit that this program was built from, empty if it is unknown or the work tree had changes.
func builtFrom() (revision string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value != "false":
			return ""
		}
	}
	return revision
}
