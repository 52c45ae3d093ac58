package client

import (
	"fmt"
	"os"

	"example.com/suite/internal/scratch"
)

// OpenMark creates the file in which a host of functions keeps the number of the batch that
// it runs in a block of pairs: if the host dies, the number shows which side it ran. Without
// a place for temporary files there is none, and path is empty.
func (r *Client) OpenMark() (path string) {
	file, err := scratch.Named("suite-mark-*")
	if err != nil {
		return ""
	}
	r.mark = file
	if path := fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), file.Fd()); hasFile(path) {
		// it needs no name, which a run that is killed would leave
		r.HideMark()
		return path
	}
	return file.Name()
}

// HideMark removes the name of the file, which both processes have opened by now. Windows
// keeps it until DropMark.
func (r *Client) HideMark() {
	if r.mark != nil {
		_ = os.Remove(r.mark.Name())
	}
}

// Marked is the number of the batch that ran last, from 1; 0 if it is not known.
func (r *Client) Marked() int {
	var number [1]byte
	if r.mark == nil {
		return 0
	}
	if n, _ := r.mark.ReadAt(number[:], 0); n < 1 {
		return 0
	}
	return int(number[0])
}

// DropMark removes the file of a host that has ended.
func (r *Client) DropMark() {
	if r.mark != nil {
		_ = r.mark.Close()
		_ = os.Remove(r.mark.Name())
	}
}

func hasFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
