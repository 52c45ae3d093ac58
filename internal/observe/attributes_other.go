//go:build !linux

package observe

// attributes returns nothing: nothing is observed here.
func attributes(string, Use) string { return "" }
