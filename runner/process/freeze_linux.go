package process

import "example.com/suite/internal/orphan"

// freeze stops processes with all that descend from them, in any process group, and
// returns the processes that it has stopped.
func freeze(roots []int) (all []int) { return orphan.Freeze(roots) }

// thaw lets processes that freeze has stopped go on.
func thaw(pids []int) { orphan.Thaw(pids) }

// killAll kills processes with all that descend from them.
func killAll(roots []int) { orphan.KillAll(roots) }

// killBelow kills a process with all that descends from it.
func killBelow(pid int) { killAll([]int{pid}) }
