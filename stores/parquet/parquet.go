// Package parquet keeps runs as Parquet files in a folder, one for each run. DuckDB, pandas and
// other programs read the folder as one table, with the columns of flat.Row.
package parquet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/flat"
	"example.com/suite/internal/history"
	"example.com/suite/report"
	"example.com/suite/stores/push"
	"github.com/parquet-go/parquet-go"
)

// Store is a folder.
type Store struct{ folder string }

// Open opens the folder of parquet:FOLDER or parquet:///FOLDER, and makes it if there is none.
func Open(_ context.Context, to string) (push.Store, error) {
	folder := strings.TrimPrefix(to, "parquet:")
	if rest, ok := strings.CutPrefix(folder, "//"); ok {
		folder = rest
		if !strings.HasPrefix(rest, "/") {
			return nil, push.Usage("parquet://"+rest+" names a host",
				"parquet:FOLDER, or parquet:///FOLDER from the root")
		}
	}
	if folder == "" {
		return nil, push.Usage("parquet: needs a folder", "for example parquet:runs")
	}
	folder = filepath.FromSlash(folder)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, push.Usage(err.Error(), "name a folder that can be written")
	}
	return &Store{folder}, nil
}

func (s *Store) String() string { return s.folder }

// file is the file of a run. Its name depends on the start and the digest, so that files are
// sorted by time and two runs never share one.
func (s *Store) file(digest string, started time.Time) string {
	sum := sha256.Sum256([]byte(digest))
	return filepath.Join(s.folder, started.UTC().Format("20060102T150405Z")+"-"+hex.EncodeToString(sum[:6])+".parquet")
}

// Lacking returns the runs that have no file.
func (s *Store) Lacking(_ context.Context, runs []*history.Run) ([]*history.Run, error) {
	return slices.DeleteFunc(slices.Clone(runs), func(r *history.Run) bool {
		_, err := os.Stat(s.file(r.Digest, r.Started))
		return err == nil
	}), nil
}

// Push writes the file of a run, which is there at once and whole.
func (s *Store) Push(ctx context.Context, rows []flat.Row) (added bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, context.Cause(ctx)
	}
	file := s.file(rows[0].Run, rows[0].Started)
	_, missing := os.Stat(file)
	err = report.WriteFile(file, func(w io.Writer) error {
		f := parquet.NewGenericWriter[flat.Row](w, parquet.Compression(&parquet.Zstd),
			parquet.CreatedBy("suite", "", ""))
		_, err := f.Write(rows)
		return errors.Join(err, f.Close())
	})
	if err != nil {
		return false, diag.Hinted(err.Error(), "")
	}
	return missing != nil, nil
}
