// Package signature reads results that the program minisign has signed. It makes no signatures.
package signature

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/saved"
	"example.com/suite/result"
	"github.com/jedisct1/go-minisign"
)

// Suffix is the suffix that minisign adds to the name of a signed file.
const Suffix = ".minisig"

// Key is a public key.
type Key struct{ public minisign.PublicKey }

// ReadKey reads a public key: text is the name of a file with the key, or the key itself if
// there is no such file. The key of an empty text is nil.
func ReadKey(text string) (*Key, error) {
	if text == "" {
		return nil, nil
	}
	const hint = "minisign -G makes a pair of keys: minisign.pub is the public one"
	key, err := minisign.NewPublicKeyFromFile(text)
	var unread *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		key, err = minisign.NewPublicKey(text)
		if err != nil {
			return nil, diag.Hinted(fmt.Sprintf("--key %q is neither a file nor a public key", text), hint)
		}
	case errors.As(err, &unread):
		return nil, diag.Hinted(fmt.Sprintf("--key %s: %v", text, unread.Err), "")
	case err != nil:
		return nil, diag.Hinted(fmt.Sprintf("--key %s: it is not a public key of minisign", text), hint)
	}
	return &Key{key}, nil
}

// Refused is the reason why a signature was not accepted.
type Refused string

func (r Refused) Error() string { return string(r) }

// Read reads a result and checks that this key has signed it. It parses the same bytes that it
// checked, so that the file cannot change in between. accepted is called with a line about the
// signature before the result is parsed. The error is Refused if the signature is missing or
// wrong.
func (k *Key) Read(path string, accepted func(line string)) (*result.Document, error) {
	f, err := saved.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := f.Bytes()
	if err != nil {
		return nil, err
	}
	signature, err := minisign.NewSignatureFromFile(path + Suffix)
	var unread *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, Refused(fmt.Sprintf("there is no signature %s", path+Suffix))
	case errors.As(err, &unread):
		return nil, err
	case err != nil:
		return nil, Refused(fmt.Sprintf("%s is no signature of minisign", path+Suffix))
	}
	if signature.KeyId != k.public.KeyId {
		return nil, Refused(fmt.Sprintf("it was signed by the key %s and not by %s", keyName(signature.KeyId),
			keyName(k.public.KeyId)))
	}
	if ok, err := k.public.Verify(text, signature); !ok || err != nil {
		return nil, Refused("the signature is not of this text, or not by this key")
	}
	accepted(fmt.Sprintf("%s: signed by the key %s, %s", path, keyName(k.public.KeyId), signature.TrustedComment))
	return saved.Parse(path, bytes.NewReader(text))
}

// keyName formats the number of a key as minisign does.
func keyName(id [8]byte) string {
	for i := range id[:4] {
		id[i], id[7-i] = id[7-i], id[i]
	}
	return fmt.Sprintf("%X", id)
}
