package pagecache

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// onDisk makes a file of two pages whose file system can drop it.
func onDisk(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, make([]byte, 8192), 0o600); err != nil {
		t.Fatal(err)
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(path, &fs); err != nil || fs.Type == unix.TMPFS_MAGIC {
		t.Skip("the folder for temporary files lives in memory")
	}
	return path
}

// cached looks at the page cache, as drop does.
func cached(t *testing.T, path string) bool {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	return isCached(int(file.Fd()))
}

func TestAFileIsDroppedAndReadAgain(t *testing.T) {
	t.Parallel()
	path := onDisk(t, "new") // its pages are not on the disk yet
	if stayed := Place(context.Background(), []string{path}); len(stayed) > 0 {
		t.Fatalf("%v stayed", stayed)
	}
	if !cached(t, path) {
		t.Error("it was not read again")
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if !drop(file) { // a second look may find it again: the first one lets the kernel read ahead
		t.Error("it was not dropped")
	}
}

func TestAMappedFileStays(t *testing.T) {
	t.Parallel()
	path, other := onDisk(t, "mapped"), onDisk(t, "other")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	pages, err := unix.Mmap(int(file.Fd()), 0, 8192, unix.PROT_READ, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(pages) }()
	if stayed := Place(context.Background(), []string{other, path}); !slices.Equal(stayed, []string{path}) {
		t.Errorf("%v stayed, want %s", stayed, path)
	}
}

func TestAFileInMemoryStays(t *testing.T) {
	t.Parallel()
	file, err := os.CreateTemp("/dev/shm", "suite-test-")
	if err != nil {
		t.Skip(err)
	}
	defer os.Remove(file.Name())
	if _, err := file.Write(make([]byte, 8192)); err != nil {
		t.Fatal(err)
	}
	if stayed := Place(context.Background(), []string{file.Name()}); len(stayed) != 1 {
		t.Errorf("%v stayed", stayed)
	}
}

// A FIFO would be waited for, and what is empty or gone has no place.
func TestWhatHasNoPlaceIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fifo, empty := filepath.Join(dir, "fifo"), filepath.Join(dir, "empty")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if stayed := Place(context.Background(), []string{fifo, empty, dir, filepath.Join(dir, "gone")}); len(stayed) > 0 {
		t.Errorf("%v stayed", stayed)
	}
}
