package table

// A comparison with a saved result is unpaired. Every report shows that at its gates,
// in the heading of its column and in a note.

// Remark follows the verdict of a gate that was decided on point values or unpaired;
// else it is empty.
func (g *Gate) Remark() string {
	switch {
	case g.Point:
		return " (point)"
	case g.Unpaired:
		return " (unpaired)"
	}
	return ""
}

// TripwireNote explains the sign.
const TripwireNote = "unpaired: against a saved result, measured at another time, so changes of the machine are in the difference: a tripwire without a promised certainty"
