package main

import (
	"os"
	"os/exec"
	"testing"
)

// day makes the hash of a commit that of its files.
const day = "2026-11-21T00:00:00Z"

// branch makes the folder of the README's files a repository, on a branch that has
// changed count.sh.
func branch(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
		"GIT_COMMITTER_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day,
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull} {
		t.Setenv(name, value)
	}
	script(t, "seq 2000 | wc -w")
	git(t, "init", "-q", "--object-format=sha1", "-b", "main", ".")
	git(t, "add", "count.sh", "count.yaml")
	write(t, ".git/info/exclude", "*\n") // what other blocks of the README have left
	git(t, "commit", "-q", "-m", "base")
	git(t, "checkout", "-q", "-b", "branch")
	script(t, "seq 2000 | sort -R | wc -w")
	git(t, "commit", "-q", "-a", "-m", "branch")
}

func script(t *testing.T, line string) {
	t.Helper()
	if err := os.WriteFile("count.sh", []byte("#!/bin/sh\n"+line+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, args ...string) {
	t.Helper()
	if text, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, text)
	}
}
