package table

import "example.com/suite/result"

// acceptedText is the term of an acceptance, "accepted until 2026-12-31", or that it
// has expired. It is empty if a is nil.
func acceptedText(a *result.Accepted) string {
	switch {
	case a == nil:
		return ""
	case a.Expired:
		return "its acceptance expired on " + a.Until
	}
	return "accepted until " + a.Until
}

// acceptedWhy is the reason of an acceptance, who accepted it, and its place in the
// suite file.
func acceptedWhy(a *result.Accepted) string {
	if a == nil {
		return ""
	}
	text := "accepted: " + a.Reason + " ("
	if a.At != "" {
		text += a.At + ", "
	}
	return text + a.Place.String() + ")"
}

// AcceptedLines describes an acceptance: its term, then its reason.
func AcceptedLines(a *result.Accepted) []string {
	return NotEmpty([]string{acceptedText(a), acceptedWhy(a)})
}
