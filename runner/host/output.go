package host

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"unicode/utf8"

	"example.com/suite/internal/scratch"
	"example.com/suite/runner/host/wire"
)

// reference is the output that the runs of a command have to repeat.
type reference struct {
	output *wire.Output // nil: what the first run will print
	file   *os.File     // contains it
}

// expect sets what the runs of a command have to print, unless it is known already.
func (c *command) expect(o *wire.Output) *wire.Failure {
	if c.reference.output != nil || o == nil || !c.spec.SameOutput {
		return nil
	}
	return c.reference.keep(o, o.Text)
}

// same compares the output of a run with the first run's.
func (c *command) same(text []byte) *wire.Failure {
	sum := sha256.Sum256(text)
	hash := "sha256:" + hex.EncodeToString(sum[:])
	if c.reference.output == nil {
		o := &wire.Output{Hash: hash, Size: len(text), Text: bytes.Clone(text[:min(len(text), wire.KeptOutput)])}
		c.kit.printed = o
		return c.reference.keep(o, text)
	}
	if hash == c.reference.output.Hash {
		return nil
	}
	return c.reference.differs(text)
}

// keep keeps an output to be compared with, in a file: it may be as long as
// maxOutput, and this process has to stay small.
func (r *reference) keep(o *wire.Output, text []byte) *wire.Failure {
	f, err := scratchFile()
	if err == nil {
		_, err = f.Write(text)
	}
	if err != nil {
		return newFailure(wire.PhaseRun, wire.FailedError, "the output of a run could not be stored: "+err.Error(), "")
	}
	r.output, r.file = o, f
	return nil
}

// differs shows where another output begins to differ.
func (r *reference) differs(text []byte) *wire.Failure {
	known, err := whole(nil, r.file)
	if err != nil {
		return newFailure(wire.PhaseOutput, wire.FailedError, err.Error(), "")
	}
	message, detail := difference(r.output, known, text)
	return newFailure(wire.PhaseOutput, wire.FailedDiffers, message, detail)
}

// close closes the file.
func (r *reference) close() {
	if r.file != nil {
		scratch.Discard(r.file)
	}
}

// difference finds the line in which two outputs differ first, and shows both. Of the
// first one only its beginning may be known.
func difference(o *wire.Output, known, text []byte) (message, detail string) {
	whose := "an earlier run"
	if o.Of != "" {
		whose = fmt.Sprintf("case %q", o.Of)
	}
	number, was, is := firstDifference(known, text)
	switch {
	case o.Size != 0 && len(known) == 0 && o.Of == "":
		return "the output is not the same as before the run was interrupted", ""
	case o.Size != 0 && len(known) == 0:
		return fmt.Sprintf("the output is not the same as the output of %s before the run was interrupted", whose), ""
	case len(known) < o.Size && (was == nil || !bytes.HasSuffix(was, []byte("\n"))):
		return fmt.Sprintf("the output differs from the output of %s in line %d or later", whose, number), ""
	}
	return fmt.Sprintf("the output differs from the output of %s in line %d", whose, number),
		fmt.Sprintf("line %d was %s\nline %d is  %s", number, excerpt(was, is), number, excerpt(is, was))
}

// firstDifference finds the number of the first line that differs, from 1, and both
// lines with their ends; a line that one text does not have is nil.
func firstDifference(a, b []byte) (number int, was, is []byte) {
	for number = 1; ; number++ {
		was, a = cutLine(a)
		is, b = cutLine(b)
		if !bytes.Equal(was, is) || was == nil {
			return number, was, is
		}
	}
}

// cutLine cuts the first line off, with its end; nil if there is none.
func cutLine(text []byte) (line, rest []byte) {
	if len(text) == 0 {
		return nil, nil
	}
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1], text[i+1:]
	}
	return text, nil
}

// Lengths of what is shown of a line, bytes: before the first difference, and
// from it on.
const (
	shownBefore = 20
	shownBehind = 60
)

// excerpt quotes the part of a line around its first difference from other, so
// that control characters do not reach the terminal.
func excerpt(line, other []byte) string {
	if line == nil {
		return "not there"
	}
	same := 0
	for same < len(line) && same < len(other) && line[same] == other[same] {
		same++
	}
	if bytes.HasSuffix(other, []byte("\n")) { // else that is the difference
		line = bytes.TrimSuffix(line, []byte("\n"))
	}
	from := 0
	if len(line) > shownBefore+shownBehind {
		from = max(min(same, len(line))-shownBefore, 0)
	}
	to := min(max(same, from+shownBefore)+shownBehind, len(line))
	for from > 0 && !utf8.RuneStart(line[from]) { // not within a character
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	text := strconv.Quote(string(line[from:to]))
	if from > 0 {
		text = "…" + text
	}
	if to < len(line) {
		text += "…"
	}
	return text
}
