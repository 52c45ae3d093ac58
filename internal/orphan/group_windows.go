package orphan

import "os"

// KillGroup kills a process; what it started lives on.
func KillGroup(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}
