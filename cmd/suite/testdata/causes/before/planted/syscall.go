package planted

import (
	"bufio"
	"os"

	"example.com/suite/bench"
)

func init() {
	register("syscall", func(c *bench.Case) func() int {
		file, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			c.Fatalf("%v", err)
		}
		c.Cleanup(func() { file.Close() })
		out := bufio.NewWriter(file)
		return func() int { return emit(out, file) }
	})
}

//go:noinline
func emit(out *bufio.Writer, file *os.File) (n int) {
	for _, line := range lines {
		out.WriteString(line)
		n += len(line)
	}
	out.Flush()
	return n
}
