package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/journal"
	"example.com/suite/runner/sample"
	"github.com/go-json-experiment/json/jsontext"
)

// journalVersion names the form of journals that this package writes and reads.
const journalVersion = "suite-journal/1"

// Line is one line of a journal: one of its parts is set.
type Line struct {
	Journal string `json:"journal,omitempty"` // version, in the first line
	// since the start of the run, without pauses and the time between its parts
	At          time.Duration   `json:"at"`
	Header      *Header         `json:"header,omitempty"` // the first line
	Part        *time.Time      `json:"part,omitempty"`   // the run went on, then
	Suite       string          `json:"suite,omitempty"`  // begins here
	Calibration *Calibration    `json:"calibration,omitempty"`
	Floor       *Floor          `json:"floor,omitempty"`
	Block       *Block          `json:"block,omitempty"`
	Case        *result.Case    `json:"case,omitempty"` // finished
	Warning     *result.Warning `json:"warning,omitempty"`

	// the object of a line of another journal, without its last brace; it has none of these parts
	stored *io.SectionReader
}

// seal replaces the content of buf by the line of the record.
func (r *Line) seal(buf *bytes.Buffer, sum uint32) (uint32, error) {
	if r.stored != nil {
		return journal.SealAgain(buf, r.stored, sum)
	}
	return journal.Seal(buf, r, sum)
}

// subjectOf reads from the beginning of a line which case it is about, and whether it is the
// last line of that case. It is false for lines about no case. Parsing a line of 1000 samples
// takes a thousand times as long.
func subjectOf(object []byte) (key Key, last, ok bool) {
	d := jsontext.NewDecoder(bytes.NewBuffer(object))
	next := func() string {
		token, _ := d.ReadToken() // after an error its text is no key
		return token.String()
	}
	for range 3 { // {"at":1
		next()
	}
	part := next()
	if part == "block" { // {"case"
		next()
		next()
	} else if part != "case" {
		return Key{}, false, false
	}
	next() // {
	inSuite := next() == "suite"
	key.Suite = next()
	isNamed := next() == "name"
	key.Name = next()
	return key, part == "case", inSuite && isNamed
}

// Calibration is what timing costs in hosts of one kind.
type Calibration struct {
	Suite       string             `json:"suite"`
	Kind        string             `json:"kind"`
	Clock       string             `json:"clock"` // preferences, as in hostKind
	Cycle       string             `json:"cycle"`
	Other       bool               `json:"other,omitempty"` // of the other tree
	Hello       *wire.Hello        `json:"hello"`
	Costs       *wire.Costs        `json:"costs"`
	Calibration result.Calibration `json:"calibration"`
}

// Floor raises the stated floor of peak memory.
type Floor struct {
	Suite string  `json:"suite"`
	Host  string  `json:"host"`
	RSS   float64 `json:"rss"` // bytes
}

// Block is a case after a block, or after its failure. All of it but the samples
// is complete, so the last record of a case is its state.
type Block struct {
	Case  result.Case `json:"case"`            // without samples
	Whole bool        `json:"whole,omitempty"` // samples and loops are the whole case's, not one block's
	// as they were taken, disturbed ones counted from the first of them
	Samples *result.Samples `json:"samples,omitempty"`
	Loops   result.Column   `json:"loops,omitempty"`
	Counts  result.Column   `json:"counts,omitempty"`
	// of the batches of this block, unless the case has it whole
	Latency []*result.Latency    `json:"latency,omitempty"`
	Folds   *summary.FoldsRecord `json:"folds,omitempty"` // if whole and only a summary is kept
	Track   sample.Recorded      `json:"track"`
	Base    *Base                `json:"base,omitempty"` // its side of the pairs
}

// Base is the base's side of a case after a block. First, Samples and Latency are
// what that block has added; the other fields are complete.
type Base struct {
	Case    result.Case       `json:"case"` // without samples
	First   []int             `json:"first,omitempty"`
	Samples *result.Samples   `json:"samples,omitempty"`
	Latency []*result.Latency `json:"latency,omitempty"`
	Track   sample.Recorded   `json:"track"`
}

// summary reports whether only a summary of the samples is kept.
func (b *Block) summary() bool { return b.Case.Settings.Keep == "summary" }

// parseRecord reads one line, and checks what later lines rely on.
func parseRecord(object []byte) (*Line, error) {
	r := new(Line)
	if err := json.Unmarshal(object, r); err != nil {
		return nil, fmt.Errorf("not a line of a journal: %w", err)
	}
	switch {
	case r.At < 0:
		return nil, errors.New("a negative time")
	case r.Calibration != nil && (r.Calibration.Hello == nil || r.Calibration.Costs == nil):
		return nil, errors.New("a calibration without costs")
	case r.Calibration != nil && r.Calibration.Kind == wire.KindGo &&
		(r.Calibration.Costs.Direct == nil || r.Calibration.Costs.Indirect == nil):
		return nil, errors.New("a calibration without costs of loops")
	case r.Case != nil:
		return r, cmp.Or(coherent(&r.Case.Samples), coherentPairs(r.Case))
	case r.Block != nil:
		return r, r.Block.check()
	}
	return r, nil
}

