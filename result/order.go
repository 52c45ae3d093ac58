package result

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.com/suite/internal/units"
)

// Order is how a metric of a family of cases grows with their size.
type Order struct {
	Suite  string  `json:"suite"`
	Family string  `json:"family"` // name of its cases, without the size
	Param  string  `json:"param"`  // the parameter that is the size
	Metric string  `json:"metric"`
	Unit   string  `json:"unit,omitempty"` // of work, if the metric is per unit of work
	Cases  int     `json:"cases"`          // that were measured, each with another size
	From   float64 `json:"from"`           // smallest size
	To     float64 `json:"to"`             // largest
	// Plausible contains the classes that the numbers do not rule out, ascending: 1,
	// log n, n, n log n, n^2, and faster for growth beyond n^2. It is empty if Reason is
	// set, for example because no class fits.
	Plausible []string `json:"plausible,omitempty"`
	Best      string   `json:"best,omitempty"`     // the nearest of all classes
	Error     float64  `json:"error,omitempty"`    // root mean square of ln(median ÷ fit) for Best
	Exponent  float64  `json:"exponent,omitempty"` // of the size, from a fit of the metric to a power of it
	Reason    string   `json:"reason,omitempty"`
}

// Clear is the only plausible class; false if there are several or none.
func (o *Order) Clear() (string, bool) {
	if len(o.Plausible) != 1 {
		return "", false
	}
	return o.Plausible[0], true
}

// orderClasses are the values of Best. Plausible may contain fasterClass too.
var orderClasses = []string{"1", "log n", "n", "n log n", "n^2"}

const fasterClass = "faster"

// Text describes the order: "O(n) (off by 1.2%, n^0.99, 7 sizes)", "unclear: O(n) or
// O(n log n) (…)", or the reason.
func (o *Order) Text() string {
	// no error of the fit: a metric that falls is O(1) too
	if class, clear := o.Clear(); clear && class == orderClasses[0] {
		return fmt.Sprintf("O(1) (n^%s, %d sizes)", trimmed(o.Exponent), o.Cases)
	}
	switch class, clear := o.Clear(); {
	case o.Reason != "":
		return o.Reason
	case clear:
		return "O(" + class + ") (" + o.how() + ")"
	}
	var may []string
	for _, class := range o.Plausible {
		if class != fasterClass {
			class = "O(" + class + ")"
		}
		may = append(may, class)
	}
	return "unclear: " + strings.Join(may, " or ") + " (" + o.how() + ")"
}

// Nearest names the best class in brackets, to follow a Reason that no class fits.
func (o *Order) Nearest() string { return "(the nearest is O(" + o.Best + "), " + o.how() + ")" }

func (o *Order) how() string {
	return fmt.Sprintf("off by %s, n^%s, %d sizes", units.Format(roundTo(o.Error), Percent),
		trimmed(o.Exponent), o.Cases)
}

func roundTo(share float64) float64 { return math.Round(share*1000) / 1000 }

func trimmed(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
