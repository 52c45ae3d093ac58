//go:build !nopeg

package peg_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"example.com/suite/peg"
)

var (
	arrived  = peg.New("server/arrived")
	queried  = peg.New("server/queried")
	answered = peg.New("server/answered")
)

// query is far from the handler, and finds the lane of the request in its context.
func query(ctx context.Context) string {
	defer peg.LaneOf(ctx).Hit(queried)
	return "forty-two"
}

func handle(w http.ResponseWriter, r *http.Request) {
	lane := peg.NewLane("requests") // one for each request: those that are closed take no memory
	defer lane.Close()
	lane.Hit(arrived)
	fmt.Fprint(w, query(peg.WithLane(r.Context(), lane)))
	lane.Hit(answered)
}

// A request carries its lane in its context.
func ExampleWithLane() {
	peg.Enable()
	defer peg.Disable()
	peg.Reset()

	for range 5 {
		handle(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	}
	for _, a := range peg.Snapshot().Arcs {
		fmt.Printf("%s: %s → %s: %d times\n", a.Lane, a.From, a.To, a.Count)
	}
	// Output:
	// requests: server/arrived → server/queried: 5 times
	// requests: server/queried → server/answered: 5 times
}
