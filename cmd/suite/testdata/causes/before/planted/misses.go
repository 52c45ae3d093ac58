package planted

import "example.com/suite/bench"

const side = 256

func init() {
	register("misses", func(*bench.Case) func() int {
		m := &matrix{}
		for i := range m {
			for j := range m[i] {
				m[i][j] = i ^ j
			}
		}
		return func() int { return m.sum() }
	})
}

type matrix [side][side]int

//go:noinline
func (m *matrix) sum() (sum int) {
	for i := range side {
		for j := range side {
			sum += m[i][j]
		}
	}
	return sum
}
