package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.com/suite/internal/reach"
)

// Layout decides at which addresses the functions and the data of a program are.
type Layout struct {
	Order int64 // a positive number from which the order of functions is drawn
	Start int   // where functions start within 64 bytes: so many times the linker's alignment of functions
	Data  int   // from 1 to 4095, by how much constants and variables are moved; 0: they stay where they are
}

// leaner makes the linker leave out what only debuggers read, which is a third of the link time and of the file, and
// which valgrind takes 0.1 s to read, but not the names of functions.
const leaner = "-w"

// layoutOptions make the linker put functions in an order that is drawn from a number. Go has -randlayout since 1.22,
// for programs that its own linker makes.
const layoutOptions = leaner + " -randlayout="

// ErrNoLayout means that the functions of a program cannot be put into another order.
var ErrNoLayout = errors.New("the order of functions cannot be drawn")

// linked is a program that can be linked again. Its packages are compiled already, so only
// linking takes time: 0.13 s for 5 MB.
type linked struct {
	request *building
	build   []string // go command that builds it, without flags and target
	overlay []string // flags that only this command needs
	program string   // what it has built
	graph   []byte   // of the build, see readGraph

	listing  sync.Mutex // held while archives are listed
	archived []reach.Archive

	mu    sync.Mutex
	first int64  // layout that was linked first
	hash  string // of that program

	once   sync.Mutex // held while it is found out how go links
	known  bool
	direct *relink // nil: only go can link it
}

// Link builds the program once more from the same source, with its functions in a layout, and
// writes it to target, which must not exist. The same layout produces the same program. Start
// has no effect if the linker cannot be built again, as for a release of Go that is not known.
//
// The error is ErrNoLayout if flags of the user or the system prevent it, if the order stays
// the same, or if data are to be moved by a linker that cannot be built again. If the context
// ends, the error is its cause.
func (l *linked) Link(ctx context.Context, layout Layout, target string) error {
	flags, err := l.request.relaid(layout.Order)
	if err != nil {
		return err
	}
	if err := l.linkTo(ctx, flags, layout, target); err != nil {
		return err
	}
	return l.differs(layout.Order, target)
}

// linkTo links without go's own checks once it is known how: what was compiled stays in go's cache.
func (l *linked) linkTo(ctx context.Context, flags []string, layout Layout, target string) error {
	l.once.Lock()
	if l.known {
		l.once.Unlock()
		if l.direct.canMake(layout) && l.direct.link(ctx, layout, target) == nil {
			return nil
		}
		return l.byGo(ctx, flags, layout, target)
	}
	defer l.once.Unlock()
	l.known = true
	kept := l.request.keptRelink(l.program)
	if r := l.request.readRelink(kept); r != nil {
		if err := r.link(ctx, layout, target); err == nil || ctx.Err() != nil {
			l.direct = r
			return err
		}
	}
	_ = os.RemoveAll(kept)                                // it is damaged, or go's cache no longer has what it links
	dir, err := os.MkdirTemp(l.request.slot, "building-") // kept for a day
	if err != nil {
		return l.byGo(ctx, flags, layout, target)
	}
	_, text, err := l.request.tool.within(dir).start(ctx, l.args(append(flags, "-x", "-work"), target)...)
	if err != nil {
		return l.byGo(ctx, flags, layout, target) // its error explains why
	}
	r, why := relinked(text, l.request, layout.Order, target, dir)
	if why != nil {
		return unmoved(layout)
	}
	if p, why := r.placing(ctx, l.request); why == nil && p.makes(ctx, layout.Order, target) {
		r = p
		l.request.keep(r, dir, kept)
	} else if !r.makes(ctx, layout.Order, target) {
		return unmoved(layout)
	}
	l.direct = r
	if !r.canMake(layout) {
		return unmoved(layout)
	}
	return r.link(ctx, layout, target) // so that a layout is one program, whenever it is linked
}

// unmoved is the error of a layout that moves data, if go's own linker makes the program.
func unmoved(layout Layout) error {
	if layout.Data == 0 {
		return nil
	}
	return fmt.Errorf("%w: the linker of this release of Go moves no data", ErrNoLayout)
}

func (l *linked) byGo(ctx context.Context, flags []string, layout Layout, target string) error {
	if err := unmoved(layout); err != nil && ctx.Err() == nil {
		return err
	}
	if _, text, err := l.request.tool.run(ctx, l.args(flags, target)...); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("%w: the linker refuses it: %v", ErrNoLayout, l.request.tree.failed(text, err))
	}
	return nil
}

func (l *linked) args(flags []string, target string) []string {
	return slices.Concat(l.build[:len(l.build)-1], flags, l.overlay, []string{"-o", target}, l.build[len(l.build)-1:])
}

// differs checks that two layouts produce two programs.
func (l *linked) differs(layout int64, target string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first != 0 && l.hash == "" || layout == l.first {
		return nil
	}
	hash, err := hashFile(target)
	if err != nil {
		return err
	}
	switch {
	case l.first == 0:
		l.first, l.hash = layout, hash
	case hash == l.hash:
		return fmt.Errorf("%w: the linker keeps the order of functions", ErrNoLayout)
	default:
		l.hash = "" // once is enough
	}
	return nil
}

// relaid adds the option for a layout to the flags.
func (b *building) relaid(layout int64) ([]string, error) {
	return b.linkedWith(layoutOptions + strconv.FormatInt(layout, 10))
}

// linkedWith adds an option of the linker to the flags. For each package the last -ldflags
// that matches wins, so the option is added to every -ldflags of the user. An -ldflags
// in GOFLAGS would be lost.
func (b *building) linkedWith(option string) ([]string, error) {
	if strings.Contains(b.vars["GOFLAGS"], "-ldflags") {
		return nil, fmt.Errorf("%w: GOFLAGS contains -ldflags", ErrNoLayout)
	}
	flags, given := slices.Clone(b.flags), false
	for i, f := range flags {
		name, value, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if name == "ldflags" {
			given = true
			flags[i] = "-ldflags=" + strings.TrimSpace(value+" "+option)
		}
	}
	if !given {
		flags = append(flags, "-ldflags="+option)
	}
	return flags, nil
}
