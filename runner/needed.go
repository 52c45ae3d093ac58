package runner

import "example.com/suite/stats"

// usualShare is the share of pieces of evidence on the true side of a limit that the
// number of pairs needed is stated for, as suite check --plan does: that of a change
// of about the noise of one piece.
const usualShare = 0.8

// neededPairs is how many pairs the verdicts of a case may take in all, in the median,
// if its blocks go on as they were; 0 where no gate is open.
func (t *track) neededPairs() int {
	if t.open == 0 {
		return 0
	}
	of := 1 // commands: each pair is a piece
	if !t.isCommand() {
		of = blockSize
		if t.Blocks > 0 {
			of = (t.result.Samples.Len() + t.Blocks - 1) / t.Blocks
		}
	}
	pieces, _ := stats.PairsToVerdict(1000, t.alpha(), usualShare, 0.5) // 5 µs at an error of 10⁻⁵
	return of * pieces
}
