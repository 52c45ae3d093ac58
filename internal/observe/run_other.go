//go:build !linux || (!amd64 && !arm64)

package observe

import "context"

// Wrap returns argv: nothing is recorded.
func Wrap(_, _ string, _ int, argv []string) []string { return argv }

// Run returns an Error with the cause System.
func Run(context.Context, Command) (*Record, error) { return nil, &Error{Cause: System} }
