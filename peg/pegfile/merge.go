package pegfile

import (
	"cmp"
	"slices"
	"strings"
)

// Merge returns the sum of documents, of several processes or several runs, and leaves
// them as they are. Points keep the order of the documents; arcs are sorted by From, To,
// Kind and Lane, and histograms are added bin by bin. Cost, Residue and Overlap are the
// greatest of all documents. End is true if it is true for each of them, and there is at least one.
//
// Source of the sum of squares: Chan, Golub and LeVeque (1979).
func Merge(docs ...*Document) *Document {
	m := merging{points: map[string]int{}, arcs: map[arcKey]int{}}
	m.doc = &Document{Protocol: Protocol, End: len(docs) > 0, Points: []Hits{}, Arcs: []Arc{}}
	for _, d := range docs {
		m.addDocument(d)
	}
	slices.SortFunc(m.doc.Arcs, func(a, b Arc) int {
		return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.To, b.To),
			strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Lane, b.Lane))
	})
	return m.doc
}

// arcKey identifies an arc.
type arcKey struct {
	from, to string
	kind     Kind
	lane     string
}

func keyOf(a Arc) arcKey { return arcKey{a.From, a.To, a.Kind, a.Lane} }

// merging is a sum of documents, with the index of each point and arc in it.
type merging struct {
	doc    *Document
	points map[string]int
	arcs   map[arcKey]int
}

func (m *merging) addDocument(d *Document) {
	m.doc.Clock = bothClocks(m.doc.Clock, d.Clock)
	m.doc.Residue = max(m.doc.Residue, d.Residue)
	m.doc.Cost = max(m.doc.Cost, d.Cost)
	m.doc.Overlap = max(m.doc.Overlap, d.Overlap)
	m.doc.End = m.doc.End && d.End
	for _, p := range d.Points {
		m.hits(p)
	}
	for _, a := range d.Arcs {
		m.arc(a)
	}
	for _, p := range d.Problems {
		if !slices.Contains(m.doc.Problems, p) {
			m.doc.Problems = append(m.doc.Problems, p)
		}
	}
}

// bothClocks returns the name of the clock of a sum: both names if they differ.
func bothClocks(a, b string) string {
	switch {
	case a == "" || a == b:
		return b
	case b == "" || slices.Contains(strings.Split(a, ", "), b):
		return a
	}
	return a + ", " + b
}

func (m *merging) hits(p Hits) {
	i, known := m.points[p.Name]
	if !known {
		m.points[p.Name] = len(m.doc.Points)
		m.doc.Points = append(m.doc.Points, p)
		return
	}
	sum := &m.doc.Points[i]
	sum.Count = plus(sum.Count, p.Count)
	sum.Unmatched = plus(sum.Unmatched, p.Unmatched)
	if sum.File == "" {
		sum.File, sum.Line = p.File, p.Line
	}
}

// arc adds an arc. It adds its ends to the points if they are missing, since the start
// may have been hit before a reset only.
func (m *merging) arc(a Arc) {
	for _, name := range []string{a.From, a.To} {
		if name != "" && name != Other {
			m.hits(Hits{Name: name})
		}
	}
	i, known := m.arcs[keyOf(a)]
	if !known {
		m.arcs[keyOf(a)] = len(m.doc.Arcs)
		m.doc.Arcs = append(m.doc.Arcs, a)
		return
	}
	m.doc.Arcs[i] = joinArcs(m.doc.Arcs[i], a)
}

// joinArcs returns the sum of two arcs with the same key. It keeps a histogram only if
// both have one: percentiles of one half would pass for percentiles of the sum.
func joinArcs(a, b Arc) Arc {
	na, nb := float64(a.Count), float64(b.Count)
	apart := b.Sum/nb - a.Sum/na
	a.Squares += b.Squares + apart*apart*na*nb/(na+nb)
	a.Count = plus(a.Count, b.Count)
	a.Sum = a.Sum + b.Sum
	a.Zero = plus(a.Zero, b.Zero)
	a.Min, a.Max = min(a.Min, b.Min), max(a.Max, b.Max)
	a.Residue = max(a.Residue, b.Residue)
	a.Overlap = max(a.Overlap, b.Overlap)
	if len(a.Histogram) == 0 || len(b.Histogram) == 0 {
		a.Histogram = nil
	} else {
		a.Histogram = joinBins(a.Histogram, b.Histogram)
	}
	return a
}
