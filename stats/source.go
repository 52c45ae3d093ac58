package stats

import "embed"

// Source holds the files of this package, so that a host built elsewhere
// computes as this program does.
//
//go:embed *.go
var Source embed.FS
