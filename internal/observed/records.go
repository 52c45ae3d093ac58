package observed

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/atomicfile"
	"example.com/suite/internal/observe"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/usercache"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// recorded is what a case was observed to look at, as a file in the cache. It counts as long as
// each of its paths is in the same state: the same program that finds the same files does the
// same, apart from what depends on the time, which keptRecord bounds.
type recorded struct {
	Record *observe.Record   `json:"record"` // of the last of two runs that agree
	States map[string]string `json:"states"` // by path
}

const keptRecord = 24 * time.Hour // a case may choose its files by the day

var keptRecords = usercache.Limit{Most: 2000}

// place is the file of the record of some cases, "" if they cannot be kept: what a build makes is
// made again by each run. It is named after the program, its arguments, its environment and what else
// it inherits, and the folder of the tree. Test binaries and hosts of packages are named after their content.
func (o *Observer) place(plan *spec.Plan, cases ...*spec.Case) string {
	folder, err := usercache.Folder(o.Cache)
	if err != nil || plan.Build != nil || o.Binaries.Sum(o.Host[0]) == "" {
		return ""
	}
	work, err := os.Getwd() // in which hosts start that have no folder of their own
	if err != nil {
		return ""
	}
	short := shortened(plan, cases...)
	if o.around == "" {
		o.around = surroundings()
	}
	asked, err := json.Marshal([]any{short.Cases, short.Dir, short.HostDir, short.Packages, o.Host,
		o.HostOf(plan), work, o.around})
	if err != nil {
		return ""
	}
	environment := os.Environ()
	slices.Sort(environment)
	return filepath.Join(folder, "observed", usercache.Key(o.Binaries.Sum(o.Host[0]), o.HostHash, string(asked),
		strings.Join(environment, "\x00"))+".json")
}

// known returns the record of an earlier run of suite, nil if there is none that still counts.
func (o *Observer) known(place string) *observe.Record {
	info, err := os.Stat(place)
	if err != nil || !usercache.IsFresh(info.ModTime(), keptRecord) {
		return nil
	}
	text, err := paths.ReadRegular(place)
	var r recorded
	if err != nil || json.Unmarshal(text, &r) != nil || r.Record == nil {
		return nil
	}
	for path, was := range r.States {
		now := ""
		if strings.HasPrefix(was, textPrefix) {
			now = textOf(path)
		} else {
			now, _ = state(path, strings.HasPrefix(was, namesPrefix))
		}
		if now != was {
			return nil
		}
	}
	return r.Record
}

// State names all that a case was observed to look at, and the state of each: equal names mean that it finds the same.
// It is "" if that was not kept, for example because the case leaves files behind.
func (o *Observer) State(plan *spec.Plan, c *spec.Case) string {
	if g := o.groups[c]; g != nil && g.shows {
		return g.state
	}
	return o.state(o.place(plan, c))
}

// state is the State of the cases of a record.
func (o *Observer) state(place string) string {
	if o.known(place) == nil {
		return ""
	}
	text, err := paths.ReadRegular(place)
	if err != nil {
		return ""
	}
	return usercache.Key(string(text))
}

const (
	namesPrefix = "names " // begins the state of a folder whose names were listed
	textPrefix  = "text "  // begins the state of a file of the kernel
)

// keep writes the record of a case that began to run at a time. Nothing is written if it does not
// say all: what the case has left behind would be there from the beginning in its next run, and a
// file that changed while the case ran may not be what it has seen. A cache that cannot be
// written costs the next run the time of two runs.
func (o *Observer) keep(place string, record *observe.Record, own []string, since time.Time) {
	if place == "" {
		return
	}
	r := recorded{record, map[string]string{}}
	for _, a := range record.Files {
		switch kind := kernelFile(a.Path); {
		case slices.Contains(own, real(a.Path)), kind == volatile:
			continue
		case kind == steady && a.Use&observe.Read != 0:
			r.States[a.Path] = textOf(a.Path)
			continue
		case kind == steady:
			continue
		}
		now, changed := state(a.Path, a.Use&observe.List != 0)
		there := now != absent
		switch {
		case a.Use&observe.Written != 0 && there, a.Use&observe.Missing != 0 &&
			there, changed.After(since.Add(-coarse)):
			return
		case a.Use&observe.Written != 0: // it was made and removed
			continue
		case a.Use&observe.Missing == 0 && !there:
			return
		}
		r.States[a.Path] = now
	}
	text, err := json.Marshal(r)
	if err != nil || os.MkdirAll(filepath.Dir(place), 0o700) != nil {
		return
	}
	if atomicfile.Write(place, text, 0o600) == nil {
		keptRecords.Prune(filepath.Dir(place), func(fs.DirEntry) bool { return true })
	}
}

