package result_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/report/reporttest"
	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// recorded returns the documents that reports are tested with, by file name: recorded and made.
func recorded(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../report/testdata/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d recorded documents, %v", len(files), err)
	}
	docs := map[string][]byte{}
	for _, file := range files {
		data := testfile.Read(t, file)
		docs[filepath.Base(file)] = data
	}
	for _, name := range reporttest.MadeNames() {
		var b bytes.Buffer
		if err := result.Write(&b, reporttest.Made(name)); err != nil {
			t.Fatal(err)
		}
		docs[name+".json"] = b.Bytes()
	}
	return docs
}

func read(t testing.TB, data []byte) *result.Document {
	t.Helper()
	doc, err := result.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestReadWriteRoundTrip(t *testing.T) {
	for name, data := range recorded(t) {
		doc := read(t, data)
		var out bytes.Buffer
		if err := result.Write(&out, doc); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(data), out.String()); diff != "" {
			t.Errorf("%s (-read +written):\n%s", name, diff)
		}
		if diff := cmp.Diff(doc, read(t, out.Bytes()), cmpopts.EquateEmpty(), cmpopts.EquateNaNs(), cmpopts.IgnoreUnexported(result.Samples{})); diff != "" {
			t.Errorf("%s (-first +second):\n%s", name, diff)
		}
	}
}

// The layout is that of encoding/json but for white space.
func TestWriteIsJSON(t *testing.T) {
	doc := read(t, recorded(t)["names.json"])
	var out, compact, plain bytes.Buffer
	if err := result.Write(&out, doc); err != nil {
		t.Fatal(err)
	}
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	if err := e.Encode(doc); err != nil {
		t.Fatal(err)
	}
	if err := json.Compact(&compact, out.Bytes()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSpace(plain.String()), compact.String()); diff != "" {
		t.Errorf("-encoding/json +Write:\n%s", diff)
	}
}

// A column of samples is one line, and nothing is null but what a row lacks.
func TestWriteLayout(t *testing.T) {
	doc := read(t, recorded(t)["one.json"])
	doc.Cases[0].Samples.Disturbed = nil
	doc.Cases[0].Samples.Columns["cpu"][0] = 0.25
	doc.Cases[0].Gates = []result.Gate{{ID: "a, [b] \"c\"", Expr: "a < b && c > d"}}
	doc.Cases[0].Tags = []string{"x,y", "[z]"}
	var out bytes.Buffer
	if err := result.Write(&out, doc); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n        \"launch\": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],\n",
		"\n          \"cpu\": [0.25, ", "\n        \"disturbed\": []\n",
		"\n      \"tags\": [\"x,y\", \"[z]\"],\n", `"a < b && c > d"`, `"a, [b] \"c\""`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "null") {
		t.Error("a null was written")
	}
	doc.Cases[0].Samples.Columns["cpu"][1] = math.NaN()
	out.Reset()
	if err := result.Write(&out, doc); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\n          \"cpu\": [0.25, null, ") || strings.Count(out.String(), "null") != 1 {
		t.Errorf("the gap is not a null, or not the only one:\n%s", out.String())
	}
}

func TestWriteWithoutAnything(t *testing.T) {
	var out bytes.Buffer
	if err := result.Write(&out, &result.Document{Cases: []result.Case{{Samples: result.Samples{Columns: map[string]result.Column{"time": nil}}}}}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "null") {
		t.Errorf("a null was written:\n%s", out.String())
	}
}

// Two columns whose names differ in case only would be read as one by some programs.
func TestColumnsThatDifferInCase(t *testing.T) {
	d := read(t, recorded(t)["one.json"])
	columns := d.Cases[0].Samples.Columns
	columns["Time"] = columns["time"]
	if err := d.Validate(); err == nil || !strings.Contains(err.Error(), `columns "Time" and "time" differ in case only`) {
		t.Error(err)
	}
}

