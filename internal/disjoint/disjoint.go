// Package disjoint groups things that are connected, directly or through others.
package disjoint

// Sets are groups of the numbers from 0 to len-1. Each number is at first alone.
type Sets []int // of each number, a smaller number of its group, or itself if it is the smallest

// New returns n numbers that are not connected.
func New(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// Join connects the groups of two numbers.
func (s Sets) Join(i, k int) {
	a, b := s.first(i), s.first(k)
	s[max(a, b)] = min(a, b)
}

// first returns the smallest number of a group, and shortens the way to it.
func (s Sets) first(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Groups returns the groups in the order of their smallest numbers, each ascending.
func (s Sets) Groups() (all [][]int) {
	group := map[int]int{} // index in all, by the smallest number
	for i := range s {
		first := s.first(i)
		at, known := group[first]
		if !known {
			at, all = len(all), append(all, nil)
			group[first] = at
		}
		all[at] = append(all[at], i)
	}
	return all
}
