package host

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// heapVariable asks this test binary to move its heap by so many bytes, and to print where it allocates next.
const heapVariable = "SUITE_TEST_HEAP"

// movedSizes are the sizes of objects that moveHeap moves, and others are two that it does not.
var (
	movedSizes = []int{16, 24, 32, 48, 64}
	otherSizes = []int{80, 112}
)

// spanSize is the size of the memory that objects of one of these sizes share, without or with pointers. It is filled from
// its beginning if nothing is collected.
const spanSize = 8192

// Sinks let objects escape.
var (
	sinkBytes    []byte
	sinkPointers []*byte
)

// bytesAt and pointersAt allocate an object, and return where it is within its memory.
func bytesAt(size int) int {
	sinkBytes = make([]byte, size)
	return int(uintptr(unsafe.Pointer(&sinkBytes[0])) % spanSize)
}

func pointersAt(size int) int {
	sinkPointers = make([]*byte, size/8)
	return int(uintptr(unsafe.Pointer(&sinkPointers[0])) % spanSize)
}

// nextPlaces is where the heap allocates next, in objects after one at the beginning of its memory.
type nextPlaces struct {
	Bytes, Pointers map[int]int // by size
	Tiny            int         // bytes after one at the beginning of the 16 that small objects share; -1: they share none
}

// placesAfter moves the heap by n bytes and returns where it allocates next.
func placesAfter(n int) nextPlaces {
	a := nextPlaces{map[int]int{}, map[int]int{}, 0}
	sizes := slices.Concat(movedSizes, otherSizes)
	for bytesAt(1)%16 != 0 {
	}
	shared := bytesAt(1)%16 == 1
	for _, size := range sizes {
		for bytesAt(size) != 0 {
		}
		for pointersAt(size) != 0 {
		}
	}
	moveHeap(n)
	if a.Tiny = -1; shared { // not with the race detector
		a.Tiny = (bytesAt(1) + 15) % 16
	}
	for _, size := range sizes {
		a.Bytes[size], a.Pointers[size] = bytesAt(size)/size, pointersAt(size)/size
	}
	return a
}

// Each draw moves objects of each size, with and without pointers, by a number of its own, the same draw by the same, and
// objects of other sizes stay.
func TestTheHeapMovesByWhatIsDrawn(t *testing.T) {
	if n, asked := os.LookupEnv(heapVariable); asked {
		bytes, _ := strconv.Atoi(n)
		text, _ := json.Marshal(placesAfter(bytes))
		fmt.Printf("\n%s%s\n", heapVariable, text)
		return
	}
	after := func(n int) (a nextPlaces) {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		// Without collections and other threads memory is new, and filled from its beginning.
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", heapVariable, n), "GOGC=off", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
		text, err := cmd.Output()
		_, line, _ := strings.Cut(string(text), "\n"+heapVariable)
		line, _, _ = strings.Cut(line, "\n")
		if err == nil {
			err = json.Unmarshal([]byte(line), &a)
		}
		if err != nil {
			t.Fatalf("%v, %q", err, text)
		}
		return a
	}
	for _, n := range []int{0, 1, 14, 15, 128, 128, 129, 1000, 2047, 4095} {
		got, objects := after(n), 0
		bytes, pointers := map[int]int{}, map[int]int{} // by how many objects those of a size move
		for _, size := range movedSizes {
			bytes[size], pointers[size] = n/size, n/size
			objects += n / size
		}
		switch tiny := n % 16; {
		case got.Tiny < 0:
			bytes[16] += tiny
		case got.Tiny != (1+tiny)%16:
			t.Errorf("%d bytes move the smallest objects by %d", n, got.Tiny-1)
		case tiny >= 14: // of the 16 bytes two were taken before
			bytes[16]++
		}
		for _, held := range []int{objects + n%16, objects} { // lists that grow to one element and to two
			pointers[24] += min(held, 1)
			pointers[48] += min(held/2, 1)
		}
		for _, size := range slices.Concat(movedSizes, otherSizes) {
			if got.Bytes[size] != 1+bytes[size] || got.Pointers[size] != 1+pointers[size] {
				t.Errorf("%d bytes move objects of %d bytes by %d, and by %d with pointers, want %d and %d",
					n, size, got.Bytes[size]-1, got.Pointers[size]-1, bytes[size], pointers[size])
			}
		}
	}
}
