//go:build unix

package postgres

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/flat"
	"example.com/suite/internal/flat/flattest"
	"example.com/suite/internal/history"
	"example.com/suite/stores/push"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"
)

func opened(t *testing.T, database string) *Store {
	t.Helper()
	s, err := Open(t.Context(), at(database, ""))
	if err != nil {
		t.Fatal(err)
	}
	store := s.(*Store)
	t.Cleanup(func() { store.Close() })
	return store
}

// counts are the numbers of rows of all tables.
func counts(t *testing.T, conn *pgx.Conn) string {
	t.Helper()
	var all []string
	for _, table := range []string{"runs", "cases", "metrics", "comparisons", "gates"} {
		all = append(all, fmt.Sprintf("%d %s", count(t, conn, "SELECT count(*) FROM suite."+table), table))
	}
	return strings.Join(all, ", ")
}

// A run that is pushed twice adds nothing: neither if the database is asked for it, nor if two
// programs push it at the same time and neither sees the other's.
func TestAgainAddsNothing(t *testing.T) {
	database := fresh(t)
	store := opened(t, database)
	runs := flattest.Runs(t)
	const want = "3 runs, 4 cases, 8 metrics, 2 comparisons, 4 gates"
	for _, done := range []string{"pushed 3 runs to " + store.String(), "pushed 0 runs to " + store.String() + "; 3 already there"} {
		got, err := push.Runs(t.Context(), store, runs)
		if got != done || err != nil {
			t.Errorf("%q, %v; want %q", got, err, done)
		}
		if got := counts(t, connect(t, database)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, run := range runs {
		if added, err := store.Push(t.Context(), flat.Rows(run)); err != nil || added {
			t.Fatalf("added %t, %v", added, err)
		}
	}
	if got := counts(t, connect(t, database)); got != want {
		t.Errorf("without asking: %s, want %s", got, want)
	}
}

// The views return what was pushed.
func TestViews(t *testing.T) {
	database := fresh(t)
	store := opened(t, database)
	runs := flattest.Runs(t)
	if _, err := push.Runs(t.Context(), store, runs); err != nil {
		t.Fatal(err)
	}
	conn := connect(t, database)
	var want []flat.Row
	for _, run := range runs {
		want = append(want, flat.Rows(run)...)
	}
	var columns []string
	for _, name := range flat.Columns() {
		switch name {
		case "against", "verdict":
			name = "coalesce(" + name + ", '') AS " + name
		case "gate":
			name = "'' AS gate"
		}
		columns = append(columns, name)
	}
	const order = " ORDER BY started, case_name, "
	got := collect(t, conn, "SELECT "+strings.Join(columns, ", ")+" FROM suite.results"+order+"metric")
	got = append(got, collect(t, conn, "SELECT run, started, commit, committed, subject, dirty, '' AS tool, '' AS tool_version, '' AS go_version, machine, '' AS os, '' AS arch, '' AS cpu, 0 AS cpus, suite, case_name, params, "+
		"'' AS metric, '' AS unit, '' AS per, '' AS better, null::float8 AS value, null::float8 AS low, null::float8 AS high, 0 AS n, '' AS against, null::float8 AS ratio, null::float8 AS ratio_low, null::float8 AS ratio_high, gate, verdict FROM suite.verdicts"+order+"gate")...)
	for i := range want {
		if want[i].Gate != "" { // the view of verdicts has fewer columns
			r := &want[i]
			r.Tool, r.ToolVersion, r.GoVersion, r.OS, r.Arch, r.CPU, r.CPUs = "", "", "", "", "", "", 0
		}
	}
	byKey := cmpopts.SortSlices(func(a, b flat.Row) bool {
		return slices.Compare([]string{a.Run, a.Case, a.Metric, a.Gate}, []string{b.Run, b.Case, b.Metric, b.Gate}) < 0
	})
	if diff := cmp.Diff(want, got, byKey); diff != "" {
		t.Error(diff)
	}
	example, err := os.ReadFile("worse.sql")
	if err != nil {
		t.Fatal(err)
	}
	query := strings.NewReplacer("now()", "timestamptz '2026-11-05'", ";", "").Replace(string(example))
	if n := count(t, conn, "SELECT count(*) FROM ("+query+") AS example"); n != 1 {
		t.Errorf("%s: %d rows", example, n)
	}
	if n := count(t, conn, "SELECT count(*) FROM suite.results WHERE at = committed OR committed IS NULL AND at = started"); n != 8 {
		t.Errorf("%d rows have a time", n)
	}
}

func collect(t *testing.T, conn *pgx.Conn, query string) []flat.Row {
	t.Helper()
	rows, err := conn.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[flat.Row])
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		r := &all[i]
		r.Started = r.Started.UTC()
		if r.Committed != nil {
			when := r.Committed.UTC()
			r.Committed = &when
		}
	}
	return all
}

