package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/paths"
	"example.com/suite/internal/usercache"
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

// savedRelink is a relink in the cache, for the next run that compares the same program.
type savedRelink struct {
	Env  []string // that go has set
	Argv []string
}

const savedName = "relink.json"

// keptRelink is the folder for the relink of a program, whose name depends on its content. It is kept until the program
// has not been linked for a day.
func (b *building) keptRelink(program string) (folder string) {
	return filepath.Join(filepath.Dir(program), "building-"+usercache.Key(filepath.Base(program), placement, leaner,
		strings.Join(b.flags, "\n"), strings.Join(b.Env, "\n"), b.vars["GOFLAGS"], b.vars["GOROOT"]))
}

// keep moves the folder of a relink to where the next run finds it. If that fails, the next run makes another one.
func (b *building) keep(r *relink, folder, kept string) {
	saved := savedRelink{Env: r.env[len(b.tool.env):]}
	for _, word := range r.argv {
		saved.Argv = append(saved.Argv, strings.ReplaceAll(word, folder, kept))
	}
	text, _ := json.Marshal(saved) // words always can be
	if os.WriteFile(filepath.Join(folder, savedName), text, 0o600) == nil && os.Rename(folder, kept) == nil {
		r.argv = saved.Argv
	}
}

// readRelink returns the relink in a folder, nil if there is none, or the linker is gone. It places functions, and has
// made the program of go.
func (b *building) readRelink(folder string) *relink {
	text, err := os.ReadFile(filepath.Join(folder, savedName))
	var saved savedRelink
	if err != nil || json.Unmarshal(text, &saved) != nil || len(saved.Argv) == 0 || !paths.Exists(saved.Argv[0]) {
		return nil
	}
	usercache.Touch(folder)
	usercache.Touch(filepath.Dir(saved.Argv[0]))
	return &relink{dir: b.tool.dir, env: slices.Concat(b.tool.env, saved.Env), argv: saved.Argv, places: true}
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
