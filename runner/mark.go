package runner

import (
	"fmt"
	"os"

	"example.com/suite/runner/host"
)

// openMark makes the file in which a host of functions keeps the number of the batch
// that it runs in a block of pairs: of one that died it says which side it was.
// Without a place for temporary files there is none, and path is empty.
func (r *remote) openMark() (path string) {
	file, err := host.Temporary("suite-mark-*")
	if err != nil {
		return ""
	}
	r.mark = file
	if path := fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), file.Fd()); exists(path) { // it needs no name, which a run that is killed would leave
		r.hideMark()
		return path
	}
	return file.Name()
}

// hideMark removes the name of the file, which both processes have open by now.
// Windows keeps it until dropMark.
func (r *remote) hideMark() {
	if r.mark != nil {
		_ = os.Remove(r.mark.Name())
	}
}

// marked is the number of the batch that ran, from 1; 0 where nobody knows.
func (r *remote) marked() int {
	var number [1]byte
	if r.mark == nil {
		return 0
	}
	if n, _ := r.mark.ReadAt(number[:], 0); n < 1 {
		return 0
	}
	return int(number[0])
}

// dropMark forgets the file of a host that is gone.
func (r *remote) dropMark() {
	if r.mark != nil {
		_ = r.mark.Close()
		_ = os.Remove(r.mark.Name())
	}
}
