package build

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// layoutOption makes the linker put functions in an order that is drawn from a
// number. Go has it since 1.22, in programs that its own linker makes.
const layoutOption = "-randlayout="

// ErrNoLayout says that a program cannot be linked in another layout.
var ErrNoLayout = errors.New("no second build")

// Again builds the program of a request once more, from the same source, with its
// functions in another order: two programs that differ in nothing but where their
// code lies. What is compiled already is only linked, which takes 0.4 s.
//
// The order follows from the content of first, and not from the seed of a run: builds
// come before that is drawn, a run that goes on has to find the program it had, and
// the same code has the same floor every time. The error is ErrNoLayout where flags of
// the user or the system stand against it, or where it changes nothing.
func Again(ctx context.Context, r Request, first *Program) (*Program, error) {
	layout, err := strconv.ParseInt(first.Hash[:8], 16, 64)
	if err != nil {
		return nil, err
	}
	b, err := begin(r)
	if err == nil {
		err = b.relaid(ctx, max(layout, 1))
	}
	if err != nil {
		return nil, err
	}
	p, err := b.make(ctx)
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, fmt.Errorf("%w: the linker refuses it: %v", ErrNoLayout, err)
	case err == nil && p.Hash == first.Hash:
		return nil, fmt.Errorf("%w: the linker puts the functions into the same order", ErrNoLayout)
	}
	return p, err
}

// relaid adds the option to the flags. The last -ldflags that fits a package wins, so
// it has to stand in every one that the user gives; those of GOFLAGS would be lost.
func (b *building) relaid(ctx context.Context, layout int64) error {
	b.tool.dir = b.Dir
	env, text, err := b.tool.variables(ctx)
	if err != nil {
		return b.failed(text, err)
	}
	if strings.Contains(env["GOFLAGS"], "-ldflags") {
		return fmt.Errorf("%w: GOFLAGS holds -ldflags", ErrNoLayout)
	}
	option, given := layoutOption+strconv.FormatInt(layout, 10), false
	for i, f := range b.flags {
		name, value, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if name == "ldflags" {
			given, b.flags[i] = true, "-ldflags="+strings.TrimSpace(value+" "+option)
		}
	}
	if !given {
		b.flags = append(b.flags, "-ldflags="+option)
	}
	return nil
}
