package pegs

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"example.com/suite/peg"
)

// The points of a request in the shop. The arc to answered begins at decoded, whatever is
// hit in between: it is the time of a request after its body is read.
var (
	handled  = peg.New("shop/handle") // a span: all of a request
	received = peg.New("shop/received")
	decoded  = peg.New("shop/decoded")
	found    = peg.New("shop/found")
	priced   = peg.New("shop/priced")
	encoded  = peg.New("shop/encoded")
	written  = peg.New("shop/written")
	answered = peg.Directed("shop/answered", "shop/decoded")
	refused  = peg.New("shop/refused")
)

// wanted is a line of an order, priced one of the bill.
type (
	wanted struct {
		Article string `json:"article"`
		Count   int    `json:"count"`
	}
	line struct {
		wanted
		Cents int `json:"cents"`
	}
	bill struct {
		Lines []line `json:"lines"` // the dearest first
		Cents int    `json:"cents"`
	}
)

// shop answers orders with bills: POST a list of articles. It keeps its articles in
// a map that nothing writes to, so that requests need no lock.
type shop struct{ cents map[string]int }

// newShop stocks so many articles.
func newShop(articles int) shop {
	s := shop{map[string]int{}}
	for i := range articles {
		s.cents[article(i)] = 100 + i*7919%10_000 // a prime, so that neighbours differ in price
	}
	return s
}

func article(i int) string { return "article-" + strconv.Itoa(i) }

// ServeHTTP opens a lane for each request and passes it to all that the request goes through.
func (s shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	lane := peg.NewLane("requests")
	defer lane.Close()
	defer lane.Begin(handled).End()
	lane.Hit(received)
	text, err := s.answer(lane, r)
	if err != nil {
		lane.Hit(refused)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(text) // a client that has gone away is not our concern
	lane.Hit(written)
	lane.Hit(answered)
}

// answer returns the body of the answer to a request.
func (s shop) answer(lane *peg.Lane, r *http.Request) ([]byte, error) {
	var order []wanted
	if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
		return nil, err
	}
	lane.Hit(decoded)
	b, err := s.price(peg.WithLane(r.Context(), lane), order)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = json.NewEncoder(&text).Encode(b)
	lane.Hit(encoded)
	return text.Bytes(), err
}
