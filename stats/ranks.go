package stats

// ranked finds the r-th smallest number of a growing set. r never shrinks and grows
// by at most one with each number. An addition takes O(log n).
type ranked struct {
	low  heap // the r smallest, negated: its top is the r-th smallest
	high heap // all others
}

// add adds x; if grow is set, r grows by one.
func (r *ranked) add(x float64, grow bool) {
	r.low.push(-x)
	r.high.push(-r.low.pop())
	if grow {
		r.low.push(-r.high.pop())
	}
}

// at is the r-th smallest number; r must not be 0.
func (r *ranked) at() float64 { return -r.low[0] }

// next is the number after the r-th smallest; r must be less than the size of the
// set.
func (r *ranked) next() float64 { return r.high[0] }

// heap is a binary heap with the least on top.
type heap []float64

func (h *heap) push(x float64) {
	s := append(*h, x)
	i := len(s) - 1
	for ; i > 0 && s[(i-1)/2] > x; i = (i - 1) / 2 {
		s[i] = s[(i-1)/2]
	}
	s[i] = x
	*h = s
}

func (h *heap) pop() float64 {
	s := *h
	top, x := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	if len(s) == 0 {
		return top
	}
	i := 0
	for child := 1; child < len(s); child = 2*i + 1 {
		if child+1 < len(s) && s[child+1] < s[child] {
			child++
		}
		if s[child] >= x {
			break
		}
		s[i], i = s[child], child
	}
	s[i] = x
	return top
}
