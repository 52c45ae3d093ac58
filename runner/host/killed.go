package host

// killed notes that the timeout has ended the run of the last row. All that is known
// of its time is that it is at least the timeout, whenever its death was noticed;
// what else it had used by then it would have used as well. It has no exit status.
func (out *Readings) killed(r *run, timeout int64) {
	out.Killed = append(out.Killed, len(out.ID)-1)
	r.wall, r.exit = timeout, -1
}
