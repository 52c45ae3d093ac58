//go:build !linux

package timer

// OpenEvents opens nothing: only Linux has performance events. Each name is skipped
// with that reason.
func OpenEvents(names []string, scope Scope) (Events, []Skipped) {
	events, skipped := wanted(names)
	for _, e := range events {
		skipped = append(skipped, Skipped{kindEvent, e.Name, needs("linux", "").Error()})
	}
	return nil, skipped
}