// doubtful is why some cases have to be measured whatever the other tree has, as a file in the cache.
type doubtful struct {
	Why   result.Evidence `json:"why"`
	Reads []string        `json:"reads"` // see Compare
}

// keptDoubt is how long a case with such a cause is not run again.
var keptDoubt = map[result.EvidenceCause]time.Duration{
	result.EvidenceSlow:       time.Hour, // the machine may have been busy
	result.EvidenceUnsteady:   time.Hour, // by chance, it may be
	result.EvidenceConnection: keptRecord,
	result.EvidenceDoubt:      keptRecord,
}

// doubts is the file that records why cases have to be measured, "" if they cannot be kept.
func doubts(place string) string {
	if place == "" {
		return ""
	}
	return strings.TrimSuffix(place, ".json") + ".doubt"
}

// knownDoubt returns what keepDoubt has written, nil if it does not count any more.
func knownDoubt(place string) *doubtful {
	info, err := os.Stat(doubts(place))
	if err != nil {
		return nil
	}
	text, err := paths.ReadRegular(doubts(place))
	d := new(doubtful)
	if err != nil || json.Unmarshal(text, d) != nil || !usercache.IsFresh(info.ModTime(), keptDoubt[d.Why.Cause]) {
		return nil
	}
	return d
}

// isNamedByContent reports whether the name of the record of a case changes with its program. A command may be a script
// that does something else after a commit.
func isNamedByContent(c *spec.Case) bool { return c.Kind == result.KindGo || c.GoTest != nil }

// keepDoubt notes why cases have to be measured, unless that is due to the trees or to this machine. Without it each
// run of suite would run them again, and their groups, to find out the same.
func keepDoubt(place string, why *result.Evidence, reads []string) {
	if place == "" || keptDoubt[why.Cause] == 0 || os.MkdirAll(filepath.Dir(place), 0o700) != nil {
		return
	}
	text, err := json.Marshal(doubtful{*why, reads})
	if err == nil && atomicfile.Write(doubts(place), text, 0o600) == nil {
		keptRecords.Prune(filepath.Dir(place), func(fs.DirEntry) bool { return true })
	}
}

// kind of a file of the kernel: its time does not show that it has changed.
type kind int

const (
	ordinary kind = iota // not of the kernel
	steady               // its text seldom changes: a setting
	volatile             // its text is another each time, or about one process, or it is a device
)

// changing are files in /proc with figures of the moment, or of which each text is read once.
var changing = []string{"buddyinfo", "cpuinfo", "diskstats", "interrupts", "kcore", "kmsg", "loadavg", "meminfo",
	"pagetypeinfo", "schedstat",
	"slabinfo", "softirqs", "stat", "timer_list", "uptime", "vmstat", "zoneinfo"}

func kernelFile(path string) kind {
	in := func(folders ...string) bool {
		return slices.ContainsFunc(folders, func(folder string) bool { return path == folder || isBelow(path, folder) })
	}
	switch {
	case in("/dev/shm"), !in("/proc", "/sys", "/dev"):
		return ordinary
	case in("/sys", "/proc/sys", "/proc/self/cgroup", "/proc/self/mountinfo", "/proc/self/mounts"):
		return steady
	case filepath.Dir(path) == "/proc" && !slices.Contains(changing, filepath.Base(path)):
		return steady
	}
	return volatile
}

// textOf is the state of a file of the kernel: a hash of its text.
func textOf(path string) string {
	const most = 1 << 20
	f, err := os.Open(path)
	if err != nil {
		return textPrefix + err.Error()
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, io.LimitReader(f, most)); err != nil { // a folder, say
		return textPrefix + err.Error()
	}
	return textPrefix + hex.EncodeToString(hash.Sum(nil))
}

// absent is the state of a path that leads to nothing.
const absent = "absent"

// stateOf is a state as text. The names in a folder change without a trace in the folder's size, so
// its time counts if they were listed; else other programs may work in it.
func stateOf(mode uint32, folder, listed bool, size int64, inode uint64, changed time.Time) string {
	switch {
	case folder && listed:
		return fmt.Sprintf("%s%o %d %d", namesPrefix, mode, inode, changed.UnixNano())
	case folder:
		return fmt.Sprintf("folder %o", mode)
	}
	return fmt.Sprintf("%o %d %d %d", mode, size, inode, changed.UnixNano())
}
