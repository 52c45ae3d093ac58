package observed

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/atomicfile"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/observe"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/usercache"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// recorded is what a case was observed to look at, as a file in the cache. It counts as long as
// each of its paths is in the same state: the same program that finds the same files does the
// same, apart from what depends on the time, which keptRecord bounds. Paths of the tree have the names
// that treeName gives, and their states are contents: the record serves for each tree that has these.
type recorded struct {
	Record *observe.Record   `json:"record"`           // of the last of two runs that agree
	States map[string]string `json:"states"`           // by path
	Shared bool              `json:"shared,omitempty"` // it is what several cases look at, and the case is one of them
	Itself bool              `json:"itself,omitempty"` // the program in which suite runs the case was read
}

const keptRecord = 24 * time.Hour // a case may choose its files by the day

const keptBytes = 256 << 20 // of all records: one has 5 KB

// place is the file of the record of some cases, "" if they cannot be kept: what a build makes is
// made again by each run. It is named after the program, its arguments, its environment and what else
// it inherits, and its folder in the tree. The files of test binaries and of hosts of packages are named after their
// content, and are in a folder for each tree.
func (o *Observer) place(plan *spec.Plan, of treeName, cases ...*spec.Case) string {
	folder, err := usercache.Folder(o.Cache)
	if err != nil || plan.Build != nil || o.Binaries.Sum(o.Host[0]) == "" {
		return ""
	}
	work, err := os.Getwd() // in which hosts start that have no folder of their own
	if err != nil {
		return ""
	}
	short := shortened(plan, cases...)
	for i := range short.Cases {
		if g := short.Cases[i].GoTest; g != nil {
			one := *g
			one.Program = filepath.Base(g.Program)
			short.Cases[i].GoTest = &one
		}
	}
	host := slices.Clone(o.HostOf(plan))
	if host != nil {
		host[0] = filepath.Base(host[0])
	}
	if o.around == "" {
		o.around = surroundings()
	}
	asked, err := json.Marshal([]any{short.Cases, short.Dir, cmp.Or(short.HostDir, work), short.Packages})
	if err != nil {
		return ""
	}
	by, err := json.Marshal([]any{o.Host, host, work, o.around})
	if err != nil {
		return ""
	}
	environment := os.Environ()
	slices.Sort(environment)
	return filepath.Join(folder, "observed", usercache.Key(o.Binaries.Sum(o.Host[0]), o.HostHash, of.inJSON(asked),
		string(by), strings.Join(environment, "\x00"))+".json")
}

// known returns the record of an earlier run of suite, as that of a run in a tree, or nil if none counts there.
func (o *Observer) known(place string, of treeName) *recorded {
	info, err := os.Stat(place)
	if err != nil || !usercache.IsFresh(info.ModTime(), keptRecord) {
		return nil
	}
	text, err := paths.ReadRegular(place)
	r := new(recorded)
	if err != nil || json.Unmarshal(text, r) != nil || r.Record == nil {
		return nil
	}
	for i := range r.Record.Files {
		a := &r.Record.Files[i]
		was, hasState := r.States[a.Path]
		a.Path, a.Target = of.path(a.Path), of.path(a.Target)
		if !hasState {
			continue
		}
		if now, _ := o.stateOf(of, *a); now != was {
			return nil
		}
	}
	slices.SortFunc(r.Record.Files, func(a, b observe.Access) int { return strings.Compare(a.Path, b.Path) })
	return r
}

// State names a case and all that it was observed to look at in the tree base, with the state of each: equal names mean
// that it does the same. It is "" if that was not kept, for example because the case leaves files behind.
func (o *Observer) State(plan *spec.Plan, c *spec.Case, base string) string {
	if s := o.kept[c]; s != nil {
		return s.state
	}
	of := o.nameOf(base)
	place := o.place(plan, of, c)
	if g := o.groups[c]; g != nil && g.shows {
		if g.state == "" {
			return ""
		}
		return usercache.Key(g.state, filepath.Base(place))
	}
	if o.known(place, of) == nil {
		return ""
	}
	return stateIn(place)
}

