//go:build !linux

package host

import "errors"

// writeNothing is for systems whose files of programs suite knows how to write.
func writeNothing() (path string, err error) { return "", errors.ErrUnsupported }
