package orphan

import "embed"

// Source is the source of this package: hosts are built with it.
//
//go:embed *.go
var Source embed.FS
