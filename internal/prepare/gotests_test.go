package prepare

import (
	"slices"
	"testing"

	"example.com/suite/internal/gotest"
)

func TestBenchmarksSkippedForOneReasonAreOneLine(t *testing.T) {
	const corpus, words = "x_test.go:9: make corpus", "x_test.go:5: no words"
	got := skipLines([]gotest.Note{{Name: "BenchmarkA", Reason: corpus}, {Name: "BenchmarkWords", Reason: words},
		{Name: "BenchmarkB", Reason: corpus}, {Name: "BenchmarkC", Reason: corpus},
		{Name: "BenchmarkD", Reason: corpus}, {Name: "BenchmarkE", Reason: corpus}, {Name: "BenchmarkQuiet"}})
	want := []string{
		"BenchmarkA, BenchmarkB, BenchmarkC and 2 more are skipped: x_test.go:9: make corpus",
		"BenchmarkWords is skipped: x_test.go:5: no words",
		"BenchmarkQuiet is skipped",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
