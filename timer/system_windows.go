package timer

// Machine opens the System of this machine, which here has only the CPU time of the
// process, in steps of the scheduler tick, and garbage collections.
func Machine() System { return &machine{gcReader: newGCReader()} }

type machine struct{ gcReader }

func (m *machine) ProcessCPU() int64 { return processCPU() }

func (m *machine) ThreadCPU() int64 { return Absent }

func (m *machine) Switches(thread bool) (voluntary, involuntary int64) { return Absent, Absent }

func (m *machine) Wait() int64 { return Absent }
