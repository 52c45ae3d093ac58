package scaffold

import (
	"cmp"
	"context"
	_ "embed" // for the templates
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/shellword"
	"example.com/suite/spec"
)

var (
	//go:embed templates/github.yml
	gitHubJob string
	//go:embed templates/gitlab.yml
	gitLabJob string
	//go:embed templates/Jenkinsfile
	jenkinsJob string
)

// Systems are the CI systems for which Job writes a job.
var Systems = []string{"github", "gitlab", "jenkins"}

// goRelease is the release of Go with which jobs build suite.
const goRelease = "1.26"

// JobOptions are what a job depends on.
type JobOptions struct {
	System string
	Suites []string // suite files, slash-separated and relative to the top of the repository
	Branch string   // into which pull requests are merged
	Tool   Tool
}

// Tool is where a job finds suite, unless the machine of the job has it. If nothing is set, the job prints that it is
// missing.
type Tool struct {
	Archive  string // URL of the archive of a release; empty: the job builds suite
	SHA256   string // of that archive, in hexadecimal digits
	Source   string // git URL of suite's repository
	Revision string // in that repository; empty: the newest
}

// Job makes the file with the job for the repository at top. next is what has to be
// done so that the CI system finds it, empty if nothing has.
func Job(top string, o JobOptions) (file File, next string) {
	fill := strings.NewReplacer("@SUITES@", shellword.Join(o.Suites), "@BRANCH@",
		quotedYAML(o.Branch), "@GO@", goRelease,
		"@ARCHIVE@", o.Tool.Archive, "@SHA256@", o.Tool.SHA256, "@SOURCE@", o.Tool.Source, "@REVISION@",
		cmp.Or(o.Tool.Revision, "HEAD"))
	switch o.System {
	case "github":
		return File{".github/workflows/benchmarks.yml", fill.Replace(gitHubJob)}, ""
	case "gitlab":
		if isThere(top, ".gitlab-ci.yml") {
			const path = ".gitlab/benchmarks.yml"
			return File{path, fill.Replace(gitLabJob)}, "add to .gitlab-ci.yml: include: [{local: " + path + "}]"
		}
		return File{".gitlab-ci.yml", fill.Replace(gitLabJob)}, ""
	}
	file = File{"Jenkinsfile", fill.Replace(jenkinsJob)}
	if isThere(top, file.Path) {
		file.Path = "benchmarks.Jenkinsfile"
		return file, "make a multibranch pipeline whose script path is " + file.Path
	}
	return file, "make a multibranch pipeline for this repository"
}

func isThere(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// sha256 matches a checksum as sha256sum prints it.
var sha256 = lazy.Regexp(`^[0-9a-f]{64}$`)

// hostAlone matches a path that begins with the name of a host, as in github.com/OWNER/suite.
// git clone would take it for a folder.
var hostAlone = lazy.Regexp(`^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/`)

// Check fails if there is something that cannot be put into a job, or an archive that the job could not check.
func (t Tool) Check() error {
	const source, archive = "--source https://github.com/OWNER/suite@COMMIT",
		"--archive https://HOST/suite_1.2.3_linux_amd64.tar.gz --sha256 SUM, both from the page of a release"
	for _, text := range []string{t.Source, t.Revision} {
		if !isPlain(text) {
			return diag.Hinted(fmt.Sprintf("%q is no URL of a git repository, and no revision", text), source)
		}
	}
	switch {
	case hostAlone().MatchString(t.Source):
		return diag.Hinted(fmt.Sprintf("%q has no https:// or ssh:// in front", t.Source), source)
	case t.Archive == "" && t.SHA256 == "":
		return nil
	case t.Archive == "" || t.SHA256 == "":
		return diag.Hinted("an archive and its checksum belong together: the job runs nothing that it has not checked",
			archive)
	case !isPlain(t.Archive) || !strings.HasPrefix(t.Archive, "https://") && !strings.HasPrefix(t.Archive, "http://"):
		return diag.Hinted(fmt.Sprintf("%q is no URL of an archive", t.Archive), archive)
	case !strings.HasSuffix(t.Archive, ".tar.gz"):
		return diag.Hinted(fmt.Sprintf("%q is no tar.gz, which jobs unpack", t.Archive), archive)
	case !sha256().MatchString(t.SHA256):
		return diag.Hinted(fmt.Sprintf("%q is no SHA-256 checksum, which has 64 digits of 0-9 and a-f", t.SHA256),
			"copy it from the line of the archive in SHA256SUMS")
	}
	return nil
}

// isPlain reports whether a text can be written between quotation marks in the files of all systems, and is no option
// of a program.
func isPlain(text string) bool {
	return !strings.ContainsAny(text, "\"'\\$`\n ") && !strings.HasPrefix(text, "-")
}

func quotedYAML(text string) string {
	if plainWord(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// Top finds the folder of the git repository that dir belongs to, and dir's
// slash-separated path in it. Without a repository the top is dir itself.
func Top(ctx context.Context, dir string) (top, inside string, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", "", err
	}
	out, err := gitOutput(ctx, dir, "rev-parse", "--show-prefix")
	if err != nil {
		return dir, "", nil
	}
	inside = strings.TrimSuffix(out, "/")
	top = dir
	if inside != "" {
		for range strings.Split(inside, "/") {
			top = filepath.Dir(top)
		}
	}
	return top, inside, nil
}

// DefaultBranch is the branch into which changes are merged: the branch that origin's
// HEAD names, else main or master, whichever exists, else the current branch. There may
// be no repository.
func DefaultBranch(ctx context.Context, dir string) (name string, isRepository bool) {
	if _, err := gitOutput(ctx, dir, "rev-parse", "--git-dir"); err != nil {
		return "main", false
	}
	if out, err := gitOutput(ctx, dir, "symbolic-ref", "--short", "refs/remotes/origin/HEAD"); err == nil {
		return strings.TrimPrefix(out, "origin/"), true
	}
	for _, name := range []string{"main", "master"} {
		for _, ref := range []string{"refs/heads/", "refs/remotes/origin/"} {
			if _, err := gitOutput(ctx, dir, "show-ref", "--verify", "--quiet", ref+name); err == nil {
				return name, true
			}
		}
	}
	if out, err := gitOutput(ctx, dir, "symbolic-ref", "--short", "HEAD"); err == nil {
		return out, true
	}
	return "main", true
}

func gitOutput(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// SuiteFiles lists the suite files in a folder and in the folders for the module of
// benchmarks, slash-separated and relative to it.
func SuiteFiles(dir string) (all []string, err error) {
	for _, folder := range append([]string{"."}, moduleFolders...) {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if isSuiteFile(filepath.Join(dir, folder, e.Name()), e.Name()) {
				all = append(all, path.Join(folder, e.Name()))
			}
		}
	}
	return all, nil
}

func isSuiteFile(file, name string) bool {
	ending := strings.ToLower(path.Ext(name))
	if ending != ".yaml" && ending != ".yml" || name[0] == '.' || name == accept.FileName {
		return false
	}
	is, err := spec.IsSuite(file)
	return is && err == nil
}
