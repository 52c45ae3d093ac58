//go:build !linux || (!amd64 && !arm64)

package observe

import "context"

// Run returns an Error with the cause System.
func Run(context.Context, Command) (*Record, error) { return nil, &Error{Cause: System} }
