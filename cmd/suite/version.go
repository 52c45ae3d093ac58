package main

import (
	"fmt"
	"runtime"

	"example.com/suite/internal/self"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

func tool() result.Tool {
	return result.Tool{Name: "suite", Version: version(), Go: runtime.Version()}
}

// fullVersion adds the toolchain and system that a bug report needs.
func fullVersion() string {
	return fmt.Sprintf("%s, %s, %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func version() string { return self.Version(release) }

// release is the version of a release build, which the linker sets:
// -ldflags "-X main.release=v1.2.3".
var release string

// versionCommand is suite version.
type versionCommand struct{ env env }

func (cmd *versionCommand) command() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: nothing, Example: "  suite version",
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(cmd.env.stdout.Text(), "suite version %s\n", fullVersion())
			return err
		},
	}
}
