package host

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
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
var Hash = sync.OnceValue(func() string {
	sum := sha256.New()
	for _, files := range []fs.FS{Source, timer.Source, bench.Source, benchcase.Source, peg.Source} {
		names, _ := fs.Glob(files, "*.[gs]*") // the patterns are well formed
		more, _ := fs.Glob(files, "*/*.[gs]*")
		for _, name := range append(names, more...) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, _ := fs.ReadFile(files, name) // embedded: always there
			sum.Write([]byte(name))
			sum.Write(text)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
})
