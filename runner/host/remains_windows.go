package host

import "os"

// mine reports whether a file is there; whose it is costs more to find out.
func mine(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
