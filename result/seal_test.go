package result_test

import (
	"bytes"
	"testing"

	"example.com/suite/result"
)

// The digest of a document outlives its writing and reading, whatever its texts hold.
func TestDigestOutlivesAFile(t *testing.T) {
	for name, data := range recorded(t) {
		doc := read(t, data)
		if len(doc.Cases) > 0 {
			doc.Cases[0].Description = "no UTF-8 \xff\xc0, \ufffd, \\ufffd, \u2028 <&> \x00"
		}
		if doc.Sealed() {
			t.Errorf("%s: sealed without a digest", name)
		}
		if err := doc.Seal(); err != nil || !doc.Sealed() {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := result.Write(&out, doc); err != nil {
			t.Fatal(err)
		}
		again := read(t, out.Bytes())
		if again.Digest != doc.Digest || !again.Sealed() {
			t.Errorf("%s: the digest does not fit what was written", name)
		}
		if again.Seconds++; again.Sealed() {
			t.Errorf("%s: the digest fits what was changed", name)
		}
	}
}
