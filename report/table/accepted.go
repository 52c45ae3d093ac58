package table

import "example.com/suite/result"

// acceptedText says that a failure is accepted, or was: "accepted until 2026-12-31";
// empty where neither holds.
func acceptedText(a *result.Accepted) string {
	switch {
	case a == nil:
		return ""
	case a.Expired:
		return "its acceptance expired on " + a.Until
	}
	return "accepted until " + a.Until
}

// acceptedWhy gives the reason with who gave it and where it stands.
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

// AcceptedLines tells of an acceptance in words: what it leads to, and why.
func AcceptedLines(a *result.Accepted) []string {
	return NotEmpty([]string{acceptedText(a), acceptedWhy(a)})
}
