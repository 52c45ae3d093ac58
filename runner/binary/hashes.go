// Package binary knows programs as files: their hashes, the hashes of scripts and inputs that
// cases name, and the files with layouts of their
// own that launches of comparisons run from. It starts no program.
package binary

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"example.com/suite/internal/atomicfile"
)

// Hashes are the hashes of programs, as sha256: and hexadecimal digits. The hash of a
// program that cannot be read is empty.
type Hashes struct {
	mu     sync.Mutex
	hashes map[string]string
}

// Add adds the hash of a program whose content never changes.
func (h *Hashes) Add(path, hash string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.add(path, hash)
}

func (h *Hashes) add(path, hash string) {
	if h.hashes == nil {
		h.hashes = map[string]string{}
	}
	h.hashes[path] = hash
}

// Sum hashes a program, which it reads once.
func (h *Hashes) Sum(path string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	hash, known := h.hashes[path]
	if !known {
		hash = Hash(path)
		h.add(path, hash)
	}
	return hash
}

// Load adds the hash of a program before it is needed. The file cache has the hash
// of the program that was loaded last: suite itself has 22 MB, and to read them takes
// 13 ms of the 57 that the shortest run takes.
func (h *Hashes) Load(path, cache string) { h.load(path, cache, time.Now()) }

func (h *Hashes) load(path, cache string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, known := h.hashes[path]; !known {
		h.add(path, unchanged(path, cache, now))
	}
}

// The hash in a cache counts only if it belongs to this program and nothing has been
// written to the program since. If not, unchanged reads the program.
func unchanged(path, cache string, now time.Time) string {
	before, settled := identity(path, now)
	if before == "" {
		return Hash(path)
	}
	text, _ := os.ReadFile(cache) // none yet: the program is read
	if hash, ok := strings.CutPrefix(string(text), before+"\n"); ok && isHash(hash) {
		return hash
	}
	hash := Hash(path)
	after, _ := identity(path, now)
	if settled && hash != "" && after == before {
		store(cache, before+"\n"+hash)
	}
	return hash
}

// store replaces a cache. If that fails, the next run reads the program again.
func store(cache, text string) {
	_ = os.MkdirAll(filepath.Dir(cache), 0o700)
	_ = atomicfile.Write(cache, []byte(text), 0o600)
}

const hashPrefix = "sha256:"

// isHash reports whether a text has the form of a hash: a file that was cut short
// has not.
func isHash(text string) bool {
	digits, ok := strings.CutPrefix(text, hashPrefix)
	sum, err := hex.DecodeString(digits)
	return ok && err == nil && len(sum) == sha256.Size
}

// Hash reads a file and returns its hash, empty if it cannot be read.
func Hash(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	// Without WriteTo, io.CopyBuffer uses this buffer; the file's own has 32 KiB.
	from := struct{ io.Reader }{f}
	if _, err := io.CopyBuffer(sum, from, make([]byte, 256<<10)); err != nil {
		return ""
	}
	return fmt.Sprintf("%s%s", hashPrefix, hex.EncodeToString(sum.Sum(nil)))
}