func (b *Block) check() error {
	switch {
	case b.Track.Negative() || b.Base != nil && b.Base.Track.Negative():
		return errors.New("a case with negative counts or times")
	case (b.Case.Status == result.Failed) != (b.Case.Failure != nil):
		return errors.New("status and failure do not fit together")
	case b.Folds != nil && (!b.Whole || !b.summary() || b.Samples == nil):
		return errors.New("a summary of no samples")
	case b.Folds != nil:
		if err := b.Folds.Check(b.Samples.Len()); err != nil {
			return err
		}
	}
	if !eachOneGroup(b.Latency) || b.Base != nil && !eachOneGroup(b.Base.Latency) {
		return errors.New("a batch without the times of its iterations")
	}
	if err := b.coherentPairs(); err != nil || b.Samples == nil {
		return err
	}
	return coherent(b.Samples)
}

// eachOneGroup reports whether the times of single iterations belong to one batch each.
func eachOneGroup(batches []*result.Latency) bool {
	return !slices.ContainsFunc(batches, func(l *result.Latency) bool {
		return l == nil || len(l.Groups) != 1 || l.Count < 1
	})
}

// coherent checks that samples are a table that can be summarised.
func coherent(s *result.Samples) error {
	rows := s.Len()
	if len(s.Launch) != rows || len(s.At) != rows {
		return errors.New("columns of different lengths")
	}
	for _, column := range s.Columns {
		if len(column) != rows {
			return errors.New("columns of different lengths")
		}
	}
	if rows > 0 && (s.Columns["time"] == nil || slices.ContainsFunc(s.Columns["time"], math.IsNaN)) {
		return errors.New("a sample without a time")
	}
	last := -1
	for _, d := range s.Disturbed {
		if d.Index <= last || d.Index >= rows {
			return errors.New("a disturbed sample that there is not")
		}
		last = d.Index
	}
	return coherentlyCensored(s)
}

// coherentPairs checks that the base has one row for each row of the case.
func (b *Block) coherentPairs() error {
	switch {
	case (b.Base == nil) != (b.Case.Pairs == nil):
		return errTorn
	case b.Base == nil:
		return nil
	case (b.Base.Samples == nil) != (b.Samples == nil):
		return errTorn
	case b.Samples == nil:
		return matches(0, b.Base.First, &result.Samples{})
	}
	return matches(b.Samples.Len(), b.Base.First, b.Base.Samples)
}

var errTorn = errors.New("pairs of which a side is missing")

func coherentPairs(c *result.Case) error {
	if c.Pairs == nil {
		return nil
	}
	return matches(c.Samples.Len(), c.Pairs.First, &c.Pairs.Samples)
}

func matches(rows int, first []int, base *result.Samples) error {
	if len(first) != rows || base.Len() != rows ||
		slices.ContainsFunc(first, func(who int) bool { return who != 0 && who != 1 }) {
		return errTorn
	}
	return coherent(base)
}

// coherentlyCensored checks that there are the samples that are censored.
func coherentlyCensored(s *result.Samples) error {
	if !client.Ascending(s.Censored, s.Len()) {
		return errors.New("a censored sample that there is not")
	}
	return nil
}

// Raise raises the floor of a calibration, and reports whether it was lower.
func (f *Floor) Raise(c *result.Calibration) (raised bool) {
	if c.Suite != f.Suite || c.Host != f.Host || c.SpawnFloor == nil || c.SpawnFloor.RSS >= f.RSS {
		return false
	}
	c.SpawnFloor.RSS = f.RSS
	return true
}

// BlockOf is a case after a block, or after its failure. base is nil without one.
func BlockOf(own, base *sample.Series, failed bool) *Block {
	c := *own.Result
	c.Samples, c.Latency, c.Gates, c.Status = result.Samples{}, nil, nil, result.NotRun
	switch {
	case failed:
		c.Status = result.Failed
	case c.Stop == result.StopInterrupted:
		c.Stop, c.Failure = "", nil
	default:
		c.Failure = nil
	}
	c.Pairs = c.Pairs.Frame()
	fresh := own.Flush()
	return &Block{Base: baseOf(base), Case: c, Samples: fresh.Samples, Loops: fresh.Loops, Counts: fresh.Counts,
		Latency: fresh.Latency, Track: own.Recorded}
}

// baseOf is what the last block has brought to the base's side, nil without a base.
func baseOf(base *sample.Series) *Base {
	if base == nil {
		return nil
	}
	c := *base.Result
	c.Samples, c.Latency = result.Samples{}, nil
	fresh := base.Flush()
	return &Base{Case: c, First: fresh.First, Samples: fresh.Samples, Latency: fresh.Latency, Track: base.Recorded}
}
