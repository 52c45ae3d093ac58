package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// download is what a server has in the place of an archive, and what becomes of it.
type download struct {
	name   string
	body   []byte // empty: there is no such file
	cut    bool   // the connection ends before the body does
	pinned string // the checksum in the job
	fails  string // a part of the message; empty: the programs are unpacked
}

// The folder of a release with programs that print a word, as .ci/release writes it.
const releasedFolder = "suite_1.2.3_linux_amd64/"

// downloads are an archive as it has to be, and everything that may be in its place.
func downloads(t *testing.T) []download {
	t.Helper()
	archive := func(word string) []byte {
		var b bytes.Buffer
		compressed := gzip.NewWriter(&b)
		files := tar.NewWriter(compressed)
		for _, name := range []string{"README.md", "man/suite.1", "suite", "suite-push"} {
			text := "#!/bin/sh\necho " + word + "\n"
			if err := files.WriteHeader(&tar.Header{Name: releasedFolder + name, Size: int64(len(text)), Mode: 0o755}); err != nil {
				t.Fatal(err)
			}
			if _, err := files.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if files.Close() != nil || compressed.Close() != nil {
			t.Fatal("a buffer cannot be written")
		}
		return b.Bytes()
	}
	sum := func(body []byte) string { return fmt.Sprintf("%x", sha256.Sum256(body)) }
	good, evil := archive("good"), archive("evil")
	return []download{
		{name: "the archive", body: good, pinned: sum(good)},
		{name: "another archive", body: evil, pinned: sum(good), fails: "sha256"},
		{name: "a part of the archive", body: good[:len(good)/2], pinned: sum(good), fails: "sha256"},
		{name: "an interrupted download", body: good, cut: true, pinned: sum(good), fails: "curl: "},
		{name: "no such release", pinned: sum(good), fails: "404"},
		{name: "a page that says so", body: []byte("<html>Not found"), pinned: sum(good), fails: "sha256"},
		{name: "no checksum", body: good, fails: "sha256"},
		{name: "the beginning of the checksum", body: good, pinned: sum(good)[:12], fails: "sha256"},
	}
}

// serve starts a server with this archive, and returns its URL.
func (d download) serve(t *testing.T, path string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case len(d.body) == 0 || r.URL.Path != path:
			http.NotFound(w, r)
		case d.cut:
			w.Header().Set("Content-Length", fmt.Sprint(len(d.body)))
			_, _ = w.Write(d.body[:len(d.body)/2]) // the test looks at what curl has
		default:
			_, _ = w.Write(d.body)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// check fails the test unless the programs are in the folder if and only if they may be there.
func (d download) check(t *testing.T, folder string, status int, printed string) {
	t.Helper()
	if d.fails == "" {
		if text := in(t, folder, filepath.Join(folder, "suite")); status != 0 || text != "good" {
			t.Errorf("exit status %d, and suite prints %q:\n%s", status, text, printed)
		}
		return
	}
	if status == 0 || !strings.Contains(printed, d.fails) {
		t.Errorf("exit status %d, want another one and a message with %q:\n%s", status, d.fails, printed)
	}
	for _, name := range []string{"suite", "suite-push"} {
		if _, err := os.Lstat(filepath.Join(folder, name)); err == nil {
			t.Errorf("%s is there, and nothing has checked it", name)
		}
	}
}

// needsCurl skips a test of scripts that download.
func needsCurl(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the job runs on Linux")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skipf("the job needs curl: %v", err)
	}
	t.Setenv("no_proxy", "127.0.0.1")
}

// withoutSuite leaves in PATH what jobs need to download, so not suite, which the tests have there.
func withoutSuite(t *testing.T) {
	t.Helper()
	bin := t.TempDir()
	for _, program := range []string{"bash", "curl", "sha256sum", "tar", "gzip", "mkdir", "rm", "git"} {
		path, err := exec.LookPath(program)
		if err != nil {
			t.Skipf("jobs need %s: %v", program, err)
		}
		if err := os.Symlink(path, filepath.Join(bin, program)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
}

// installScripts are the scripts of a job that install suite, for the job that measures and the job that comments. They install it
// in a folder.
func installScripts(t *testing.T, system, origin, folder string) (scripts []string) {
	t.Helper()
	switch system {
	case "github":
		for _, job := range []string{"benchmarks", "comment"} {
			steps, _ := workflowSteps(t, filepath.Join(origin, ".github", "workflows", "benchmarks.yml"), job)
			at := slices.IndexFunc(steps, func(s workflowStep) bool { return s.Name == "Install suite" })
			scripts = append(scripts, steps[at].Run)
		}
	case "gitlab":
		var jobs map[string]struct{ Script []string }
		unmarshalFile(t, filepath.Join(origin, ".gitlab-ci.yml"), &jobs)
		for _, job := range []string{"benchmarks", "benchmarks-comment"} {
			at := slices.IndexFunc(jobs[job].Script, func(s string) bool { return strings.Contains(s, "SUITE_ARCHIVE") })
			scripts = append(scripts, strings.ReplaceAll(jobs[job].Script[at], "/tmp/suite", folder))
		}
	case "jenkins":
		text := readFile(t, filepath.Join(origin, "Jenkinsfile"))
		script := regexp.MustCompile(`(?s)\n *if command -v suite;.*?\n *fi\n`).FindString(text)
		scripts = append(scripts, strings.ReplaceAll(script, ".tools", folder))
	}
	return scripts
}

func TestActionDownloads(t *testing.T) {
	needsCurl(t)
	var a action
	unmarshalFile(t, filepath.Join(repository, "action.yml"), &a)
	at := slices.IndexFunc(a.Runs.Steps, func(s workflowStep) bool { return s.ID == "download" })
	if at < 0 {
		t.Fatal("action.yml has no step download")
	}
	run := func(t *testing.T, d download, system, archive string) (status int, printed, folder string) {
		temp := t.TempDir()
		folder = filepath.Join(temp, "suite")
		if err := os.Mkdir(folder, 0o777); err != nil { // as the step before does
			t.Fatal(err)
		}
		kind, machine, _ := strings.Cut(system, "-")
		j := newJob(t, temp, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
		maps.Copy(j.env, map[string]string{"RUNNER_TEMP": temp, "RUNNER_OS": kind, "RUNNER_ARCH": machine, "VERSION": "v1.2.3",
			"SHA256": d.pinned, "RELEASES": d.serve(t, "/v1.2.3/suite_1.2.3_"+archive)})
		status, printed = j.run(a.Runs.Steps[at].Run)
		return status, printed, folder
	}
	onLinux := func(t *testing.T, d download, system string) {
		status, printed, folder := run(t, d, system, "linux_amd64.tar.gz")
		if d.fails != "" && !strings.Contains(printed, "::error title=suite::") {
			t.Errorf("there is no annotation:\n%s", printed)
		}
		d.check(t, folder, status, printed)
	}
	for _, d := range downloads(t) {
		t.Run(d.name, func(t *testing.T) { onLinux(t, d, "Linux-X64") })
	}
	t.Run("a zip file", func(t *testing.T) {
		if _, err := exec.LookPath("unzip"); err != nil {
			t.Skipf("the step needs unzip for Windows: %v", err)
		}
		var b bytes.Buffer
		files := zip.NewWriter(&b)
		for _, name := range []string{"README.md", "suite.exe", "suite-push.exe"} {
			if _, err := files.Create("suite_1.2.3_windows_amd64/" + name); err != nil {
				t.Fatal(err)
			}
		}
		if err := files.Close(); err != nil {
			t.Fatal(err)
		}
		d := download{body: b.Bytes(), pinned: fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))}
		status, printed, folder := run(t, d, "Windows-X64", "windows_amd64.zip")
		if _, err := os.Stat(filepath.Join(folder, "suite.exe")); err != nil || status != 0 {
			t.Errorf("%v, exit status %d:\n%s", err, status, printed)
		}
	})
	good := downloads(t)[0]
	several := good
	several.pinned = strings.Repeat("0", 64) + "\n" + good.pinned + "\n"
	t.Run("several systems", func(t *testing.T) { onLinux(t, several, "Linux-X64") })
	unknown := good
	unknown.fails = "No release has programs for Linux-RISCV64"
	t.Run("an unknown system", func(t *testing.T) { onLinux(t, unknown, "Linux-RISCV64") })
	missing := good
	missing.fails = "suite_1.2.3_darwin_arm64.tar.gz cannot be downloaded"
	t.Run("a release without this system", func(t *testing.T) { onLinux(t, missing, "macOS-ARM64") })
}

// The jobs of suite init download with the scripts that they build with.
func TestJobsDownload(t *testing.T) {
	needsCurl(t)
	for _, system := range []string{"github", "gitlab", "jenkins"} {
		origin := jobRepository(t, system)
		for _, d := range downloads(t) {
			t.Run(system+"/"+d.name, func(t *testing.T) {
				temp := t.TempDir()
				folder := filepath.Join(temp, "bin")
				withoutSuite(t)
				url := d.serve(t, "/suite.tar.gz") + "/suite.tar.gz"
				for i, script := range installScripts(t, system, origin, folder) {
					if err := os.RemoveAll(folder); err != nil {
						t.Fatal(err)
					}
					if err := os.MkdirAll(folder, 0o777); err != nil {
						t.Fatal(err)
					}
					j := &ciJob{t: t, dir: temp, shell: []string{"bash", "-eo", "pipefail", "-c"}, env: map[string]string{
						"RUNNER_TEMP": temp, "GITHUB_PATH": filepath.Join(temp, "path"),
						"SUITE_ARCHIVE": url, "SUITE_SHA256": d.pinned, "SUITE_SOURCE": "/no/such/repository",
					}}
					status, printed := j.run(script)
					if strings.Contains(printed, "/no/such/repository") {
						t.Errorf("script %d builds what it has to download:\n%s", i, printed)
					}
					d.check(t, folder, status, printed)
				}
			})
		}
	}
}
