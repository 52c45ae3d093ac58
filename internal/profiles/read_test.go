package profiles

import (
	"fmt"
	"strconv"

	"github.com/google/pprof/profile"
)

// split reads what Merge has written.
func split(data []byte) (launches []Launch, err error) {
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, fmt.Errorf("a profile cannot be read: %w", err)
	}
	for _, comment := range p.Comments {
		var l Launch
		var i int
		if n, _ := fmt.Sscanf(comment, launchComment, &i, &l.Iterations, &l.Wall, &l.CPU); n != 4 || i != len(launches) {
			continue
		}
		l.Profile = &profile.Profile{SampleType: p.SampleType, Function: p.Function}
		for _, s := range p.Sample {
			if s.HasLabel(launchLabel, strconv.Itoa(i)) {
				l.Profile.Sample = append(l.Profile.Sample, s)
			}
		}
		launches = append(launches, l)
	}
	if len(launches) == 0 {
		return nil, fmt.Errorf("the profile has no launches that suite has merged")
	}
	return launches, nil
}
