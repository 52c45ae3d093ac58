package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"os"

	"example.com/suite/internal/signature"
	"github.com/jedisct1/go-minisign"
	"github.com/rogpeppe/go-internal/testscript"
)

// sign KEY FILE signs a file as minisign does. KEY is a letter from which the key is made;
// the public key is written to KEY.pub and to the variable KEY_LETTER.
func sign(ts *testscript.TestScript, _ bool, args []string) {
	letter, file := args[0], args[1]
	secret := minisign.PrivateKey{SignatureAlgorithm: [2]byte{'E', 'd'}}
	copy(secret.KeyId[:], bytes.Repeat([]byte(letter), 8))
	copy(secret.SecretKey[:], ed25519.NewKeyFromSeed(bytes.Repeat([]byte(letter), ed25519.SeedSize)))
	text, err := os.ReadFile(ts.MkAbs(file))
	ts.Check(err)
	signed, err := secret.Sign(text, minisign.SignOptions{TrustedComment: "run 7", Hashed: true})
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(file+signature.Suffix), signed.Encode(), 0o644))
	public := secret.PublicKey()
	line := base64.StdEncoding.EncodeToString(bytes.Join([][]byte{public.SignatureAlgorithm[:], public.KeyId[:], public.PublicKey[:]}, nil))
	ts.Check(os.WriteFile(ts.MkAbs(letter+".pub"), []byte("untrusted comment: minisign public key\n"+line+"\n"), 0o644))
	ts.Setenv("KEY_"+letter, line)
}
