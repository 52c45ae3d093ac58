package runner

// unpinned says that runs go where they like, though the suite file wants them
// on one CPU.
func (t *track) unpinned(why string) {
	if why != "" {
		t.warn("not-pinned", "pin: on: its runs are on any CPU: "+why, "")
	}
}
