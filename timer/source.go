package timer

import "embed"

// Source contains the files of this package, so that a host can prove which
// timing code it runs.
//
//go:embed *.go *.s
var Source embed.FS
