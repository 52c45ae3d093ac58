// The program server is what suites/server.yaml measures: an HTTP server, and a client that
// loads it and prints what it found as one line of JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
)

func main() {
	err := errors.New("usage: server serve ADDRESS | server load ADDRESS CLIENTS")
	switch {
	case len(os.Args) == 3 && os.Args[1] == "serve":
		err = serve(os.Args[2])
	case len(os.Args) == 4 && os.Args[1] == "load":
		err = load(os.Args[2], os.Args[3])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve answers until a signal ends it.
func serve(address string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := http.Server{Addr: address, Handler: http.HandlerFunc(greet)}
	context.AfterFunc(ctx, func() { _ = server.Shutdown(context.Background()) })
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func greet(w http.ResponseWriter, r *http.Request) {
	_ = json.NewEncoder(w).Encode(map[string]any{"greeting": "hello", "path": r.URL.Path})
}

// requests is how many one run of the client sends. The suite file has it as work.
const requests = 2000

// report is what the client prints.
type report struct {
	P50    float64 `json:"p50_ms"`
	P99    float64 `json:"p99_ms"`
	Errors int     `json:"errors"`
}

// load sends all requests, from so many clients at the same time, each with a connection of
// its own that it keeps.
func load(address, text string) error {
	clients, err := strconv.Atoi(text)
	if err != nil || clients < 1 || requests%clients != 0 {
		return fmt.Errorf("%q clients cannot share %d requests", text, requests)
	}
	times := make([]time.Duration, requests)
	failed := make([]bool, requests)
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			share := requests / clients
			for j := i * share; j < (i+1)*share; j++ {
				began := time.Now()
				failed[j] = get(client, "http://"+address+"/") != nil
				times[j] = time.Since(began)
			}
		})
	}
	all.Wait()
	slices.Sort(times)
	found := report{P50: milliseconds(times[requests/2]), P99: milliseconds(times[requests*99/100])}
	for _, is := range failed {
		if is {
			found.Errors++
		}
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}

func get(client *http.Client, url string) error {
	answer, err := client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	return nil
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
