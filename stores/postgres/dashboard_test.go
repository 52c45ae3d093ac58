//go:build unix

package postgres

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"example.com/suite/internal/flat/flattest"
	"example.com/suite/stores/push"
	"github.com/jackc/pgx/v5"
)

// board is the part of a dashboard of Grafana that has queries.
type board struct {
	Templating struct {
		List []struct{ Name, Type, Query string }
	}
	Panels []struct {
		Title   string
		Targets []struct{ RawSQL string }
	}
}

var (
	timeFilter = regexp.MustCompile(`\$__timeFilter\(([^)]*)\)`)
	variable   = regexp.MustCompile(`\$\{(\w+):sqlstring\}`)
)

// Every query of the dashboard runs on tables that were pushed, and returns rows. The values of
// its variables come from their own queries.
func TestDashboard(t *testing.T) {
	database := fresh(t)
	if _, err := push.Runs(t.Context(), opened(t, database), flattest.Runs(t)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var b board
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	conn := connect(t, database)
	values := map[string]string{}
	filled := func(query string) string {
		query = timeFilter.ReplaceAllString(query, "$1 BETWEEN '2026-01-01T00:00:00Z' AND '2027-01-01T00:00:00Z'")
		return variable.ReplaceAllStringFunc(query, func(found string) string {
			value, ok := values[variable.FindStringSubmatch(found)[1]]
			if !ok {
				t.Errorf("%s has no variable %s before it", query, found)
			}
			return "'" + strings.ReplaceAll(value, "'", "''") + "'"
		})
	}
	for _, v := range b.Templating.List {
		if v.Type != "query" {
			continue
		}
		rows, err := conn.Query(t.Context(), filled(v.Query))
		if err != nil {
			t.Fatal(err)
		}
		all, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || len(all) == 0 {
			t.Fatalf("variable %s: %q, %v", v.Name, all, err)
		}
		values[v.Name] = all[0]
		for _, one := range all { // the fullest of the recorded cases and machines
			if one == "parse/1MiB" || strings.HasPrefix(one, "AMD") {
				values[v.Name] = one
			}
		}
	}
	if values["metric"] != "time" {
		t.Errorf("the variables are %v", values)
	}
	queries := 0
	for _, p := range b.Panels {
		for _, target := range p.Targets {
			queries++
			query := filled(target.RawSQL)
			if strings.Contains(query, "$") {
				t.Errorf("%s: what is filled in here? %s", p.Title, query)
			}
			rows, err := conn.Query(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			all, err := pgx.CollectRows(rows, pgx.RowToMap)
			if err != nil || len(all) == 0 {
				t.Errorf("%s: %d rows, %v\n%s", p.Title, len(all), err, query)
			}
		}
	}
	if queries < 6 {
		t.Errorf("only %d queries were seen", queries)
	}
}
