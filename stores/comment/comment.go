// Package comment posts a report to a pull request of GitHub or a merge request of GitLab, and replaces what it has
// posted there before. A report is Markdown whose last lines are comments that nobody sees: when the run began, and
// which suites it measured. By the second one an earlier report is found again, by the first one the newer of two is
// kept.
package comment

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/suite/stores/push"
)

// note is a comment of the pull request.
type note struct {
	id   int64 // greater for comments that were written later
	text string
}

// place is where comments are: a pull request.
type place interface {
	fmt.Stringer // for messages: github.com/o/r#7
	// list returns the comments that this program may have written, in any order.
	list(ctx context.Context) ([]note, error)
	create(ctx context.Context, text string) error
	// edit replaces a comment, and remove removes it. The error is errGone if there is none.
	edit(ctx context.Context, id int64, text string) error
	remove(ctx context.Context, id int64) error
}

// errGone is the error of a comment that somebody has removed.
var errGone = errors.New("the comment is gone")

// errUnsure is in the error of a request of which nobody knows whether it was carried out.
var errUnsure = errors.New("nobody knows whether the comment was written")

var (
	marker  = regexp.MustCompile(`(?m)^<!-- suite report: .* -->$`)
	started = regexp.MustCompile(`(?m)^<!-- suite run: (\S+) -->$`)
)

// Other jobs may write, edit or remove the same comment at the same time, and no server reports that a comment has
// changed since it was read. So what was written is looked at again after settling, until a look finds nothing to
// change.
const (
	settling   = 2 * time.Second
	mostRounds = 8
)

// post makes a report the one comment of its suites, unless a newer one is there. It returns what it has done. sleep
// waits.
func post(
	ctx context.Context,
	p place,
	text string,
	sleep func(context.Context, time.Duration) error,
) (done string, err error) {
	mark := markerOf(text)
	if mark == "" {
		return "", push.Usage(
			"the text on standard input is no report: its last line names no suite",
			"suite report --out comment=- writes one",
		)
	}
	var unsure error
	for range mostRounds {
		mine, err := marked(ctx, p, mark)
		if err != nil {
			return "", err
		}
		changed := true
		if len(mine) == 0 {
			err = p.create(ctx, text)
		} else {
			changed, err = keep(ctx, p, mine, text)
		}
		switch {
		case errors.Is(err, errGone), errors.Is(err, errUnsure): // the next look shows what is there
		case err != nil:
			return "", err
		case !changed && startOf(newest(mine)) > startOf(text):
			return p.String() + " has the report of a later run, which stays", nil
		case !changed:
			return "posted to " + p.String(), nil
		}
		unsure = err
		if err := sleep(ctx, settling); err != nil {
			return "", err
		}
	}
	if unsure == nil {
		unsure = fmt.Errorf("%s: other jobs change the same comment all the time", p)
	}
	return "", unsure
}

// keep makes the oldest of some comments the newest of their reports and of the text, and removes the others. It
// reports whether it has changed anything.
func keep(ctx context.Context, p place, mine []note, text string) (changed bool, err error) {
	if last := newest(mine); startOf(last) > startOf(text) {
		text = last
	}
	if oldest := mine[0]; oldest.text != text {
		changed = true
		if err := p.edit(ctx, oldest.id, text); err != nil {
			return true, err
		}
	}
	for _, other := range mine[1:] {
		changed = true
		if err := p.remove(ctx, other.id); err != nil && !errors.Is(err, errGone) {
			return true, err
		}
	}
	return changed, nil
}

// newest is the report of the latest run.
func newest(all []note) string {
	return slices.MaxFunc(all, func(a, b note) int { return strings.Compare(startOf(a.text), startOf(b.text)) }).text
}

// marked returns the comments with a mark, the oldest first.
func marked(ctx context.Context, p place, mark string) (mine []note, err error) {
	all, err := p.list(ctx)
	if err != nil {
		return nil, err
	}
	for _, n := range all {
		n.text = normal(n.text)
		if markerOf(n.text) == mark {
			mine = append(mine, n)
		}
	}
	slices.SortFunc(mine, func(a, b note) int { return int(max(-1, min(1, a.id-b.id))) })
	return mine, nil
}

// normal is a text as it is compared: servers return carriage returns, and without spaces at the end.
func normal(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// markerOf is the line with the suites of a report, empty if the text does not end with one.
func markerOf(text string) string {
	all := marker.FindAllString(text, -1)
	if len(all) == 0 || !strings.HasSuffix(text, all[len(all)-1]) {
		return ""
	}
	return all[len(all)-1]
}

// startOf is when the run of a report began, RFC 3339 in UTC. Texts compare as times do. It is empty if that is not
// known.
func startOf(text string) string {
	all := started.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}
