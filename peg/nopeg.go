//go:build nopeg

package peg

import (
	"context"

	"example.com/suite/peg/pegfile"
)

// Point is nothing.
type Point struct{}

// Lane is nothing.
type Lane struct{}

// Mark is nothing.
type Mark struct{}

// New makes nothing.
func New(name string) *Point { return nil }

// Directed makes nothing.
func Directed(name, from string) *Point { return nil }

// Here makes nothing.
func Here() *Point { return nil }

// Hit does nothing.
func (p *Point) Hit() {}

// Start does nothing.
func (p *Point) Start() {}

// Stop does nothing.
func (p *Point) Stop() {}

// NewLane makes nothing.
func NewLane(name string) *Lane { return nil }

// Close does nothing.
func (l *Lane) Close() {}

// Hit does nothing.
func (l *Lane) Hit(p *Point) {}

// Start does nothing.
func (l *Lane) Start(p *Point) {}

// Stop does nothing.
func (l *Lane) Stop(p *Point) {}

// Begin does nothing.
func (l *Lane) Begin(p *Point) Mark { return Mark{} }

// End does nothing.
func (m Mark) End() {}

// WithLane returns the context as it is.
func WithLane(ctx context.Context, l *Lane) context.Context { return ctx }

// LaneOf returns nil.
func LaneOf(ctx context.Context) *Lane { return nil }

// Enable does nothing.
func Enable(names ...string) {}

// Disable does nothing.
func Disable() {}

// Snapshot returns a document that states that there are no pegs.
func Snapshot() *pegfile.Document {
	return &pegfile.Document{Protocol: pegfile.Protocol, Points: []pegfile.Hits{}, Arcs: []pegfile.Arc{},
		Problems: []string{"the program was built with the tag nopeg"}}
}

// Reset does nothing.
func Reset() {}

// SnapshotAndReset is Snapshot.
func SnapshotAndReset() *pegfile.Document { return Snapshot() }
