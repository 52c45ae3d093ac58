// Package gc has benchmarks for go test that suites/allocation.yaml measures: what they cost
// depends on the heap of the whole process, and suite gives each a process of its own.
package gc

import (
	"runtime"
	"testing"
)

// branch is a node of a binary tree.
type branch struct{ left, right *branch }

func grown(depth int) *branch {
	if depth == 0 {
		return &branch{}
	}
	return &branch{grown(depth - 1), grown(depth - 1)}
}

func (b *branch) count() int {
	if b.left == nil {
		return 1
	}
	return 1 + b.left.count() + b.right.count()
}

// kept is what a program holds while it makes garbage: 131,071 nodes.
var kept *branch

// BenchmarkTree makes small trees while a large one is held. The smaller GOGC is, the
// oftener the large one is visited.
func BenchmarkTree(b *testing.B) {
	kept = grown(16)
	before := collections()
	for b.Loop() {
		if n := grown(10).count(); n != 1<<11-1 {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(collections()-before)/float64(b.N), "gcs/op")
	if kept.count() != 1<<17-1 {
		b.Fatal("the large tree has changed")
	}
}

func collections() uint32 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.NumGC
}

// BenchmarkCollect measures one collection of a heap of 4 MiB, with pointers and without.
func BenchmarkCollect(b *testing.B) {
	b.Run("tree", func(b *testing.B) {
		held := grown(17) // 262,143 nodes of 16 bytes
		for b.Loop() {
			runtime.GC()
		}
		runtime.KeepAlive(held)
	})
	b.Run("bytes", func(b *testing.B) {
		held := make([]byte, 1<<22)
		for b.Loop() {
			runtime.GC()
		}
		runtime.KeepAlive(held)
	})
}
