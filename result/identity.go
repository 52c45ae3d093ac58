package result

// Identity is what makes two results comparable.
type Identity struct {
	Function  string   `json:"function,omitempty"`
	Argv      []string `json:"argv,omitempty"`
	Shell     string   `json:"shell,omitempty"`
	Package   string   `json:"package,omitempty"`   // import path, of an existing Go benchmark
	Benchmark string   `json:"benchmark,omitempty"` // as it is printed, without GOMAXPROCS: BenchmarkParse/small
	Harness   string   `json:"harness,omitempty"`   // of the program with the benchmark, such as google-benchmark
	Procs     int      `json:"procs,omitempty"`     // GOMAXPROCS, if the suite file sets it
	Program   string   `json:"program,omitempty"`   // resolved path of argv[0]
	Binary    string   `json:"binary,omitempty"`    // sha256:… of the program or host

	// that its definition names, such as scripts and inputs, before its first sample
	Files []NamedFile `json:"files,omitempty"`
}

// NamedFile is a file that the definition of a case names.
type NamedFile struct {
	// with slashes; relative to the folder of the suite file, or absolute; "*" for more files than are hashed
	Path string `json:"path"`
	// sha256:…, or size and time of a file that is too large to read; empty: it could not be read
	Hash string `json:"hash,omitempty"`
}
