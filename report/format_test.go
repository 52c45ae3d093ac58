package report

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

func TestFormats(t *testing.T) {
	doc := recorded(t)["one"]
	for _, f := range Formats() {
		if f.Help == "" || render(t, f.Name, doc, table.Options{}) == "" {
			t.Errorf("%s: no help or no output", f.Name)
		}
	}
	err := Render(io.Discard, "jnuit", doc, table.Options{})
	if err == nil || err.Error() != `unknown format "jnuit"; expected one of `+strings.Join(FormatNames(), ", ") {
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
		if err := Render(&whole, f.Name, doc, table.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, min(10, whole.Len()-1), whole.Len() / 2, whole.Len() - 1} {
			room := full(n)
			if err := Render(&room, f.Name, doc, table.Options{}); err == nil || !strings.Contains(err.Error(), "no space left") {
				t.Errorf("%s with room for %d bytes: %v", f.Name, n, err)
			}
		}
	}
}

// The aims are under 1 s for each format, and less than 300 MB in addition to the
// document. "heap-MB" is the largest growth of the heap, read after every 64 KiB and
// at the end.
func BenchmarkRender(b *testing.B) {
	functions, commands := reporttest.Many(10000, 30), reporttest.Many(10000, 30)
	for i := range commands.Cases {
		reporttest.Command(&commands.Cases[i], 1<<20, 0.9, "true")
	}
	for _, f := range Formats() {
		doc := functions
		if f.Name == "hyperfine" { // which knows nothing else
			doc = commands
		}
		benchmarkRender(b, f.Name, doc)
	}
}

// A run in which everything fails has more to report: 10,000 cases whose gates all
// fail, of which every third could not be measured.
func BenchmarkRenderFailures(b *testing.B) {
	doc := allBroken(10000)
	for i := range doc.Cases {
		if c := &doc.Cases[i]; c.Status == result.Measured {
			reporttest.Sample(c, 30, c.Summary("time").Median, 0.01)
		} else {
			c.Failure.Detail = "panic: no such thing\n\ngoroutine 1 [running]:\nmain.work(0x1)\n\t/src/app/main.go:41 +0x1d\n"
		}
	}
	for _, f := range Formats() {
		benchmarkRender(b, f.Name, doc)
	}
}

func benchmarkRender(b *testing.B, format string, doc *result.Document) {
	b.Run(format, func(b *testing.B) {
		b.ReportAllocs()
		var out watchedHeap
		for b.Loop() {
			b.StopTimer()
			out.begin()
			b.StartTimer()
			if err := Render(&out, format, doc, table.Options{}); err != nil {
				b.Fatal(err)
			}
			out.look()
		}
		b.ReportMetric(float64(out.most)/1e6, "heap-MB")
	})
}

// watchedHeap takes what is written and remembers how far the heap grew.
type watchedHeap struct {
	before, most uint64
	unread       int
}

func (h *watchedHeap) begin() {
	runtime.GC()
	h.before, h.unread = heapBytes(), 0
}

func (h *watchedHeap) Write(p []byte) (int, error) {
	if h.unread += len(p); h.unread >= 64<<10 {
		h.look()
	}
	return len(p), nil
}

func (h *watchedHeap) look() {
	h.unread = 0
	if now := heapBytes(); now > h.before {
		h.most = max(h.most, now-h.before)
	}
}

// heapBytes are those that objects take, also the ones that no collection has found yet.
func heapBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
