package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/saved"
	"example.com/suite/result"
	"github.com/jedisct1/go-minisign"
)

// signatureSuffix is the suffix that minisign adds to the name of a signed file.
const signatureSuffix = ".minisig"

// text is the name of a file with a public key, or the key itself if there is no such
// file. The key of an empty text is nil.
func readKey(text string) (*minisign.PublicKey, error) {
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
	return &key, nil
}

// readSigned reads a result, and checks its signature if key is not nil. It parses the same
// bytes that it checked, so that the file cannot change in between. problem is the reason
// why a signature was not accepted; doc is then nil.
func (e env) readSigned(path string, key *minisign.PublicKey) (doc *result.Document, problem string, err error) {
	if key == nil {
		doc, err = saved.Read(path)
		return doc, "", err
	}
	f, err := saved.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	text, err := f.Bytes()
	if err != nil {
		return nil, "", err
	}
	signature, err := minisign.NewSignatureFromFile(path + signatureSuffix)
	var unread *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Sprintf("there is no signature %s", path+signatureSuffix), nil
	case errors.As(err, &unread):
		return nil, "", err
	case err != nil:
		return nil, fmt.Sprintf("%s is no signature of minisign", path+signatureSuffix), nil
	}
	if signature.KeyId != key.KeyId {
		return nil, fmt.Sprintf("it was signed by the key %s and not by %s", keyName(signature.KeyId), keyName(key.KeyId)), nil
	}
	if ok, err := key.Verify(text, signature); !ok || err != nil {
		return nil, "the signature is not of this text, or not by this key", nil
	}
	fmt.Fprintln(e.stdout, display.Visible(fmt.Sprintf("%s: signed by the key %s, %s", path, keyName(key.KeyId), signature.TrustedComment)))
	doc, err = saved.Parse(path, bytes.NewReader(text))
	return doc, "", err
}

// keyName formats the number of a key as minisign does.
func keyName(id [8]byte) string {
	for i := range id[:4] {
		id[i], id[7-i] = id[7-i], id[i]
	}
	return fmt.Sprintf("%X", id)
}
