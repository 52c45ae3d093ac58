package host

// Objects that stay on the heap.
var (
	heldBytes    [][]byte
	heldPointers [][]*byte
)

// moveHeap moves the small objects that are allocated from now on by up to n bytes within their pages. Assembly executes
// more if a short text is at the end of one.
func moveHeap(n int) {
	for range n % 16 { // those below 16 bytes share these
		heldBytes = append(heldBytes, make([]byte, 1))
	}
	for _, size := range [...]int{16, 24, 32, 48, 64} {
		for range n / size {
			heldBytes = append(heldBytes, make([]byte, size))
			heldPointers = append(heldPointers, make([]*byte, size/8))
		}
	}
}
