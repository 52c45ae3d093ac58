// Command tiny uses all that programs are instrumented with.
package main

import (
	"context"
	"os"

	"example.com/suite/peg"
)

var (
	parse = peg.New("parse")
	emit  = peg.New("emit")
	whole = peg.Directed("whole", "parse")
)

func main() {
	peg.Enable()
	lane := peg.NewLane("main")
	ctx := peg.WithLane(context.Background(), lane)
	work(ctx)
	lane.Close()
	peg.Disable()
	peg.Reset()
	os.Stdout.WriteString("done\n")
}

func work(ctx context.Context) {
	lane := peg.LaneOf(ctx)
	defer lane.Begin(whole).End()
	lane.Hit(parse)
	lane.Start(parse)
	lane.Stop(emit)
	lane.Hit(peg.Here())
	parse.Hit()
	parse.Start()
	emit.Stop()
}
