package result

// Division is how the cases of a run were divided among shards, each of which one
// machine measures. All shards of a division record the same one, except for Index, Engine,
// Job and Machines.
type Division struct {
	// of the shard that this document is, from 1; absent if shards were merged
	Index     int       `json:"index,omitempty"`
	Engine    string    `json:"engine,omitempty"` // that has started the shard, such as Slurm; empty: not known
	Job       string    `json:"job,omitempty"`    // its name there
	Count     int       `json:"count"`            // of shards
	Plan      string    `json:"plan"`             // sha256:… of what all shards together measure and judge
	Hash      string    `json:"hash"`             // sha256:… of which shard has which case
	Durations Durations `json:"durations"`        // that the shards were balanced with
	Seed      string    `json:"seed,omitempty"`   // that all shards were asked to use; absent: each drew its own
	Cases     []Portion `json:"cases"`            // of all shards, in the order of the suite files
	// that measured the shards of a merged document, in the order of the shards
	Machines []ShardMachine `json:"machines,omitempty"`
}

// Durations is where the durations of cases came from.
type Durations struct {
	From     string `json:"from"`               // forecast, history or result
	Recorded int    `json:"recorded,omitempty"` // cases whose duration is not a forecast
}

// Portion is a case of a division.
type Portion struct {
	Suite   string  `json:"suite"`
	Name    string  `json:"case"`
	Kind    Kind    `json:"kind"`
	Shard   int     `json:"shard"`   // from 1
	Seconds float64 `json:"seconds"` // expected
}

// ShardMachine is a shard of a merged document, and the machine that measured it.
type ShardMachine struct {
	Shard   int     `json:"shard"` // from 1
	Machine Machine `json:"machine"`
	Seed    string  `json:"seed"` // of its draws, 32 hexadecimal digits
	Seconds float64 `json:"seconds"`
}
