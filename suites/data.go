package suites

import (
	"encoding/json"
	"strconv"
	"sync"

	"example.com/suite/bench"
)

func init() {
	bench.Register("json/encode", encode)
	bench.Register("json/decode", decode)
	bench.Register("map/read", readMap)
	bench.Register("map/write", writeMap)
	bench.Register("channel/pingpong", pingPong)
	bench.Register("mutex/lock", lock)
}

// order is a record as services pass around.
type order struct {
	ID       int      `json:"id"`
	Customer string   `json:"customer"`
	Items    []string `json:"items"`
	Total    float64  `json:"total"`
}

func sample() order {
	return order{4711, "Ada Lovelace", []string{"engine", "cards", "notes"}, 1842.5}
}

func encode(c *bench.Case) bench.Loop {
	value := sample()
	return bench.Each(func() {
		if _, err := json.Marshal(value); err != nil {
			c.Fatal(err)
		}
	})
}

func decode(c *bench.Case) bench.Loop {
	text, err := json.Marshal(sample())
	if err != nil {
		c.Fatal(err)
	}
	c.Work(float64(len(text)), "byte")
	return bench.Each(func() {
		var value order
		if err := json.Unmarshal(text, &value); err != nil {
			c.Fatal(err)
		}
	})
}

// keys are strings, as most maps have them.
func keys(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = "key-" + strconv.Itoa(i)
	}
	return all
}

func readMap(c *bench.Case) bench.Loop {
	names, m := keys(c.Int("size")), map[string]int{}
	for i, name := range names {
		m[name] = i
	}
	return func(n int) {
		sum := 0
		for i := range n {
			sum += m[names[i%len(names)]]
		}
		bench.Keep(&sum)
	}
}

func writeMap(c *bench.Case) bench.Loop {
	names, m := keys(c.Int("size")), map[string]int{}
	return func(n int) {
		for i := range n {
			m[names[i%len(names)]] = i
		}
	}
}

// pingPong passes a token to another goroutine and back. It works on two
// goroutines, which suite notices: its loop is not locked to a thread.
func pingPong(c *bench.Case) bench.Loop {
	there, back := make(chan int), make(chan int)
	go func() {
		for token := range there {
			back <- token
		}
	}()
	c.Cleanup(func() { close(there) })
	return func(n int) {
		for i := range n {
			there <- i
			<-back
		}
	}
}

func lock(*bench.Case) bench.Loop {
	var mu sync.Mutex
	return func(n int) {
		for range n {
			mu.Lock()
			//lint:ignore SA2001 the empty critical section is what is measured
			mu.Unlock()
		}
	}
}
