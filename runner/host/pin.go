package host

// pinned is the word of Command.Pin that keeps a run on one CPU, and starting
// that which keeps there what starts it.
const (
	pinned   = "on"
	starting = "auto"
)
