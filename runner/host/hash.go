package host

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"hash"
	"io"
	"path"
	"strings"
	"sync"

	"example.com/suite/bench"
	"example.com/suite/internal/benchcase"
	"example.com/suite/peg"
	"example.com/suite/timer"
)

// Source contains the files of this package and of its sub-packages, so that hosts of
// other modules run the same timing code.
//
//go:embed *.go spawn spawner wire
var Source embed.FS

// Hash identifies the timing code: sha256 over the sources of host with its sub-packages,
// timer, bench and peg, assembly included, without their tests. Two hosts whose hashes
// differ may not be compared.
//
// Every host computes it once, before its first request, so it neither copies the sources
// as a whole nor sorts their names again: that took 1 ms of the 8 that a host takes to start.
var Hash = sync.OnceValue(func() string {
	sum, buffer := sha256.New(), make([]byte, 8<<10)
	for _, files := range []embed.FS{Source, timer.Source, bench.Source, benchcase.Source, peg.Source} {
		sumFolder(sum, files, ".", buffer)
		folders, _ := files.ReadDir(".") // embedded: always there
		for _, d := range folders {
			if d.IsDir() {
				sumFolder(sum, files, d.Name(), buffer)
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
})

// sumFolder adds the names and texts of the sources in a folder, in the order of the names.
func sumFolder(sum hash.Hash, files embed.FS, folder string, buffer []byte) {
	entries, _ := files.ReadDir(folder)
	for _, e := range entries {
		ext := path.Ext(e.Name())
		if ext != ".go" && ext != ".s" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		name := path.Join(folder, e.Name())
		io.WriteString(sum, name)
		if file, err := files.Open(name); err == nil {
			io.CopyBuffer(sum, file, buffer)
		}
	}
}
