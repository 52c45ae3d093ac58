package accept

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
)

// Fault is what is wrong with one value of an entry, and what to do about it.
type Fault struct{ Message, Hint string }

// leastWords is the number of words that a reason must have: "flaky" explains nothing.
const leastWords = 3

// leastDigits is the number of digits that a hash must have at least: git prints no fewer.
const leastDigits = 7

var hash = lazy.Regexp(fmt.Sprintf(`^[0-9a-f]{%d,64}$`, leastDigits))

// CheckCommit returns the hash of a commit, or its first digits, in lower case, or its fault.
func CheckCommit(text string) (string, *Fault) {
	if lower := strings.ToLower(text); hash().MatchString(lower) {
		return lower, nil
	}
	return "", &Fault{fmt.Sprintf("commit %q is no hash", diag.ClipWord(text)),
		fmt.Sprintf("give at least the first %d digits of the commit, as suite trend prints them", leastDigits)}
}

var span = lazy.Regexp(`^([0-9]{1,3})([dw])$`)

// ParseUntil returns the last day that a person writes on a command line: a date, or a
// time from today such as 30d or 6w. It must be in the future.
func ParseUntil(text string, today Day) (Day, *Fault) {
	day := Day(text)
	if m := span().FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1]) // three digits
		if m[2] == "w" {
			n *= 7
		}
		day = today.add(0, n)
	} else if fault := dated(text); fault != nil {
		fault.Hint += ", or as 30d or 6w from today"
		return "", fault
	}
	if day <= today {
		return "", &Fault{fmt.Sprintf("until %q is not in the future: today is %s (UTC)", text, today),
			"give the last day on which the failure is accepted"}
	}
	return day, near(day, today)
}

// dated returns the fault of a text that is no date.
func dated(text string) *Fault {
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return nil
	}
	return &Fault{fmt.Sprintf("until %q is not a date", diag.ClipWord(text)),
		"write it as year-month-day, like 2026-12-31"}
}

// near refuses a day that is more than a year away. A failure that is accepted for longer needs
// another limit instead.
func near(day, today Day) *Fault {
	if most := today.add(1, 0); day > most {
		return &Fault{fmt.Sprintf("until %s is more than a year away", day),
			fmt.Sprintf("the last day may be %s at most; a failure that stays is a limit to change", most)}
	}
	return nil
}

// CheckReason returns a reason without superfluous space, or its fault.
func CheckReason(text string) (string, *Fault) {
	words := strings.Fields(text)
	switch {
	case strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) && !unicode.IsSpace(c) }):
		return "", &Fault{"the reason has a control character", "write it in plain words"}
	case len(words) < leastWords:
		return "", &Fault{fmt.Sprintf("the reason %q is too short", diag.ClipWord(text)),
			fmt.Sprintf("give at least %d words: why is it accepted, and what will end it", leastWords)}
	}
	return strings.Join(words, " "), nil
}