// Several programs may meet an empty database at once, and push the same runs.
func TestAtOnce(t *testing.T) {
	database := fresh(t)
	runs := flattest.Runs(t)
	var pushers sync.WaitGroup
	for i := range 6 {
		pushers.Go(func() {
			s, err := Open(t.Context(), at(database, ""))
			if err != nil {
				t.Error(err)
				return
			}
			defer s.(*Store).Close()
			own := slices.Clone(runs)
			if i%2 == 1 {
				slices.Reverse(own)
			}
			if _, err := push.Runs(t.Context(), s, own); err != nil {
				t.Error(err)
			}
		})
	}
	pushers.Wait()
	conn := connect(t, database)
	if got := counts(t, conn); got != "3 runs, 4 cases, 8 metrics, 2 comparisons, 4 gates" {
		t.Error(got)
	}
	if n := count(t, conn, "SELECT count(*) FROM suite.migrations"); n != newest() {
		t.Errorf("%d migrations were applied", n)
	}
}

// Tables of a newer program are left alone.
func TestNewerTables(t *testing.T) {
	database := fresh(t)
	opened(t, database)
	execute(t, connect(t, database), "INSERT INTO suite.migrations (version) VALUES (99)")
	_, err := Open(t.Context(), at(database, ""))
	want := fmt.Sprintf("its tables have version 99, and this program knows version %d", newest())
	if err == nil || !strings.HasSuffix(err.Error(), want) || diag.HintOf(err) != "install a newer suite-push" {
		t.Error(err, diag.HintOf(err))
	}
}

// Migrations that fail leave nothing behind.
func TestFailedMigration(t *testing.T) {
	database := fresh(t)
	conn := connect(t, database)
	execute(t, conn, "CREATE SCHEMA suite; CREATE TABLE suite.gates (mine int)")
	if _, err := Open(t.Context(), at(database, "")); err == nil || !strings.Contains(err.Error(), `version 1 of the tables: ERROR: relation "gates" already exists`) {
		t.Error(err)
	}
	if n := count(t, conn, "SELECT count(*) FROM pg_tables WHERE schemaname = 'suite'"); n != 1 {
		t.Errorf("%d tables", n)
	}
}

// A user who may not make tables can push into tables that are there.
func TestLeastPrivileges(t *testing.T) {
	database := fresh(t)
	opened(t, database)
	conn := connect(t, database)
	execute(t, conn, "CREATE ROLE pusher_"+database+" LOGIN")
	_, err := Open(t.Context(), at(database, "pusher_"+database))
	if err == nil || !strings.Contains(diag.HintOf(err), "USAGE") {
		t.Error(err, diag.HintOf(err))
	}
	execute(t, conn, "GRANT USAGE ON SCHEMA suite TO pusher_"+database+"; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA suite TO pusher_"+database)
	s, err := Open(t.Context(), at(database, "pusher_"+database))
	if err != nil {
		t.Fatal(err)
	}
	defer s.(*Store).Close()
	if _, err := push.Runs(t.Context(), s, flattest.Runs(t)); err != nil {
		t.Error(err)
	}
}

