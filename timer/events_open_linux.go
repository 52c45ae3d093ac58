package timer

import (
	"errors"
	"slices"

	"golang.org/x/sys/unix"
)

func openEvents(k perfKernel, names []string, scope Scope) (*perfEvents, []Skipped) {
	list, skipped := wanted(names)
	e := &perfEvents{kernel: k}
	for _, hardware := range []bool{true, false} {
		var kind []Event
		for _, event := range list {
			if event.Hardware == hardware {
				kind = append(kind, event)
			}
		}
		// Software events have a group of their own. In the group of hardware events
		// they would wait for the hardware too, and their counts would be estimates;
		// a second system call a reading costs less than that.
		skipped = append(skipped, e.openEvents(kind, scope)...)
	}
	if len(e.groups) == 0 {
		return nil, skipped
	}
	e.arrange()
	return e, skipped
}

// openEvents opens events of one kind, in groups if they are of this thread.
func (e *perfEvents) openEvents(list []Event, scope Scope) (skipped []Skipped) {
	groups, skipped := e.open(list, scope, scope == ThisThread)
	if scope == ThisThread {
		groups = e.start(groups)
	}
	e.groups = append(e.groups, groups...)
	return skipped
}

// open opens events in groups, as few as the hardware takes, or one by one.
func (e *perfEvents) open(list []Event, scope Scope, grouped bool) (groups []*perfGroup, skipped []Skipped) {
	for _, event := range list {
		g := &perfGroup{single: !grouped}
		leader := -1
		if grouped && len(groups) > 0 {
			g = groups[len(groups)-1]
			leader = g.fds[0]
		}
		fd, cut, err := e.event(event, scope, grouped, leader)
		if leader >= 0 && (err == unix.EINVAL || err == unix.ENOSPC) {
			// The hardware has no room for one more event in this group.
			g = &perfGroup{}
			fd, cut, err = e.event(event, scope, grouped, -1)
		}
		if err != nil {
			skipped = append(skipped, Skipped{kindEvent, event.Name, e.reason(err)})
			continue
		}
		if len(g.fds) == 0 {
			groups = append(groups, g)
		}
		g.fds, g.events = append(g.fds, fd), append(g.events, event)
		if cut {
			e.note(event.Metric)
		}
	}
	return groups, skipped
}

// event opens one event. A leader starts disabled until its members are open, an
// event of children until the child executes its program.
func (e *perfEvents) event(event Event, scope Scope, grouped bool, leader int) (fd int, cut bool, err error) {
	attr := eventAttr(event.Metric)
	attr.Read_format = timesFormat
	if grouped {
		attr.Read_format |= unix.PERF_FORMAT_GROUP
	}
	switch {
	case scope >= Children:
		attr.Bits = unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec
	case leader < 0:
		attr.Bits = unix.PerfBitDisabled
	}
	fd, cut, err = openAllowed(e.kernel, attr, leader)
	if err == nil && cut && inKernel(event.Metric) {
		_ = e.kernel.close(fd)
		return -1, false, errInKernel
	}
	return fd, cut, err
}

// errInKernel is the error of an event that opens without the kernel's part but counts
// nothing, as context switches and migrations were measured to do at level 2.
var errInKernel = errors.New("happens in the kernel, and counting there is ")

func (e *perfEvents) reason(err error) string {
	if err == errInKernel {
		return err.Error() + forbidden(e.kernel, unix.EACCES).Error()
	}
	return reason(e.kernel, err).Error()
}

// start enables groups. A group that is not on the hardware at once may never be,
// because a watchdog or another program uses a counter that it needs: its events are
// opened again one by one, so that they take turns.
func (e *perfEvents) start(groups []*perfGroup) (started []*perfGroup) {
	for _, g := range groups {
		if e.kernel.enable(g.fds[0]) == nil && (len(g.fds) == 1 || e.runs(g)) {
			started = append(started, g)
			continue
		}
		_ = (&perfEvents{kernel: e.kernel, groups: []*perfGroup{g}}).Close()
		for _, event := range g.events {
			alone, _ := e.open([]Event{event}, ThisThread, true)
			for _, g := range alone {
				_ = e.kernel.enable(g.fds[0])
			}
			started = append(started, alone...)
		}
	}
	return started
}

// runs reports whether a group has been on the hardware since it was enabled.
func (e *perfEvents) runs(g *perfGroup) bool {
	g.buf, g.at = make([]byte, 8*(3+len(g.fds))), make([]int, len(g.fds))
	var into [1]Count
	n, err := e.kernel.read(g.fds[0], g.buf)
	return err == nil && n == len(g.buf) && g.parse(into[:]) && into[0].Running > 0
}

// note records once that a metric leaves out the kernel's part.
func (e *perfEvents) note(metric string) {
	if metric == "task_clock" { // counts all of the time, whatever is excluded
		return
	}
	if !slices.Contains(e.cut, metric) {
		e.cut = append(e.cut, metric)
	}
}
