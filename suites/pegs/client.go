package pegs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"example.com/suite/bench"
	"example.com/suite/peg"
)

func init() { bench.Register("pegs/shop", serve) }

// What a customer sees: from sending an order to the last byte of the bill.
var (
	sent   = peg.New("customer/sent")
	billed = peg.New("customer/billed")
)

// serve opens the shop on a free port of this machine and orders `articles` different
// articles in each iteration, over one connection that stays open.
func serve(c *bench.Case) bench.Loop {
	articles := c.Int("articles")
	customer, address := open(c, newShop(10*articles))
	order := ordered(c, articles)
	return func(n int) {
		lane := peg.NewLane("customer")
		defer lane.Close()
		for range n {
			lane.Start(sent)
			if err := buy(customer, address, order); err != nil {
				c.Fatal(err)
			}
			lane.Stop(billed)
		}
	}
}

// open serves until the case is over.
func open(c *bench.Case, s shop) (customer *http.Client, address string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		c.Fatal(err)
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	ended := make(chan struct{})
	go func() { defer close(ended); server.Serve(listener) }() // ends with ErrServerClosed
	transport := &http.Transport{}                             // none of the environment's proxies
	c.Cleanup(func() { transport.CloseIdleConnections(); server.Close(); <-ended })
	return &http.Client{Transport: transport}, "http://" + listener.Addr().String()
}

// ordered is the text of an order.
func ordered(c *bench.Case, articles int) []byte {
	order := make([]wanted, articles)
	for i := range order {
		order[i] = wanted{article(i * 7), 1 + i%5}
	}
	text, err := json.Marshal(order)
	if err != nil {
		c.Fatal(err)
	}
	return text
}

// buy reads the bill to its end, without which the connection could not be used again.
func buy(customer *http.Client, address string, order []byte) error {
	answer, err := customer.Post(address, "application/json", bytes.NewReader(order))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		return fmt.Errorf("the shop says %s: %s", answer.Status, text)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}
