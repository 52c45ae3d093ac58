package bench

import "embed"

// Source contains the files of this package. Hosts are built from it, and its hash shows
// which timing code a host runs.
//
//go:embed *.go
var Source embed.FS