// stateIn is the State of the cases of a record.
func stateIn(place string) string {
	text, err := paths.ReadRegular(place)
	if err != nil {
		return ""
	}
	return usercache.Key(filepath.Base(place), string(text))
}

// stateOf returns the state of a path that was used, and when it has changed last, see state.
func (o *Observer) stateOf(of treeName, a observe.Access) (now string, changed time.Time) {
	if kernelFile(a.Path) == steady {
		return textOf(a.Path), time.Time{}
	}
	_, inTree := of.below(a.Path)
	now, changed = state(a.Path, a.Use&observe.List != 0 || inTree)
	if !inTree {
		return now, changed
	}
	seen := o.contents[a.Path]
	if seen.state != now || seen.use != a.Use {
		text, err := observe.Content(of.folder, a.Path, a.Use)
		if err != nil {
			text = err.Error()
		}
		seen = content{now, a.Use, text}
		if o.contents == nil {
			o.contents = map[string]content{}
		}
		o.contents[a.Path] = seen
	}
	if seen.text == absent {
		return absent, changed
	}
	if a.Use&observe.List == 0 && paths.IsFolder(a.Path) {
		changed = time.Time{}
	}
	return contentPrefix + seen.text, changed
}

// content is what was found at a path of a tree, which is not read again as long as its state is the same.
type content struct {
	state string
	use   observe.Use
	text  string
}

const (
	namesPrefix   = "names "   // begins the state of a folder whose names were listed
	textPrefix    = "text "    // begins the state of a file of the kernel
	contentPrefix = "content " // begins the state of a path of the tree that is there
)

// keep writes the record of cases that began to run at a time. Nothing is written if it does not
// say all: what the case has left behind would be there from the beginning in its next run, and a
// file that changed while the case ran may not be what it has seen. own are programs of suite, which
// do not count. A cache that cannot be written costs the next run the time of two runs.
func (o *Observer) keep(place string, of treeName, record *observe.Record, own []string, since time.Time) {
	if place == "" {
		return
	}
	named := *record
	named.Files = nil
	r := recorded{Record: &named, States: map[string]string{}, Itself: readsItself(record, own)}
	for _, a := range record.Files {
		if slices.Contains(own, real(a.Path)) || isScratch(a) {
			continue
		}
		as := a
		as.Path, as.Target = of.named(a.Path), of.named(a.Target)
		named.Files = append(named.Files, as)
		if kind := kernelFile(a.Path); kind == volatile || kind == steady && a.Use&observe.Read == 0 {
			continue
		}
		now, changed := o.stateOf(of, a)
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
		r.States[as.Path] = now
	}
	o.write(place, r)
}

var scratchName = lazy.Regexp(`^suite-stderr-[0-9]+$`)

// isScratch reports whether a path is a file that a process of suite has made for what a case prints, and removed. Each
// case of a group has two, under new names in each run: in a record of thousands of cases, of which each gets a copy,
// they would be most of it.
func isScratch(a observe.Access) bool {
	const use = observe.Missing | observe.Made
	return a.Use&use == use && scratchName().MatchString(filepath.Base(a.Path)) &&
		filepath.Dir(a.Path) == real(os.TempDir()) && !paths.Exists(a.Path)
}

// write writes a file into the cache, as JSON. It reports whether it is there.
func (o *Observer) write(place string, what any) bool {
	text, err := json.Marshal(what)
	if err != nil || os.MkdirAll(filepath.Dir(place), 0o700) != nil || atomicfile.Write(place, text, 0o600) != nil {
		return false
	}
	o.records.Age, o.records.Bytes = keptRecord, keptBytes
	o.records.Added(filepath.Dir(place))
	return true
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
func (o *Observer) keepDoubt(place string, why *result.Evidence, reads []string) {
	if place != "" && keptDoubt[why.Cause] != 0 {
		o.write(doubts(place), doubtful{*why, reads})
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
