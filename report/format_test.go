package report

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestFormats(t *testing.T) {
	doc := recorded(t)["one"]
	for _, f := range Formats() {
		if f.Help == "" || render(t, f.Name, doc, Options{}) == "" {
			t.Errorf("%s: no help or no output", f.Name)
		}
	}
	err := Render(io.Discard, "jnuit", doc, Options{})
	if err == nil || err.Error() != `unknown format "jnuit"; expected one of `+names() {
		t.Errorf("got %v", err)
	}
}

// full fails after so many bytes, as a full disk does.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

// No renderer swallows an error of its writer.
func TestRenderTellsOfWriteErrors(t *testing.T) {
	doc := recorded(t)["names"]
	for _, f := range Formats() {
		var whole bytes.Buffer
		if err := Render(&whole, f.Name, doc, Options{}); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, min(10, whole.Len()-1), whole.Len() / 2, whole.Len() - 1} {
			room := full(n)
			if err := Render(&room, f.Name, doc, Options{}); err == nil || !strings.Contains(err.Error(), "no space left") {
				t.Errorf("%s with room for %d bytes: %v", f.Name, n, err)
			}
		}
	}
}

// The aim is under 1 s for each format.
func BenchmarkRender(b *testing.B) {
	functions, commands := many(10000, 30), many(10000, 30)
	for i := range commands.Cases {
		command(&commands.Cases[i], 1<<20, 0.9, "true")
	}
	for _, f := range Formats() {
		doc := functions
		if f.Name == "hyperfine" { // which knows nothing else
			doc = commands
		}
		b.Run(f.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := Render(io.Discard, f.Name, doc, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
