// Package fnv is what the example measures.
package fnv

// Sum64 is the FNV-1a hash of data.
func Sum64(data []byte) uint64 {
	sum := uint64(14695981039346656037)
	for _, b := range data {
		sum = (sum ^ uint64(b)) * 1099511628211
	}
	return sum
}