// Only columns have gaps, and the one of times has none.
func TestWriteRefusesWhatIsNoNumber(t *testing.T) {
	for _, c := range []struct {
		column          string
		x               float64
		write, validate string // empty: it is accepted
	}{
		{"time", math.NaN(), `case "sha256/64KiB": column "time" has a gap`, `column "time" has no number in row 3`},
		{"time", math.Inf(1), `case "sha256/64KiB"`, `column "time" has a number that is not finite`},
		{"cpu", math.Inf(-1), `case "sha256/64KiB"`, `column "cpu" has a number that is not finite`},
		{"cpu", math.NaN(), "", ""},
	} {
		doc := read(t, recorded(t)["hashing.json"])
		doc.Cases[2].Samples.Columns[c.column][3] = c.x
		for i, err := range []error{result.Write(new(bytes.Buffer), doc), doc.Validate()} {
			if want := []string{c.write, c.validate}[i]; want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s %v: got %v, want %q", c.column, c.x, err, want)
			}
		}
	}
	doc := read(t, recorded(t)["hashing.json"])
	doc.Cases[2].Metrics[0].P99 = math.NaN()
	if err := result.Write(new(bytes.Buffer), doc); err == nil || !strings.Contains(err.Error(), `case "sha256/64KiB"`) {
		t.Errorf("a summary with NaN: %v", err)
	}
}

