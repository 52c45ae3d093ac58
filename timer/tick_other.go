//go:build !amd64 && !arm64

package timer

func openRDTSCP() (Counter, error) { return nil, needs("", "amd64") }

func openRDTSC() (Counter, error) { return nil, needs("", "amd64") }

func openCNTVCT() (Counter, error) { return nil, needs("", "arm64") }
