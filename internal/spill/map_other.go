//go:build !(linux || darwin)

package spill

import (
	"errors"
	"os"
)

// New returns an error: here no file is mapped.
func New(string) (*File, error) { return nil, errors.ErrUnsupported }

func mapped(*os.File, int64, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func forget([]byte) {}
