package result

// ReadAtMost is Read with a limit that a test can reach.
var ReadAtMost = read

// Causes returns all words for causes, the empty one first.
func Causes() []Cause { return causes }
