package runner

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	mathrand "math/rand/v2"
)

// Seed is where every draw of a run comes from.
type Seed [16]byte

// NewSeed draws a seed from the system.
func NewSeed() (s Seed) {
	_, _ = rand.Read(s[:]) // never fails since Go 1.24
	return s
}

// ParseSeed reads a seed as it is printed: 32 hexadecimal digits. Shorter ones
// are filled with zeros on the left, so that `--seed 1` works.
func ParseSeed(text string) (s Seed, err error) {
	if text == "" || len(text) > 2*len(s) {
		return s, fmt.Errorf("seed %q: want 1 to %d hexadecimal digits", text, 2*len(s))
	}
	if _, err := hex.Decode(s[:], fmt.Appendf(nil, "%032s", text)); err != nil {
		return s, fmt.Errorf("seed %q: want 1 to %d hexadecimal digits", text, 2*len(s))
	}
	return s, nil
}

// String gives 32 hexadecimal digits.
func (s Seed) String() string { return hex.EncodeToString(s[:]) }

// Draw gives the random numbers of one purpose. They are a function of the
// seed, the purpose, whom it is for, the launch and an index and nothing else,
// so that draws do not depend on the order in which others were made
// (HMAC-SHA-256, design.md §8.12).
func (s Seed) Draw(purpose, identity string, launch, index int) *mathrand.Rand {
	mac := hmac.New(sha256.New, s[:])
	fmt.Fprintf(mac, "%q %q %d %d", purpose, identity, launch, index)
	sum := mac.Sum(nil)
	return mathrand.New(mathrand.NewPCG(binary.LittleEndian.Uint64(sum), binary.LittleEndian.Uint64(sum[8:])))
}
