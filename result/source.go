package result

// MostSource bounds the suite files in a document, in bytes for all files of a suite
// together. A file that lists 10,000 cases one by one is larger, and would be in
// every result.
const MostSource = 256 << 10

// Source is the text of a suite file at the time of the run. The first is the file
// that the user named; the files that it includes follow, in the order in which they
// were read.
type Source struct {
	File string `json:"file"` // path, as in the places of declarations
	Text string `json:"text,omitempty"`
	Left int64  `json:"left,omitempty"` // bytes of a text that was left out, because all together exceeded MostSource
}
