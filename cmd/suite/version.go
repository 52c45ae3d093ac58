package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"example.com/suite/result"
)

func tool() result.Tool {
	return result.Tool{Name: "suite", Version: version(), Go: runtime.Version()}
}

// fullVersion adds the toolchain and system that a bug report needs.
func fullVersion() string {
	return fmt.Sprintf("%s, %s, %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version is the version of the release or, for all other builds, of the module that
// the build recorded: go install records the version that was asked for, and go build
// in a clone the commit.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

// release is the version of a release build, which the linker sets:
// -ldflags "-X main.release=v1.2.3".
var release string
