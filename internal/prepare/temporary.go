package prepare

import (
	"errors"
	"io/fs"
	"os"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/scratch"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// CheckTemporary fails if no temporary file can be written, but commands or hooks need
// one for their output. It runs before anything is measured, because every one of them
// would fail.
func CheckTemporary(plans []*spec.Plan) error {
	if !needsTemporary(plans) {
		return nil
	}
	f, err := scratch.Named("suite-check-*")
	if err != nil {
		return diag.Hinted(err.Error(), scratch.Hint())
	}
	_, err = f.WriteString("room for a line") // on a full disk a file can still be made, but not written
	f.Close()
	os.Remove(f.Name())
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return diag.Hinted(scratch.NoFile+os.TempDir()+": "+failed.Err.Error(), scratch.Hint())
	}
	return err
}

func needsTemporary(plans []*spec.Plan) bool {
	for _, plan := range plans {
		for i := range plan.Cases {
			if c := &plan.Cases[i]; c.Kind != result.KindGo || c.Setup != nil || c.Cleanup != nil {
				return true
			}
		}
		if plan.Build != nil {
			return true
		}
	}
	return false
}
