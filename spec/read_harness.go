package spec

import (
	"regexp"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/harness"
	"example.com/suite/result"
)

// harness reads the name of a harness. A line for a shell has none: words cannot be added to it.
func (r *benchReader) harness(e entry) {
	r.b.harness = r.Choice(e.Value, diag.Quote(harnessKey), harness.Names()...)
	if r.b.kind == result.KindShell {
		r.b.harness = ""
		if e.origin == FromBenchmark {
			r.FailAs(diag.UnknownKey, e.Key, commandOnly, "key %q has no meaning for a line for a shell", e.Name)
		}
	}
}

// match reads which benchmarks are wanted.
func (r *benchReader) match(e entry) {
	if r.b.kind != result.KindCommand {
		r.b.match = readMatch(r.text, e.Value)
		return
	}
	r.b.match = r.text.template(e.Value, diag.Quote(e.Name))
	if r.b.match == nil || !r.b.match.Literal() {
		return
	}
	if _, err := regexp.Compile(e.Value.Value); err != nil {
		r.Fail(e.Value, nameHint, "match: %s", diag.Clip(err.Error()))
	}
}
