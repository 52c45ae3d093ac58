package result

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// Seal writes down the digest of the document, which changes with any part of it. Whoever
// changes a document by hand can make another digest too: it shows what was damaged or
// edited, and not who made it.
func (d *Document) Seal() error {
	var err error
	d.Digest, err = d.Sum()
	return err
}

// Sum returns the digest that fits the document: of its JSON without white space, with
// keys in the order in which Write has them and without the digest itself. So it survives
// another layout, but no other text or number.
func (d *Document) Sum() (string, error) {
	plain := *d
	plain.Digest = ""
	sum := sha256.New()
	err := compact(&plain, func(text []byte) {
		// A byte that is no UTF-8 is written as an escape, and read as the character.
		sum.Write(bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\ufffd")))
	})
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), err
}

// Sealed reports whether the digest of the document fits it.
func (d *Document) Sealed() bool {
	sum, err := d.Sum()
	return err == nil && sum == d.Digest
}
