package pegs

import (
	"strings"

	"example.com/suite/bench"
	"example.com/suite/peg"
)

func init() { bench.Register("pegs/calculator", calculate) }

// The stages of the calculator, one after the other on one lane. Each arc ends at the
// point at which the next begins, so the arcs add up to the whole.
var (
	begun     = peg.New("calculator/begun")
	tokenised = peg.New("calculator/tokenised")
	parsed    = peg.New("calculator/parsed")
	evaluated = peg.New("calculator/evaluated")
	printed   = peg.New("calculator/printed")
)

// calculate takes a formula of `terms` terms from text to text.
func calculate(c *bench.Case) bench.Loop {
	source := formula(c.Int("terms"))
	c.Work(float64(len(source)), "byte")
	return func(n int) {
		lane := peg.NewLane("calculator")
		defer lane.Close()
		var text string
		for range n {
			lane.Start(begun)
			var err error
			text, err = answer(lane, source)
			if err != nil {
				c.Fatal(err)
			}
		}
		bench.Keep(&text)
	}
}

// answer returns a formula with all its brackets, and its value.
func answer(lane *peg.Lane, source string) (string, error) {
	tokens, err := tokenise(source)
	if err != nil {
		return "", err
	}
	lane.Hit(tokenised)
	tree, err := parse(lane, tokens)
	if err != nil {
		return "", err
	}
	lane.Hit(parsed)
	value := tree.value()
	lane.Hit(evaluated)
	text := tree.String() + " = " + number(value)
	lane.Hit(printed)
	return text, nil
}

// formula is the same in every run: terms in brackets three deep, joined by turns
// with all four operators.
func formula(terms int) string {
	var b strings.Builder
	for i := range terms {
		if i > 0 {
			b.WriteByte("+*-/"[i%4])
		}
		b.WriteString("(" + number(float64(1+i%97)) + "*(2+(" + number(float64(1+i%13)) + "-0.5)))")
	}
	return b.String()
}
