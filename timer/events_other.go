//go:build !linux

package timer

// OpenEvents returns nil and the reason for each name: only Linux has performance
// events.
func OpenEvents(names []string, scope Scope) (Events, []Skipped) {
	events, skipped := wanted(names)
	for _, e := range events {
		skipped = append(skipped, Skipped{kindEvent, e.Name, needs("linux", "").Error()})
	}
	return nil, skipped
}