// A run is there as a whole or not at all; the ones before it stay, and the others are named.
func TestARunThatIsRefused(t *testing.T) {
	database := fresh(t)
	store := opened(t, database)
	runs := flattest.Runs(t)
	runs[1].Cases[1].Name = "no \xff text"
	_, err := push.Runs(t.Context(), store, runs)
	if err == nil || !strings.Contains(err.Error(), "invalid byte sequence") || !strings.Contains(err.Error(), "1 of 3 runs were pushed (the run of 2026-11-01 12:00:00 at 1111111111), and not the run of 2026-11-02 12:00:00 at 2222222222, the run of 2026-11-03 12:00:00") {
		t.Error(err)
	}
	if got := counts(t, connect(t, database)); got != "1 runs, 2 cases, 6 metrics, 2 comparisons, 3 gates" {
		t.Error(got)
	}
	execute(t, connect(t, database), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'suite-push' AND datname = current_database()")
	if _, err := push.Runs(t.Context(), store, flattest.Runs(t)); err == nil {
		t.Error("a connection that has ended is no failure")
	}
}

func TestInterrupt(t *testing.T) {
	store := opened(t, fresh(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := push.Runs(ctx, store, flattest.Runs(t)); err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Error(err)
	}
}

// No message has a part of a password, however the URL was written.
func TestPasswordsAreNotPrinted(t *testing.T) {
	database := fresh(t)
	execute(t, connect(t, database), "DROP ROLE IF EXISTS locked; CREATE ROLE locked LOGIN PASSWORD 'richtig'")
	query := "@/" + database + "?host=" + socket
	for _, to := range []string{
		"postgres://locked:geheim" + query, "postgres://locked:ge%2Fheim" + query, "postgres://locked:ge/heim" + query, "postgres://locked:12/heim" + query,
		"postgres://locked:ge%zzheim" + query, "postgres://locked:1#heim" + query, "postgres://locked:hei m@[::1/x", "postgres://locked:heim@host:port/x",
		"postgres://locked:heim@/x?sslmode=heim", "postgres://locked:heim@/x?password=heim&host=/nowhere", "postgres://locked@/x?password=heim&host=/nowhere", "postgres://postgres:heim@/nothing?host=" + socket,
	} {
		_, err := Open(t.Context(), to)
		if err == nil || strings.Contains(err.Error(), "heim") || strings.Contains(err.Error(), "ge/") {
			t.Errorf("%s: %v", to, err)
		}
	}
	_, err := Open(t.Context(), at(database, "locked:falsch"))
	if err == nil || !strings.Contains(err.Error(), "password authentication failed") || diag.HintOf(err) != "put the password into the variable PGPASSWORD or the file ~/.pgpass" {
		t.Error(err, diag.HintOf(err))
	}
	t.Setenv("PGPASSWORD", "richtig")
	if _, err := Open(t.Context(), at(database, "locked")); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("with the password of the environment: %v", err)
	}
}

// Hundreds of runs are pushed in a moment, and the order of their cases does not matter.
func TestManyRuns(t *testing.T) {
	database := fresh(t)
	store := opened(t, database)
	var runs []*history.Run
	for n := range 200 {
		run := *flattest.Runs(t)[0]
		run.Digest = fmt.Sprintf("sha256:%064d", n)
		run.Started = run.Started.Add(time.Duration(n) * time.Hour)
		runs = append(runs, &run)
	}
	if _, err := push.Runs(t.Context(), store, runs); err != nil {
		t.Fatal(err)
	}
	if got := counts(t, connect(t, database)); got != "200 runs, 2 cases, 1200 metrics, 400 comparisons, 600 gates" {
		t.Error(got)
	}
}

// Imported names may have what PostgreSQL cannot store.
func TestNUL(t *testing.T) {
	database := fresh(t)
	rows := flat.Rows(flattest.Runs(t)[0])
	for i := range rows {
		rows[i].Case, rows[i].Params = "a\x00b", map[string]string{"p\x00": "\x00"}
	}
	if _, err := opened(t, database).Push(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
	var name, params string
	if err := connect(t, database).QueryRow(t.Context(), "SELECT name, params FROM suite.cases").Scan(&name, &params); err != nil || name != "a\uFFFDb" || params != "{\"p\uFFFD\": \"\uFFFD\"}" {
		t.Errorf("%q %q: %v", name, params, err)
	}
}

func TestAddressOfIPv6(t *testing.T) {
	_, err := Open(t.Context(), "postgres://me@[::1]:1/x?connect_timeout=2")
	if err == nil || !strings.HasPrefix(err.Error(), "postgres://[::1]:1/x: ") {
		t.Error(err)
	}
}