// Each edit of a good document gives the error beside it.
func TestReadErrors(t *testing.T) {
	good := string(recorded(t)["verdicts.json"])
	edit := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the document has no %q", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, c := range []struct{ doc, want string }{
		{"", "the result document is empty"},
		{" \n", "the result document is empty"},
		{"null", `not a result document: it has no "schema"; expected "suite-result/1"`},
		{"{}", `not a result document: it has no "schema"; expected "suite-result/1"`},
		{"[]", "line 1, column 1: unexpected array"},
		{`{"schema": 3}`, `line 1, column 12: unexpected number for "schema"`},
		{`{"schema": "suite-result/9", "news": true}`, `unknown schema "suite-result/9"; this version of suite reads "suite-result/1"`},
		{good[:len(good)/2], "the document is cut off"},
		{"{\n  \"schema\"", "line 2, column 10: the document is cut off"},
		{good + "x", "text after the end of the document"},
		{good + good, "text after the end of the document"},
		{"{\n  \"schema\": oops\n}", "line 2, column 13: invalid character 'o' at start of value"},
		{edit(`"seconds": 18.42`, `"seconds": NaN`), "invalid character 'N'"},
		{edit(`"seconds": 18.42`, `"seconds": 1e999`), `unexpected number 1e999 for "seconds"`},
		{edit(`"seconds": 18.42`, `"seconds": "long"`), `line 17, column 14: unexpected string for "seconds"`},
		{edit(`"seconds": 18.42`, `"secands": 18.42`), `unknown key "secands"`},
		{edit(`"exit": 3`, `"exit": 0, "exit": 3`), `key "exit" is there twice`},
		{edit(`"exit": 3`, `"exit": 0, "EXIT": 3`), `unknown key "EXIT"`},
		{edit(`"verdict": "pass"`, `"verdict": "pass", "Verdict": "fail"`), `unknown key "Verdict"`},
		{edit(`"cpu": [`, `"time": [1], "cpu": [`), `key "time" is there twice`},
		{edit(`"severity": "fail"`, `"severity": "fail", "severity": "warn"`), `key "severity" is there twice`},
		{edit(`"seed": "9f`, `"seed": "`), "is not 32 hexadecimal digits"},
		{edit(`"exit": 3`, `"exit": 2`), "unknown exit status 2"},
		{edit(`"on_inconclusive": "list"`, `"on_inconclusive": "shrug"`), `suite "verdicts": unknown on_inconclusive "shrug"`},
		{edit(`"name": "verdicts"`, `"name": ""`), "a suite has no name"},
		{edit(`"suite": "verdicts"`, `"suite": "others"`), `a calibration names the unknown suite "others"`},
		{edit("\"suite\": \"verdicts\",\n      \"name\"", "\"suite\": \"others\",\n      \"name\""), `case "parse/small": unknown suite "others"`},
		{edit(`"name": "parse/small"`, `"name": "parse/large"`), `case "parse/large": it is there twice in suite "verdicts"`},
		{edit(`"name": "parse/small"`, `"name": ""`), "case 1: it has no name"},
		{edit(`"name": "parse/small"`, `"name": "100%d"`), ""}, // no format verb
		{edit(`"kind": "go"`, `"kind": "rust"`), `case "parse/small": unknown kind "rust"`},
		{edit(`"status": "measured"`, `"status": "fine"`), `unknown status "fine"`},
		{edit(`"status": "measured"`, `"status": "error"`), `status "error" and failure do not fit together`},
		{edit(`"work": 1`, `"work": -1`), "are negative"},
		{edit(`"launch": [0, `, `"launch": [`), "column launch has 11 rows, block 12"},
		{edit(`"launch": [0, `, `"launch": [-1, `), "column launch has a negative number"},
		{edit(`"block": [0, `, `"block": [-1, `), "column block has a negative number"},
		{edit(`"at": [0, `, `"at": [`), "column at has 11 rows, block 12"},
		{edit(`"cpu": [`, `"cpu": [1, `), `column "cpu" has 13 rows, block 12`},
		{edit(`"cpu": [`, `"cpu": ["x", `), "line 96, column 19: unexpected string in a column of samples"},
		{edit(`"cpu": [`, `"cpu": [ 1e999, `), "unexpected number 1e999 in a column of samples"},
		{edit(`"cpu": [`, `"cpu": [[2], `), "unexpected array in a column of samples"},
		{edit(`"cpu": [`, `"cpu": [true, `), "unexpected bool in a column of samples"},
		{edit(`"cpu": [`, `"cpu": 3, "wall": [`), "unexpected number 3 in a column of samples"},
		{edit(`"time": [0.`, `"time": [null, 0.`), `column "time" has 13 rows, block 12`},
		{edit(`"time": [0.0000012158`, `"time": [null`), `column "time" has no number in row 0`},
		{edit(`"disturbed": []`, `"disturbed": [], "taken": 11`), "11 samples were taken, and there are 12 rows of them"},
		{edit(`"disturbed": []`, `"disturbed": [], "taken": 12`), ""},
		{edit(`"loop": "direct"`, `"loop": "twisted"`), `unknown loop "twisted"`},
		{edit(`"loop": "direct"`, `"loop": "trial", "void": -1`), "void or retried are negative"},
		{edit(`"loop": "direct"`, `"loop": "trial", "multiplexed": 1.5`), "multiplexed is not between 0 and 1"},
		{edit(`"gc": "on"`, `"gc": "on", "sampling": "twice"`), `unknown sampling "twice"`},
		{edit(`"gc": "on"`, `"gc": "on", "keep": "all"`), `unknown keep "all"`},
		{edit(`"n": 12`, `"extremes": "pair", "n": 12`), `metric "time": unknown extremes "pair"`},
		{edit(`"disturbed": []`, `"disturbed": [{"index": 12, "cause": "x"}]`), "disturbed sample 12 is outside the 12 samples"},
		{edit(`"disturbed": []`, `"disturbed": [{"index": -1, "cause": "x"}]`), "disturbed sample -1 is outside the 12 samples"},
		{edit(`"disturbed": []`, `"disturbed": [{"index": 4, "cause": "x"}, {"index": 4, "cause": "x"}]`), "not in ascending order: 4 after 4"},
		{edit(`"metric": "time"`, `"metric": ""`), "a summary names no metric"},
		{edit(`"metric": "time"`, `"metric": "wall"`), `metric "wall" is there twice`},
		{edit(`"n": 12`, `"n": -12`), `metric "time": n or blocks are negative`},
		{edit(`"low": `, `"low": 9`), `metric "time": the interval is upside down`},
		{edit(`"low": 0.00000120032,`, ``), `metric "time": the interval has only one end`},
		{edit(`"confidence": 0.95,`+"\n          \"mean\"", `"confidence": 95,`+"\n          \"mean\""), `metric "time": confidence 95 is not between 0 and 1`},
		{edit(`"id": "time.median < 2us"`, `"id": ""`), "a gate has no id"},
		{edit(`"id": "time.median < 2us"`, `"id": "time.p99 < 10us && time.n >= 10"`), "is there twice"},
		{edit(`"verdict": "pass"`, `"verdict": "maybe"`), `gate "time.median < 2us": unknown verdict "maybe"`},
		{edit(`"form": "interval"`, `"form": "guess"`), `unknown form "guess"`},
		{edit(`"severity": "fail"`, `"severity": "mild"`), `unknown severity "mild"`},
	} {
		_, err := result.Read(strings.NewReader(c.doc))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("refused: %v", err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}

// All problems are told in one pass.
func TestValidateTellsAll(t *testing.T) {
	doc := read(t, recorded(t)["verdicts.json"])
	doc.Seed, doc.Cases[0].Kind, doc.Cases[1].Status = "?", "rust", "fine"
	doc.Calibrations[0].Counter = &result.Counter{Unit: "hertz"}
	err := doc.Validate()
	if err == nil || strings.Count(err.Error(), "\n") != 3 || !strings.Contains(err.Error(), `a counter of unknown unit "hertz"`) {
		t.Errorf("got %v", err)
	}
}

// A document whose keys were sorted by a tool is read, and one without a version is not
// taken for one of this version.
func TestReadWithoutTheVersionFirst(t *testing.T) {
	good := string(recorded(t)["one.json"])
	sorted := strings.Replace(strings.Replace(good, "\"schema\": \"suite-result/1\",", "", 1), `"exit": `, `"schema": "suite-result/1", "exit": `, 1)
	read(t, []byte(sorted))
	for doc, want := range map[string]string{
		strings.Replace(sorted, "result/1", "result/9", 1): `unknown schema "suite-result/9"`,
		`{"news": true, "schema": "suite-result/9"}`:       `not a result document: it has no "schema"`,
	} {
		if _, err := result.Read(strings.NewReader(doc)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

// What is read from a pipe has the byte of the problem, for the lines before it are gone.
func TestReadErrorOfAPipe(t *testing.T) {
	_, err := result.Read(io.MultiReader(strings.NewReader("{\n\"schema\": oops}")))
	if err == nil || err.Error() != "byte 13: invalid character 'o' at start of value" {
		t.Errorf("got %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestReadLimit(t *testing.T) {
	_, err := result.ReadAtMost(endless{}, 1<<20)
	if err == nil || !strings.Contains(err.Error(), "larger than 1048576 bytes") {
		t.Errorf("got %v", err)
	}
}

// Whatever Read accepts can be judged, written and read again.
func FuzzRead(f *testing.F) {
	for _, data := range recorded(f) {
		if len(data) < 6000 { // longer ones are mutated too slowly
			f.Add(data)
		}
	}
	f.Add([]byte(`{"schema":"suite-result/1","seed":"00000000000000000000000000000000"}`))
	f.Add([]byte(`{"schema":"suite-result/1","seed":"00000000000000000000000000000000","suites":[{"name":"s","on_inconclusive":"list"}],
		"cases":[{"suite":"s","name":"c","kind":"go","status":"measured","samples":{"launch":[0,0],"block":[0,1],"at":[0,1],"taken":9,
		"columns":{"time":[1, 2e-9],"ticks":[null, 3],"cycles":[ null,null ],"cpu":[1E3 ,-0]},"disturbed":[{"index":1,"cause":"x"}]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := result.Read(bytes.NewReader(data))
		if (doc == nil) != (err != nil) {
			t.Fatal("want a document or an error, never both or neither")
		}
		if err != nil {
			return
		}
		if o := doc.Outcome(); o.Word == "" || o.Exit == 0 && len(doc.Cases) == 0 {
			t.Fatalf("outcome %+v", o)
		}
		for i := range doc.Cases {
			for _, m := range result.Metrics() {
				if xs, blocks, _ := doc.Cases[i].Samples.Headline(m.Name); slices.ContainsFunc(xs, math.IsNaN) || len(xs) != len(blocks) {
					t.Fatalf("%s: %v in blocks %v", m.Name, xs, blocks)
				}
			}
		}
		var once, twice bytes.Buffer
		if err := result.Write(&once, doc); err != nil {
			t.Fatal(err)
		}
		if err := result.Write(&twice, read(t, once.Bytes())); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Fatalf("written twice, and not the same:\n%s\n%s", &once, &twice)
		}
	})
}
