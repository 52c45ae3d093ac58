//go:build unix && !linux

package report

import "io"

func replace(path string, write func(io.Writer) error) error { return replaceNamed(path, write) }
