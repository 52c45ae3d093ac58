package push

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"

	"example.com/suite/internal/flat"
	"example.com/suite/internal/history"
	"example.com/suite/internal/lazy"
	"github.com/go-json-experiment/json"
)

// clickhouse is a table of ClickHouse that has the columns of flat.Row.
type clickhouse struct {
	*sender
	address  *url.URL // without a query
	database string
	table    string
}

//go:embed clickhouse.sql
var clickhouseTable string

var identifier = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_]*$`)

func openClickHouse(place string, u *url.URL, lookup func(string) (string, bool)) (Store, error) {
	c := &clickhouse{sender: newSender(place, u, password(lookup)), address: bare(u),
		database: strings.Trim(u.Path, "/"), table: "suite"}
	query := u.Query()
	if query.Has("table") {
		c.table = query.Get("table")
		query.Del("table")
	}
	switch {
	case len(query) > 0:
		return nil, Usage(place+": its query may have table=NAME and nothing else",
			"user and password are written before the host, http://USER@HOST")
	case !identifier().MatchString(c.table) || c.database != "" && !identifier().MatchString(c.database):
		return nil, Usage(place+": databases and tables have names of letters, digits and _",
			"clickhouse+http://HOST:8123/DATABASE?table=NAME")
	}
	return c, nil
}

// Lacking asks the table which runs it has, and makes the table if there is none.
func (c *clickhouse) Lacking(ctx context.Context, runs []*history.Run) ([]*history.Run, error) {
	a, err := c.query(ctx, "SELECT DISTINCT run FROM "+c.table+" FORMAT TabSeparated", nil)
	if code(err) == unknownTable {
		_, err = c.query(ctx, strings.Replace(clickhouseTable, "TABLE suite", "TABLE IF NOT EXISTS "+c.table, 1), nil)
		return runs, c.tooOld(ctx, err)
	}
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(a.body)) {
		known[strings.TrimSuffix(line, "\n")] = true
	}
	return Without(runs, known), nil
}

// The first ClickHouse that has all types of the table; Bool came last.
const oldestYear, oldestMonth = 21, 12

// tooOld explains why a server refuses the table, if the server is too old for it.
func (c *clickhouse) tooOld(ctx context.Context, err error) error {
	if code(err) == "" {
		return err
	}
	a, asked := c.query(ctx, "SELECT version() FORMAT TabSeparated", nil)
	if asked != nil {
		return err
	}
	var year, month int
	version := firstLine(a.body)
	if n, _ := fmt.Sscanf(version, "%d.%d", &year, &month); n < 2 || year > oldestYear ||
		year == oldestYear && month >= oldestMonth {
		return err
	}
	return c.failure(fmt.Sprintf("ClickHouse %s is too old: it lacks types of the table", version),
		fmt.Sprintf("the first version that has them is %d.%d", oldestYear, oldestMonth))
}

// Push inserts one block, which ClickHouse adds whole or not at all. Rows that are inserted
// twice are one row after ReplacingMergeTree has merged them.
func (c *clickhouse) Push(ctx context.Context, rows []flat.Row) (added bool, err error) {
	var body bytes.Buffer
	for i := range rows {
		row := rows[i]
		if row.Ratio != nil && math.IsInf(*row.Ratio, 0) {
			row.Ratio = nil // JSON has no infinity
		}
		text, err := json.Marshal(&row, json.Deterministic(true))
		if err != nil {
			return false, err
		}
		body.Write(append(text, '\n'))
	}
	_, err = c.query(ctx, "INSERT INTO "+c.table+" FORMAT JSONEachRow", body.Bytes())
	return err == nil, err
}

// unknownTable is the code of an exception of ClickHouse.
const unknownTable = "60"

// code is the code of an exception of ClickHouse, empty if err is none.
func code(err error) string {
	var r refusal
	if !errors.As(err, &r) {
		return ""
	}
	return r.header.Get("X-Clickhouse-Exception-Code")
}

// query sends a statement in the URL, with its data in the body, or in the body if it has no
// data.
func (c *clickhouse) query(ctx context.Context, statement string, data []byte) (*answer, error) {
	values := url.Values{"wait_end_of_query": {"1"}} // so that a status 200 is final
	if c.database != "" {
		values.Set("database", c.database)
	}
	if data == nil {
		data = []byte(statement)
	} else {
		values.Set("query", statement)
		values.Set("date_time_input_format", "best_effort") // RFC 3339
	}
	to := *c.address
	to.Path, to.RawQuery = "/", values.Encode()
	a, err := c.send(ctx, http.MethodPost, to.String(), "text/plain; charset=utf-8", data)
	if err == nil && a.header.Get("X-Clickhouse-Exception-Code") != "" {
		return nil, c.failure(fmt.Sprintf("exception %s of ClickHouse: %s",
			a.header.Get("X-Clickhouse-Exception-Code"), firstLine(a.body)), "")
	}
	return a, err
}
