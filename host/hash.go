package host

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"strings"
	"sync"

	"example.com/suite/bench"
	"example.com/suite/timer"
)

//go:embed *.go
var source embed.FS

// Hash identifies the timing code: sha256 over the sources of host, timer and
// bench, assembly included, without their tests. Two hosts whose hashes differ may not be compared.
var Hash = sync.OnceValue(func() string {
	sum := sha256.New()
	for _, files := range []fs.FS{source, timer.Source, bench.Source} {
		names, _ := fs.Glob(files, "*.[gs]*") // the pattern is well formed
		for _, name := range names {
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
