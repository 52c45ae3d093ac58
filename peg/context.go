//go:build !nopeg

package peg

import "context"

type laneKey struct{}

// WithLane returns a context that carries the lane.
func WithLane(ctx context.Context, l *Lane) context.Context {
	return context.WithValue(ctx, laneKey{}, l)
}

// LaneOf returns the lane that a context carries, the default lane if it carries none.
func LaneOf(ctx context.Context) *Lane {
	if l, ok := ctx.Value(laneKey{}).(*Lane); ok {
		return l
	}
	return pegs.common
}
