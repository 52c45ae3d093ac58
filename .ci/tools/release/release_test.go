package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// repository is the root of this repository.
const repository = "../../.."

// commitAll makes a repository of the files in a folder, with one commit, whose hash depends on the files alone, and a tag.
func commitAll(t *testing.T, dir, tag string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "all"}, {"tag", tag}} {
		git(t, dir, args...)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.fsync=none", "-c", "core.compression=0"}, args...)...) // it is soon removed
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_AUTHOR_DATE=2001-02-03T04:05:06Z", "GIT_COMMITTER_DATE=2001-02-03T04:05:06Z")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, text)
	}
}

// copyTree copies this repository as it is now, with what is not committed, and tags the copy.
func copyTree(t *testing.T, tag string) string {
	t.Helper()
	dir := t.TempDir()
	list := must(output(t.Context(), repository, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"))(t)
	for name := range strings.SplitSeq(strings.TrimRight(list, "\x00"), "\x00") {
		from, to := filepath.Join(repository, name), filepath.Join(dir, name)
		info, err := os.Lstat(from)
		if os.IsNotExist(err) { // removed, and not committed
			continue
		}
		if err != nil || os.MkdirAll(filepath.Dir(to), 0o777) != nil {
			t.Fatal(err)
		}
		if info.Mode().Type() != 0 {
			t.Fatalf("%s is neither a file nor a folder", name)
		}
		if err := os.WriteFile(to, must(os.ReadFile(from))(t), info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	commitAll(t, dir, tag)
	return dir
}

// must returns a value, and fails the test if there is an error.
func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// This takes fifteen seconds, because the programs are linked twice and compressed ten times: the files are made from two trees
// in different folders, and each package is installed.
func TestRelease(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("packages are installed and run where their programs run: linux/amd64")
	}
	t.Setenv("SOURCE_DATE_EPOCH", "")
	out, again := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "out")
	failed := make(chan error, 2)
	for _, out := range []string{out, again} {
		tree := copyTree(t, "v1.2.3")
		go func() {
			failed <- makeRelease(t.Context(), io.Discard, request{tree: tree, out: out, targets: []string{"linux/amd64"}})
		}()
	}
	if err := errors.Join(<-failed, <-failed); err != nil {
		t.Fatal(err)
	}
	t.Run("the same bytes again", func(t *testing.T) {
		for _, e := range must(os.ReadDir(out))(t) {
			one, other := must(os.ReadFile(filepath.Join(out, e.Name())))(t), must(os.ReadFile(filepath.Join(again, e.Name())))(t)
			if !bytes.Equal(one, other) {
				t.Errorf("%s differs", e.Name())
			}
		}
	})
	t.Run("checksums", func(t *testing.T) {
		files := strings.Count(must(output(t.Context(), out, nil, needs(t, "sha256sum"), "-c", sums))(t), ": OK")
		if all := len(must(os.ReadDir(out))(t)); files != all-1 || files != 6 {
			t.Errorf("%d of %d files have checksums, want all but %s", files, all, sums)
		}
	})
	t.Run("archive", func(t *testing.T) {
		root := t.TempDir()
		unpack(t, root, nil, "tar", "-xzf", filepath.Join(out, "suite_1.2.3_linux_amd64.tar.gz"))
		top := filepath.Join(root, "suite_1.2.3_linux_amd64")
		runs(t, filepath.Join(top, "suite"), filepath.Join(top, "suite-push"))
		exist(t, top, "LICENSE", "README.md", "docs/ci.md", "man/suite-run.1", "completions/_suite", notices)
	})
	t.Run("deb", func(t *testing.T) {
		root := t.TempDir()
		admin := filepath.Join(root, "var/lib/dpkg")
		for _, dir := range []string{"info", "updates"} {
			if err := os.MkdirAll(filepath.Join(admin, dir), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(admin, "status"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		unpack(t, root, nil, "dpkg", "--root="+root, "--force-not-root", "--log=/dev/null", "--install", filepath.Join(out, "suite_1.2.3-1_amd64.deb"))
		installedRuns(t, root, "usr/bin")
		exist(t, root, packaged...)
		unpack(t, root, nil, "dpkg", "--root="+root, "--force-not-root", "--log=/dev/null", "--remove", "suite")
		if _, err := os.Stat(filepath.Join(root, "usr/bin/suite")); err == nil {
			t.Error("the package was removed, and its program is still there")
		}
	})
	t.Run("rpm", func(t *testing.T) {
		if os.Getuid() != 0 {
			t.Skip("not tested, because rpm installs for root alone")
		}
		root := t.TempDir()
		unpack(t, root, nil, "rpm", "--root="+root, "--nodeps", "--install", "--quiet", filepath.Join(out, "suite-1.2.3-1.x86_64.rpm"))
		installedRuns(t, root, "usr/bin")
		exist(t, root, packaged...)
	})
	t.Run("rpm, unpacked", func(t *testing.T) {
		needs(t, "cpio")
		root := t.TempDir()
		// rpm2cpio copies everything, and then ends with 1: rpmpack 0.7.1 writes the size of the files where it looks for the size
		// of the archive. cpio notices if something is missing. The names are absolute.
		content, _ := exec.Command(needs(t, "rpm2cpio"), filepath.Join(out, "suite-1.2.3-1.x86_64.rpm")).Output()
		unpack(t, root, content, "cpio", "-idm", "--quiet", "--no-absolute-filenames")
		installedRuns(t, root, "usr/bin")
		exist(t, root, packaged...)
	})
	t.Run("apk", func(t *testing.T) {
		root := t.TempDir()
		unpack(t, root, nil, "tar", "--warning=no-unknown-keyword", "-xzf", filepath.Join(out, "suite_1.2.3-r0_x86_64.apk"))
		installedRuns(t, root, "usr/bin")
		exist(t, root, packaged...)
		if about := string(must(os.ReadFile(filepath.Join(root, ".PKGINFO")))(t)); !strings.Contains(about, "\npkgver = 1.2.3-r0\narch = x86_64\n") {
			t.Errorf("the package says of itself:\n%s", about)
		}
	})
	t.Run("image", func(t *testing.T) { imageRuns(t, filepath.Join(out, "suite_1.2.3_image.tar")) })
	t.Run("bill", func(t *testing.T) { billIsComplete(t, out) })
}

// packaged are some files of every package.
var packaged = []string{"usr/share/man/man1/suite-run.1", "usr/share/bash-completion/completions/suite", "usr/share/zsh/site-functions/_suite",
	"usr/share/fish/vendor_completions.d/suite.fish", "usr/share/doc/suite/copyright", "usr/share/doc/suite/" + notices, "usr/share/suite/schemas/suite.schema.json"}

// needs is the path of a program without which a test is skipped.
func needs(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("not tested, because there is no program %s here: %v", name, err)
	}
	return path
}

// unpack runs a program that fills a folder.
func unpack(t *testing.T, dir string, input []byte, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(needs(t, name), args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(input)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, text)
	}
}

func exist(t *testing.T, root string, names ...string) {
	t.Helper()
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(root, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty: %v", name, err)
		}
	}
}

// runs starts both programs. The first words of a command may be another program that starts them.
func runs(t *testing.T, suite, push string, before ...string) {
	t.Helper()
	for path, want := range map[string]string{suite: "suite version v1.2.3, " + runtime.Version() + ", linux/amd64", push: "suite-push version v1.2.3"} {
		command := append(slices.Clone(before), path, "--version")
		if text := must(output(t.Context(), ".", nil, command[0], command[1:]...))(t); text != want {
			t.Errorf("%v prints %q, want %q", command, text, want)
		}
	}
}

// installedRuns starts the programs in a root of its own, where that is allowed, and otherwise where they are. folder is where they are in
// the root.
func installedRuns(t *testing.T, root, folder string) {
	t.Helper()
	if exec.Command("chroot", root, "/"+folder+"/suite", "--version").Run() == nil {
		runs(t, "/"+folder+"/suite", "/"+folder+"/suite-push", "chroot", root)
		return
	}
	if os.Getuid() == 0 {
		t.Log("run outside of their root, because chroot fails here")
	}
	runs(t, filepath.Join(root, folder, "suite"), filepath.Join(root, folder, "suite-push"))
}

// imageRuns unpacks the image as an engine does, from the index to the layers, and runs what its configuration says.
func imageRuns(t *testing.T, path string) {
	blobs := t.TempDir()
	unpack(t, blobs, nil, "tar", "-xf", path)
	read := func(d v1.Descriptor, v any) {
		t.Helper()
		if err := json.Unmarshal(must(os.ReadFile(filepath.Join(blobs, "blobs/sha256", d.Digest.Hex)))(t), v); err != nil {
			t.Fatal(err)
		}
	}
	var index, images v1.IndexManifest
	var manifest v1.Manifest
	var config v1.ConfigFile
	if err := json.Unmarshal(must(os.ReadFile(filepath.Join(blobs, "index.json")))(t), &index); err != nil {
		t.Fatal(err)
	}
	read(index.Manifests[0], &images)
	read(images.Manifests[0], &manifest)
	read(manifest.Config, &config)
	root := t.TempDir()
	for _, layer := range manifest.Layers {
		unpack(t, root, nil, "tar", "-xzf", filepath.Join(blobs, "blobs/sha256", layer.Digest.Hex))
	}
	if len(config.Config.Entrypoint) != 1 || config.Architecture != "amd64" || config.Config.Labels["org.opencontainers.image.version"] != "v1.2.3" {
		t.Fatalf("the image has the configuration %+v", config)
	}
	if info := must(os.Stat(filepath.Join(root, "tmp")))(t); info.Mode()&(os.ModeSticky|0o777) != os.ModeSticky|0o777 {
		t.Errorf("tmp has the mode %v", info.Mode())
	}
	installedRuns(t, root, strings.TrimPrefix(filepath.Dir(config.Config.Entrypoint[0]), "/"))
}

// billIsComplete fails the test unless the bill has each module that the go command finds in the programs, with a licence and the checksum, and
// the checksums of the programs.
func billIsComplete(t *testing.T, out string) {
	var bill cdx.BOM
	if err := cdx.NewBOMDecoder(bytes.NewReader(must(os.ReadFile(filepath.Join(out, "suite_1.2.3_linux_amd64.cdx.json")))(t)), cdx.BOMFileFormatJSON).Decode(&bill); err != nil {
		t.Fatal(err)
	}
	components := map[string]cdx.Component{}
	for _, c := range *bill.Components {
		components[c.Name] = c
		if c.Licenses == nil {
			t.Errorf("%s has no licence", c.Name)
		}
	}
	root := t.TempDir()
	unpack(t, root, nil, "tar", "-xzf", filepath.Join(out, "suite_1.2.3_linux_amd64.tar.gz"), "--strip-components=1")
	found := 0
	for _, name := range []string{"suite", "suite-push"} {
		if sum := must(sha256Of(filepath.Join(root, name)))(t); (*components[name].Hashes)[0].Value != sum {
			t.Errorf("the checksum of %s is wrong", name)
		}
		for line := range strings.Lines(must(output(t.Context(), root, nil, "go", "version", "-m", name))(t)) {
			if words := strings.Fields(line); len(words) == 4 && words[0] == "dep" {
				found++
				if c := components[words[1]]; c.PackageURL != "pkg:golang/"+words[1]+"@"+words[2] {
					t.Errorf("%s contains %s %s, and the bill has %+v", name, words[1], words[2], c)
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d modules were found", found)
	}
}

// Nothing is made of what cannot be released, and the message has what to do.
func TestWrongInputs(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "")
	tree := func(tags ...string) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/suite\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		commitAll(t, dir, "last-friday")
		for _, tag := range tags {
			git(t, dir, "tag", tag)
		}
		return dir
	}
	dirty := tree("v1.2.3")
	if err := os.WriteFile(filepath.Join(dirty, "new.go"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, tree, out, epoch, target string
		message, hint                  string // parts of them; no hint: it is no mistake of the command line
	}{
		{name: "no tag", tree: tree(), message: "has no tag such as v1.2.3", hint: "--snapshot"},
		{name: "two tags", tree: tree("v1.2.3", "v1.2.4"), message: "has several versions: v1.2.3, v1.2.4", hint: "git tag --delete"},
		{name: "no version", tree: tree("v1.2", "1.2.3", "v1.02.3"), message: "has no tag such as v1.2.3", hint: "git tag v1.2.3"},
		{name: "changes", tree: dirty, message: "the tree has changes that no commit has, 1 files: ?? new.go", hint: "--snapshot"},
		{name: "a major version", tree: tree("v2.0.0"), message: "the go command takes no v2.0.0 of a module whose path is example.com/suite", hint: "ends with /v2"},
		{name: "a system", tree: tree("v1.2.3"), target: "plan9/amd64", message: `no release for the system "plan9/amd64"`, hint: "linux/amd64, linux/arm64"},
		{name: "a time", tree: tree("v1.2.3"), epoch: "today", message: `SOURCE_DATE_EPOCH="today" is no time`, hint: "date +%s"},
		{name: "a full folder", tree: tree("v1.2.3"), out: full, message: "is not empty", hint: "new folder"},
		{name: "a folder that cannot be made", tree: tree("v1.2.3"), out: filepath.Join(full, "mine", "out"), message: "not a directory"},
		{name: "no repository", tree: full, message: "go.mod: no such file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("SOURCE_DATE_EPOCH", test.epoch)
			out := test.out
			if out == "" {
				out = filepath.Join(t.TempDir(), "out")
			}
			var targets []string
			if test.target != "" {
				targets = []string{test.target}
			}
			err := makeRelease(t.Context(), io.Discard, request{tree: test.tree, out: out, targets: targets})
			if err == nil || !strings.Contains(err.Error(), test.message) {
				t.Fatalf("the error is %v, want %q", err, test.message)
			}
			wrong, is := err.(*usageError)
			if is != (test.hint != "") || is && !strings.Contains(wrong.hint, test.hint) {
				t.Errorf("the error is %#v, want the hint %q", err, test.hint)
			}
			if test.out == "" {
				if _, err := os.Stat(out); err == nil {
					t.Error("the folder of the files was made")
				}
			}
		})
	}
}

// A folder below .bin is made anew, and every name of a system that the help lists is taken.
func TestTargets(t *testing.T) {
	all := must(parseTargets(names(systems)))(t)
	if fmt.Sprint(all) != fmt.Sprint(systems) {
		t.Errorf("%v are taken as %v", systems, all)
	}
	if twice := must(parseTargets([]string{"linux/arm64", "linux/arm64"}))(t); len(twice) != 1 {
		t.Errorf("a system that is named twice is released as %v", twice)
	}
}
