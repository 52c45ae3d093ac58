package saved

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.com/suite/report"
	"example.com/suite/result"
	"example.com/suite/runner/process"
	"example.com/suite/runner/profile"
)

// profileSuffix replaces the ending of a result's name in the name of the folder with its
// profiles.
const profileSuffix = ".profiles"

// ProfileFolder is the folder of the profiles of a result.
func ProfileFolder(resultFile string) string {
	return strings.TrimSuffix(resultFile, filepath.Ext(resultFile)) + profileSuffix
}

// WriteProfiles writes the profiles of a run next to a result. Profiles of an earlier run
// are removed: readers would take them for profiles of this run.
func WriteProfiles(resultFile string, files []profile.File) error {
	err := RemoveProfiles(resultFile)
	if len(files) == 0 || err != nil {
		return err
	}
	folder := ProfileFolder(resultFile)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		write := func(w io.Writer) error {
			_, err := w.Write(f.Data)
			return err
		}
		if err := report.WriteFile(filepath.Join(folder, f.Name), write); err != nil {
			return err
		}
	}
	return nil
}

// SizeOfProfiles returns how many bytes the profiles of a result take.
func SizeOfProfiles(resultFile string) (bytes int64) {
	files, _ := filepath.Glob(filepath.Join(ProfileFolder(resultFile), "*.pb.gz")) // keys as names: no bad pattern
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// RemoveProfiles removes the profiles of a result, and their folder if nothing else is in it.
func RemoveProfiles(resultFile string) error {
	folder := ProfileFolder(resultFile)
	files, err := filepath.Glob(filepath.Join(folder, "*.pb.gz"))
	for _, f := range files {
		err = errors.Join(err, os.Remove(f))
	}
	_ = os.Remove(folder) // fails if it contains other files
	return err
}

// PprofCommands lists the commands that open the profiles of a case of a result, for those whose
// files are there and not empty.
func PprofCommands(resultFile string, c *result.Case) (lines []string) {
	if c.Profiling == nil {
		return nil
	}
	folder := ProfileFolder(resultFile)
	current, _ := os.Getwd() // CommandLine changes into no other folder
	for i := range c.Profiling.Profiles {
		p := &c.Profiling.Profiles[i]
		here := filepath.Join(folder, p.Here.File)
		if p.Here.File == "" || !isFile(here) || p.Here.Samples == 0 && (p.Base == nil || p.Base.Samples == 0) {
			continue
		}
		words := []string{"go", "tool", "pprof", "-http=:"}
		if p.Base != nil && isFile(filepath.Join(folder, p.Base.File)) {
			words = append(words, "-diff_base", filepath.Join(folder, p.Base.File))
		}
		lines = append(lines, process.CommandLine(current, append(words, here)))
	}
	return lines
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
