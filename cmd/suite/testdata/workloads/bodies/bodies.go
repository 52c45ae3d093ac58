// Package bodies registers workloads of different kinds, as the tests of other
// projects have them.
package bodies

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/bench"
)

var sink int

func init() {
	register("allocate", allocate)
	register("channel", channel)
	register("chase", chase)
	register("compress", compress)
	register("format", format)
	register("hash", hash)
	register("json", encode)
	register("lookup", lookup)
	register("multiply", multiply)
	register("parse", parse)
	register("regexp", match)
	register("sort", sorted)
}

func register(name string, setup func(c *bench.Case) func()) {
	bench.Register("workloads/"+name, func(c *bench.Case) bench.Loop {
		body := setup(c)
		return func(n int) {
			for range n {
				body()
			}
		}
	})
}

type node struct {
	left, right *node
	payload     [4]int
}

func grow(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{left: grow(depth - 1), right: grow(depth - 1)}
}

func (n *node) count() int {
	if n == nil {
		return 0
	}
	return 1 + n.left.count() + n.right.count()
}

// allocate makes and walks a tree of 255 nodes.
func allocate(*bench.Case) func() { return func() { sink += grow(7).count() } }

// channel hands 100 numbers from one goroutine to another.
func channel(c *bench.Case) func() {
	in, out := make(chan int), make(chan int)
	go func() {
		for x := range in {
			out <- x + 1
		}
		close(out)
	}()
	c.Cleanup(func() { close(in) })
	return func() {
		for i := range 100 {
			in <- i
			sink += <-out
		}
	}
}

// chase follows pointers through memory of a size, 1000 steps.
func chase(c *bench.Case) func() {
	order := rand.New(rand.NewPCG(1, 2)).Perm(c.Int("size") / 8)
	next := make([]int, len(order))
	for i, at := range order {
		next[at] = order[(i+1)%len(order)]
	}
	at := 0
	return func() {
		for range 1000 {
			at = next[at]
		}
		sink += at
	}
}

func text() []byte {
	rng, b := rand.New(rand.NewPCG(3, 4)), &bytes.Buffer{}
	words := strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi " +
		"rho sigma tau")
	for b.Len() < 16<<10 {
		fmt.Fprintf(b, "%s=%d ", words[rng.IntN(len(words))], rng.IntN(1000))
	}
	return b.Bytes()
}

// compress deflates 16 KiB of text.
func compress(*bench.Case) func() {
	in, out := text(), &bytes.Buffer{}
	w, _ := flate.NewWriter(out, flate.DefaultCompression)
	return func() {
		out.Reset()
		w.Reset(out)
		_, _ = w.Write(in)
		_ = w.Close()
		sink += out.Len()
	}
}

// format prints 100 lines of numbers and words.
func format(*bench.Case) func() {
	return func() {
		var b strings.Builder
		for i := range 100 {
			fmt.Fprintf(&b, "line %d: %s %.3f\n", i, "value", float64(i)/7)
		}
		sink += b.Len()
	}
}

// hash is sha256 of 1 KiB.
func hash(*bench.Case) func() {
	data := make([]byte, 1024)
	return func() {
		sum := sha256.Sum256(data)
		binary.LittleEndian.PutUint32(data, binary.LittleEndian.Uint32(sum[:]))
	}
}

type record struct {
	Name  string         `json:"name"`
	Tags  []string       `json:"tags"`
	Sizes map[string]int `json:"sizes"`
	Next  *record        `json:"next,omitempty"`
}

// encode marshals a record of three levels and reads it again.
func encode(*bench.Case) func() {
	r := &record{Name: "outer", Tags: []string{"a", "b", "c"}, Sizes: map[string]int{"x": 1, "y": 2, "z": 3}}
	r.Next = &record{Name: "inner", Tags: []string{"d", "e"}, Sizes: map[string]int{"w": 4}}
	return func() {
		data, _ := json.Marshal(r)
		var back record
		_ = json.Unmarshal(data, &back)
		sink += len(back.Tags)
	}
}

// lookup reads 1000 entries of a map of 20,000 strings.
func lookup(*bench.Case) func() {
	m := map[string]int{}
	var keys []string
	for i := range 20_000 {
		key := "key-" + strconv.Itoa(i*7919)
		m[key] = i
		keys = append(keys, key)
	}
	at := 0
	return func() {
		for range 1000 {
			at = (at + 7) % len(keys)
			sink += m[keys[at]]
		}
	}
}

// multiply multiplies two numbers of 4096 bits.
func multiply(*bench.Case) func() {
	rng := rand.New(rand.NewPCG(5, 6))
	x, y, z := new(big.Int), new(big.Int), new(big.Int)
	for range 64 {
		x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(rng.Uint64()))
		y.Or(y.Lsh(y, 64), new(big.Int).SetUint64(rng.Uint64()))
	}
	return func() { sink += int(z.Mul(x, y).Bit(7)) }
}

// parse splits text and converts its numbers.
func parse(*bench.Case) func() {
	in := string(text())
	return func() {
		for pair := range strings.FieldsSeq(in) {
			_, number, _ := strings.Cut(pair, "=")
			n, _ := strconv.Atoi(number)
			sink += n
		}
	}
}

// match finds pairs in 1 KiB of text.
func match(*bench.Case) func() {
	in, pair := text()[:1024], regexp.MustCompile(`(\w+)=(\d+)`)
	return func() { sink += len(pair.FindAllIndex(in, -1)) }
}

// sorted sorts 1000 numbers.
func sorted(*bench.Case) func() {
	rng := rand.New(rand.NewPCG(7, 8))
	in := make([]int, 1000)
	for i := range in {
		in[i] = rng.Int()
	}
	work := make([]int, len(in))
	return func() {
		copy(work, in)
		slices.Sort(work)
		sink += work[0]
	}
}
