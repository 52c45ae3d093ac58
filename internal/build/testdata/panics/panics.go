// Package panics cannot be initialised.
package panics

import _ "example.com/suite/bench"

var m map[string]int

func init() { fill() }

func fill() {
	m["a"] = 1
}
