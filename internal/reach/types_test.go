package reach

import "testing"

// TestSignatures asks for methods whose types are known and not known. A type that is not known may be any.
func TestSignatures(t *testing.T) {
	all := signatures{}
	all.add(signature{"Read", "type:func([]uint8) (int, error)"})
	all.add(signature{"Close", ""})
	for m, want := range map[signature]bool{
		{"Read", "type:func([]uint8) (int, error)"}:  true,
		{"Read", "type:func() int"}:                  false,
		{"Read", ""}:                                 true,
		{"Close", "type:func() error"}:               true,
		{"Close", ""}:                                true,
		{"Write", "type:func([]uint8) (int, error)"}: false,
		{"Write", ""}:                                false,
	} {
		if got := all.has(m); got != want {
			t.Errorf("%v is asked for: %v", m, got)
		}
	}
}
