package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/kept"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/units"
	"example.com/suite/runner"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/journal"
	"example.com/suite/runner/record"
	"github.com/spf13/cobra"
)

// journalFlags are the flags of the journal, and the suite files that name it.
type journalFlags struct {
	resume bool
	file   string
	suites []string // all files of the command line, even if a filter leaves no case of one
}

func (j *journalFlags) flags(c *cobra.Command) {
	c.Flags().BoolVar(&j.resume, "resume", false, "continue an interrupted run of the same files and flags")
	c.Flags().StringVar(&j.file, "journal", "", "write the journal of this run to `FILE` instead of the user's cache")
	complete(c, "journal", anyFile)
}

// checkFlags refuses flags that contradict each other.
func (j *journalFlags) checkFlags(seed string) error {
	if j.resume && seed != "" {
		return diag.Hinted("--resume goes on with the seed of the run that was interrupted, so --seed has no meaning",
			"leave out one of them")
	}
	return nil
}

// openJournal opens the journal of the run that o describes. It runs before anything is
// measured, so that a place that cannot be written is found early. If there is no such
// place, as in a container without a home, and no flag asks for a journal, it returns
// nil and the run goes on without.
func openJournal(e env, ready prepare.Ready, o runner.Options, f *journalFlags, quiet bool) (*record.Journal, error) {
	path, err := journalPath(e, f)
	if err != nil {
		return nil, reportNoJournal(e, err, f)
	}
	open := record.Create
	if f.resume {
		open = record.Resume
	}
	j, err := open(path, runner.NewHeader(ready.Plans(), o))
	if err != nil {
		return nil, explainJournal(e, err, path, f)
	}
	if old := j.Replaced(); old != nil && !quiet {
		e.say("an unfinished run of these files, begun %s, is forgotten: %s finished, %d in part; --resume "+
			"would have gone on from there",
			old.Started.Local().Format(time.DateTime), units.Plural(old.Finished, "case"), old.Partly)
	}
	return j, nil
}

// journalPath is the file of --journal, or else a file in the cache whose name depends
// only on the suite files: a run resumes from any working directory.
func journalPath(e env, f *journalFlags) (string, error) {
	if f.file != "" {
		return f.file, nil
	}
	folder, err := e.cacheFolder("journals")
	if err == nil {
		err = os.MkdirAll(folder, 0o700)
	}
	return filepath.Join(folder, kept.Name(f.suites)+".jsonl"), err
}

// hashOwnProgram starts to hash suite's own program, which is the host of suites without
// packages. The hash is kept in the cache, because hashing takes time at every start. The
// returned function waits until the cache is written.
func hashOwnProgram(e env, binaries *binary.Hashes) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		folder, err := e.cacheFolder("own")
		if err != nil {
			binaries.Sum(e.host[0])
			return
		}
		binaries.Load(e.host[0], filepath.Join(folder, "hash"))
	}()
	return func() { <-done }
}

// explainJournal explains why a journal cannot be opened, with a hint what to do. It is
// nil if the run can go on without.
func explainJournal(e env, err error, path string, f *journalFlags) error {
	var refusal *record.Refusal
	switch {
	case errors.As(err, &refusal):
		return diag.Hinted(err.Error(), "run without --resume to measure anew")
	case errors.Is(err, journal.ErrBusy):
		return diag.Hinted(err.Error(), "wait for it, or use another journal: --journal FILE")
	case errors.Is(err, record.ErrNotJournal):
		return diag.Hinted(fmt.Sprintf("journal %q: %v", path, err), "name a file that is not there yet")
	case f.resume && !errors.As(err, new(*fs.PathError)):
		return diag.Hinted("cannot resume: "+err.Error(), "run without --resume to measure anew")
	}
	return reportNoJournal(e, err, f)
}

// reportNoJournal prints that there is no place for a journal. The command line is not wrong,
// so the status is exitFail, and nil unless a flag or variable asks for a journal.
func reportNoJournal(e env, err error, f *journalFlags) error {
	const hint = "--journal FILE, or SUITE_CACHE=FOLDER in the environment, names a place that can be written"
	chosen, _ := e.lookup(cacheVariable)
	if !f.resume && f.file == "" && chosen == "" {
		e.printError(diag.Hinted(fmt.Sprintf("no journal, so that this run cannot be resumed: %v", err), hint))
		return nil
	}
	if errors.As(err, new(*fs.PathError)) {
		err = fmt.Errorf("cannot keep a journal: %w", err)
	}
	return e.fail(diag.Hinted(err.Error(), hint))
}

// finishJournal removes the journal of a run that is over. It keeps the journal of a run
// that is not, and prints how to resume.
func finishJournal(e env, j *record.Journal, over, quiet bool) {
	if j == nil {
		return
	}
	if !over && j.Kept() {
		_ = j.Close() // an error loses nothing: each line is already in the file
		if !quiet {
			e.say("what was measured is kept: the same command with --resume goes on from here")
		}
		return
	}
	if err := j.Remove(); err != nil {
		e.say("the journal could not be removed: %v", err)
	}
}
