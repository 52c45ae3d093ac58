// Package postgres keeps runs in tables of PostgreSQL, in the schema suite of a database.
// docs/stores.md describes the tables.
package postgres

import (
	"context"
	"embed"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/flat"
	"example.com/suite/internal/history"
	"example.com/suite/stores/push"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// migrations has a file for each version of the tables, 1.sql and so on. A file that was
// released never changes.
//
//go:embed migrations/*.sql
var migrations embed.FS

//go:embed pushed.sql
var makePushed string

//go:embed push.sql
var movePushed string

// lockKey is the advisory lock of programs that change the tables: "suite" in ASCII.
const lockKey = 0x7375697465

// connectTime bounds a connection if neither the URL nor the environment does.
const connectTime = 15 * time.Second

// Store is a database with the tables of this package.
type Store struct {
	conn     *pgx.Conn
	place    string // without secrets
	password string // which no message contains
	staged   bool   // the temporary table is there
}

// Open connects to a database and brings its tables to the newest version. The variables of
// libpq (PGPASSWORD, PGHOST, …) and ~/.pgpass apply. Close ends the connection.
func Open(ctx context.Context, to string) (push.Store, error) {
	if _, err := push.Parse(to, "PGPASSWORD"); err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(to)
	if err != nil { // its text may have a part of the password
		return nil, push.Usage("the URL of the database cannot be read",
			"postgres://USER@HOST:5432/DATABASE?sslmode=require")
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTime
	}
	config.RuntimeParams["application_name"] = "suite-push"
	s := &Store{place: fmt.Sprintf("postgres://%s/%s", net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port))),
		config.Database), password: config.Password}
	if strings.HasPrefix(config.Host, "/") { // the folder of a socket
		s.place = fmt.Sprintf("postgres:///%s?host=%s", config.Database, config.Host)
	}
	s.conn, err = pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, s.failure(err)
	}
	if err := s.migrate(ctx); err != nil {
		s.Close()
		return nil, s.failure(err)
	}
	return s, nil
}

func (s *Store) String() string { return s.place }

// Close ends the connection.
func (s *Store) Close() error { return s.conn.Close(context.Background()) }

// failure is an error about the database, with a hint for the usual ones.
func (s *Store) failure(err error) error {
	var lines []string // pgx writes several, one for each attempt
	for line := range strings.Lines(err.Error()) {
		if line = strings.Join(strings.Fields(line), " "); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, " ")
	if s.password != "" {
		text = strings.ReplaceAll(text, s.password, "***")
	}
	hint := diag.HintOf(err)
	var answered *pgconn.PgError
	var unreached *pgconn.ConnectError
	switch {
	case errors.As(err, &answered):
		switch answered.Code {
		case "28P01":
			hint = "put the password into the variable PGPASSWORD or the file ~/.pgpass"
		case "28000":
			hint = "name a user that the database admits: postgres://USER@HOST/DATABASE"
		case "3D000":
			hint = "create the database: createdb NAME"
		case "42501":
			hint = "the first push makes the schema suite, which needs GRANT CREATE ON DATABASE; later ones need " +
				"USAGE of it, SELECT and INSERT"
		}
	case errors.As(err, &unreached):
		hint = "is the server running, and does it listen there?"
	}
	return diag.Hinted(s.place+": "+text, hint)
}

// newest is the version of the tables that this program knows.
func newest() int {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		panic(err) // they are part of the program
	}
	return len(files)
}

// migrate brings the tables to the newest version, in one transaction under a lock: of several
// programs that find old tables, one changes them and the others wait.
func (s *Store) migrate(ctx context.Context) error {
	version, err := versionOf(ctx, s.conn)
	if err != nil || version == newest() {
		return err
	}
	return pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(lockKey)); err != nil {
			return err
		}
		version, err := versionOf(ctx, tx)
		if err != nil {
			return err
		}
		if version > newest() {
			return diag.Hinted(fmt.Sprintf("its tables have version %d, and this program knows version %d", version,
				newest()), "install a newer suite-push")
		}
		for next := version + 1; next <= newest(); next++ {
			if err := upgrade(ctx, tx, next); err != nil {
				return fmt.Errorf("version %d of the tables: %w", next, err)
			}
		}
		return nil
	})
}

// versionOf returns the version of the tables, 0 if there are none.
func versionOf(ctx context.Context, on interface {
	QueryRow(context.Context, string, ...any) pgx.Row
}) (version int, err error) {
	// Not to_regclass: after the wait for an advisory lock it still sees the catalogue of before.
	const exists = "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'suite' AND tablename = 'migrations')"
	var there bool
	if err := on.QueryRow(ctx, exists).Scan(&there); err != nil || !there {
		return 0, err
	}
	err = on.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM suite.migrations").Scan(&version)
	return version, err
}

// upgrade changes the tables to a version from the one before.
func upgrade(ctx context.Context, tx pgx.Tx, version int) error {
	if version == 1 {
		const begin = "CREATE SCHEMA IF NOT EXISTS suite; CREATE TABLE suite.migrations (version integer PRIMARY " +
			"KEY, applied timestamptz NOT NULL DEFAULT now())"
		if _, err := tx.Exec(ctx, begin); err != nil {
			return err
		}
	}
	text, err := migrations.ReadFile(fmt.Sprintf("migrations/%d.sql", version))
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, string(text)); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "INSERT INTO suite.migrations (version) VALUES ($1)", version)
	return err
}

// Lacking returns the runs that the table of runs does not have.
func (s *Store) Lacking(ctx context.Context, runs []*history.Run) ([]*history.Run, error) {
	var digests []string
	for _, run := range runs {
		digests = append(digests, run.Digest)
	}
	rows, err := s.conn.Query(ctx, "SELECT run FROM suite.runs WHERE run = ANY($1)", digests)
	if err != nil {
		return nil, s.failure(err)
	}
	there, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, s.failure(err)
	}
	known := map[string]bool{}
	for _, digest := range there {
		known[digest] = true
	}
	return push.Without(runs, known), nil
}

// storable replaces NUL, which no text of PostgreSQL can have, so that a name of an imported
// run does not keep all later runs out.
func storable(values []any) []any {
	for i, v := range values {
		switch v := v.(type) {
		case string:
			values[i] = withoutNUL(v)
		case map[string]string:
			clean := map[string]string{}
			for name, text := range v {
				clean[withoutNUL(name)] = withoutNUL(text)
			}
			values[i] = clean
		}
	}
	return values
}

func withoutNUL(text string) string { return strings.ReplaceAll(text, "\x00", "\uFFFD") }

// Push adds the rows of a run, in one transaction.
func (s *Store) Push(ctx context.Context, rows []flat.Row) (added bool, err error) {
	if !s.staged {
		if _, err := s.conn.Exec(ctx, makePushed); err != nil {
			return false, s.failure(err)
		}
		s.staged = true
	}
	err = pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		each := pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) { return storable(rows[i].Values()), nil })
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"pushed"}, flat.Columns(), each); err != nil {
			return err
		}
		moved, err := tx.Conn().PgConn().Exec(ctx, movePushed).ReadAll()
		if err != nil {
			return err
		}
		added = moved[0].CommandTag.RowsAffected() > 0 // the first statement adds the run
		return nil
	})
	if err != nil {
		return false, s.failure(err)
	}
	return added, nil
}
