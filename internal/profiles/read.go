package profiles

import (
	"bytes"
	"fmt"

	"github.com/google/pprof/profile"
)

// Read reads a profile in the format of pprof. before is the same profile at the beginning
// of the pass, of kinds that count since the process began, and is subtracted; nil for none.
func Read(data, before []byte) (*profile.Profile, error) {
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, fmt.Errorf("a profile cannot be read: %w", err)
	}
	if len(before) == 0 {
		return p, nil
	}
	was, err := profile.ParseData(before)
	if err != nil {
		return nil, fmt.Errorf("a profile cannot be read: %w", err)
	}
	was.Scale(-1)
	p, err = profile.Merge([]*profile.Profile{p, was})
	if err != nil {
		return nil, fmt.Errorf("a profile cannot be subtracted: %w", err)
	}
	return p, nil
}

// Merge writes the profiles of some launches as one file, compressed.
func Merge(launches []Launch) ([]byte, error) {
	var all []*profile.Profile
	for i := range launches {
		all = append(all, launches[i].Profile)
	}
	p, err := profile.Merge(all)
	if err != nil {
		return nil, fmt.Errorf("profiles cannot be merged: %w", err)
	}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		return nil, fmt.Errorf("a profile cannot be written: %w", err)
	}
	return out.Bytes(), nil
}
