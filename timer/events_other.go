//go:build !linux

package timer

// OpenEvents opens the named events (metric or kernel names) and gives those
// that do not work here with the reason. It is nil where none works.
func OpenEvents(names []string, scope Scope) (Events, []Skipped) {
	events, skipped := wanted(names)
	for _, e := range events {
		skipped = append(skipped, Skipped{kindEvent, e.Name, needs("linux", "").Error()})
	}
	return nil, skipped
}
