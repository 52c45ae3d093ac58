package result

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// Seal sets the digest, which changes with any part of the document. It detects
// damage and careless edits, not fraud: whoever changes a document can compute a new
// digest.
func (d *Document) Seal() error {
	var err error
	d.Digest, err = d.Sum()
	return err
}

// Sum computes the digest from the JSON without white space, with keys in the order
// of Write and without the digest itself. Another layout has the same digest; any
// other text or number changes it.
func (d *Document) Sum() (string, error) {
	plain := *d
	plain.Digest = ""
	sum := sha256.New()
	err := compact(&plain, func(text []byte) {
		// an invalid byte of UTF-8 is written as an escape, and read as this character
		sum.Write(bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\ufffd")))
	})
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), err
}

// Sealed reports whether the digest of the document fits it.
func (d *Document) Sealed() bool {
	sum, err := d.Sum()
	return err == nil && sum == d.Digest
}
