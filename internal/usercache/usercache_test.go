package usercache

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestKeysDifferForOtherParts(t *testing.T) {
	seen := map[string][]string{}
	for _, parts := range [][]string{{}, {""}, {"", ""}, {"a"}, {"b"}, {"a", "b"}, {"ab"}, {"b", "a"}, {"a", "b", ""}} {
		key := Key(parts...)
		if other, twice := seen[key]; twice {
			t.Errorf("%q and %q have one key", parts, other)
		}
		seen[key] = parts
		if !IsKey(key) {
			t.Errorf("%q is not recognised", key)
		}
	}
	for _, name := range []string{"", "source", Key("a")[1:], Key("a") + "0", "0123456789ABCDEF0123456789ABCDEF"} {
		if IsKey(name) {
			t.Errorf("%q is taken for a key", name)
		}
	}
}

func TestFolderIsAbsolute(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := filepath.Abs("chosen")
	if err != nil {
		t.Fatal(err)
	}
	folder, err := Folder("chosen")
	if err != nil || folder != here {
		t.Errorf("%s, %v", folder, err)
	}
	usual, err := Folder("")
	if err == nil && (!filepath.IsAbs(usual) || filepath.Base(usual) != "suite") {
		t.Errorf("without a choice: %s", usual)
	}
}

// A folder of another user is refused: the programs in it would be run.
func TestFolderOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 || runtime.GOOS == "windows" {
		t.Skip("only root can give a folder away")
	}
	folder := t.TempDir()
	if _, err := Folder(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(folder, 65534, -1); err != nil {
		t.Skip(err)
	}
	if _, err := Folder(folder); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Error(err)
	}
}
