package units

import "embed"

// Source holds the files of this package, so that hosts of other modules are built with it.
//
//go:embed *.go
var Source embed.FS
