package result

// ReadAtMost is Read with a limit that a test can reach.
var ReadAtMost = read
