package stats

import "embed"

// Source contains the files of this package. A host built elsewhere includes them, so
// that it computes as this program does.
//
//go:embed *.go
var Source embed.FS
