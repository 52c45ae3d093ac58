package profiles

import (
	"bytes"
	"fmt"
	"strconv"

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

// launchLabel of a sample is the number of its launch, from 0. In pprof, -tagroot=launch
// separates the launches.
const launchLabel = "launch"

// launchComment describes a launch in a merged file.
const launchComment = "launch %d: %d iterations, %g s, %g s of CPU"

// Merge writes the profiles of some launches as one file, compressed. It adds a label to
// their samples, and comments to their profiles.
func Merge(launches []Launch) ([]byte, error) {
	var all []*profile.Profile
	var comments []string
	for i := range launches {
		l := &launches[i]
		l.Profile.SetLabel(launchLabel, []string{strconv.Itoa(i)})
		all = append(all, l.Profile)
		comments = append(comments, fmt.Sprintf(launchComment, i, l.Iterations, l.Wall, l.CPU))
	}
	p, err := profile.Merge(all)
	if err != nil {
		return nil, fmt.Errorf("profiles cannot be merged: %w", err)
	}
	p.Comments = append(p.Comments, comments...)
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		return nil, fmt.Errorf("a profile cannot be written: %w", err)
	}
	return out.Bytes(), nil
}
