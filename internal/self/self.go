// Package self knows suite's own module: its path, and the version that was built.
package self

import (
	"reflect"
	"runtime/debug"
	"strings"
)

type here struct{}

// Module is the path of suite's module, such as example.com/suite. The compiler knows it from go.mod, so no other
// code has it as a text.
var Module = strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "/internal/self")

// Version is the version of a program of suite: release, which the linker sets in the programs of a release, or else
// what the build has recorded. go install records the version that was asked for, and go build in a clone the commit.
func Version(release string) string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}
