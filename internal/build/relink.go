package build

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// relink is how go links a program, without what go does before: to find out that nothing has to be compiled takes
// longer than the link itself, for each of the layouts of a comparison.
type relink struct {
	dir    string   // in which the linker runs
	env    []string // in addition to suite's own
	argv   []string // of the linker, in which layout and target are the ones of the first link
	places bool     // it puts functions where a layout says
}

const (
	layoutWord = "\x00layout"
	targetWord = "\x00target"
)

// linkerCall finds the last call of the linker in what go -x prints, whose words it quotes as Go does.
func linkerCall(text string) (env, argv []string) {
	for line := range strings.Lines(text) {
		words := unquoted(strings.TrimSpace(line))
		at := slices.IndexFunc(words, func(w string) bool { return !isVariable(w) })
		if at >= 0 && len(words) > at+1 && strings.TrimSuffix(filepath.Base(words[at]),
			".exe") == "link" && words[at+1] == "-o" {
			env, argv = words[:at], words[at:]
		}
	}
	return env, argv
}

func isVariable(word string) bool {
	name, _, found := strings.Cut(word, "=")
	return found && !strings.ContainsAny(name, `/\-`)
}

// unquoted splits a line into words, some of which are quoted, or have values that are.
func unquoted(line string) (words []string) {
	for line != "" {
		line = strings.TrimLeft(line, " ")
		end := strings.IndexByte(line+" ", ' ')
		word := line[:end]
		if quoted, err := strconv.QuotedPrefix(line); err == nil {
			word, _ = strconv.Unquote(quoted) // it is one
			end = len(quoted)
		} else if name, value, found := strings.Cut(line, "='"); found && !strings.Contains(name, " ") {
			if before, _, closed := strings.Cut(value, "'"); closed {
				word, end = name+"="+before, len(name)+len(before)+len("=''")
			}
		}
		words, line = append(words, word), line[end:]
	}
	return words
}

// relinked makes a relink from what go -x -work has printed when it linked a layout to target. What only go's own
// temporary folder contains is moved to dir. The error explains why it is not possible.
func relinked(text string, b *building, layout int64, target, dir string) (*relink, error) {
	work, _, _ := strings.Cut(strings.TrimPrefix(text, "WORK="), "\n")
	work = strings.TrimSpace(work)
	if !strings.HasPrefix(text, "WORK=") || !filepath.IsAbs(work) {
		return nil, errors.New("go names no temporary folder")
	}
	defer os.RemoveAll(work)
	env, argv := linkerCall(text)
	if len(argv) == 0 {
		return nil, errors.New("go has not called the linker")
	}
	for i, word := range argv {
		switch {
		case i > 0 && argv[i-1] == "-o":
			argv[i] = targetWord
		case word == "-randlayout="+strconv.FormatInt(layout, 10):
			argv[i] = "-randlayout=" + layoutWord
		case strings.HasPrefix(word, "$WORK/"):
			kept := filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(word, "$WORK/"), "/", "-"))
			text, err := os.ReadFile(filepath.Join(work, strings.TrimPrefix(word, "$WORK/")))
			if err == nil {
				err = os.WriteFile(kept, text, 0o600)
			}
			if err != nil {
				return nil, err
			}
			argv[i] = kept
		}
		if strings.Contains(argv[i], "$WORK") {
			return nil, errors.New("the linker reads go's temporary folder")
		}
	}
	return &relink{dir: b.tool.dir, env: slices.Concat(b.tool.env, env), argv: argv}, nil
}

// canMake reports whether the linker makes all that a layout says. Where functions start is no such thing: nothing is
// wrong in a program whose functions start elsewhere. A relink that is nil can make nothing.
func (r *relink) canMake(layout Layout) bool { return r != nil && (r.places || layout.Data == 0) }

// link links a layout.
func (r *relink) link(ctx context.Context, layout Layout, target string) error {
	if !r.places {
		return r.run(ctx, layout.Order, target)
	}
	return r.run(ctx, layout.Order, target, startVariable+"="+strconv.Itoa(layout.Start),
		dataVariable+"="+strconv.Itoa(layout.Data))
}

// run runs the linker.
func (r *relink) run(ctx context.Context, order int64, target string, env ...string) error {
	argv := slices.Clone(r.argv)
	for i := range argv {
		argv[i] = strings.ReplaceAll(strings.ReplaceAll(argv[i], layoutWord, strconv.FormatInt(order, 10)), targetWord,
			target)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = r.dir, slices.Concat(os.Environ(), r.env, env)
	grouped(cmd)
	return cmd.Run()
}

// gnuBuildID begins the note with the build ID of a system's linker, of 20 bytes, which programs with C code have. It is
// a hash of files whose names are new each time.
const gnuBuildID = "\x04\x00\x00\x00\x14\x00\x00\x00\x03\x00\x00\x00GNU\x00"

// makes links an order once more, and reports whether that is the program that go has made, but for the build IDs: into
// its own go writes a hash of the program at last.
func (r *relink) makes(ctx context.Context, order int64, program string) bool {
	again := program + ".again"
	defer os.Remove(again)
	if r.run(ctx, order, again) != nil {
		return false
	}
	one, err1 := os.ReadFile(program)
	two, err2 := os.ReadFile(again)
	if err := errors.Join(err1, err2); err != nil || len(one) != len(two) {
		return false
	}
	for _, word := range r.argv {
		if id, given := strings.CutPrefix(word, "-buildid="); given {
			if at := bytes.Index(two, []byte(id)); at >= 0 {
				copy(one[at:at+len(id)], id)
			}
		}
	}
	if at := bytes.Index(two, []byte(gnuBuildID)) + len(gnuBuildID); at > len(gnuBuildID) && at+20 <= len(two) {
		copy(one[at:at+20], two[at:])
	}
	return bytes.Equal(one, two)
}
