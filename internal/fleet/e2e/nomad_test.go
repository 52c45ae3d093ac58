package e2e

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/nomad/api"
	"github.com/zclconf/go-cty/cty"
)

// readNomad parses a job and checks each block and attribute against the types of Nomad's
// API, whose tags name them.
func readNomad(t *testing.T, text string) *hclsyntax.Body {
	t.Helper()
	file, problems := hclsyntax.ParseConfig([]byte(text), "job.nomad", hcl.InitialPos)
	if problems.HasErrors() {
		t.Fatalf("%v\n%s", problems, text)
	}
	body := file.Body.(*hclsyntax.Body)
	if len(body.Attributes) > 0 || len(body.Blocks) != 1 || body.Blocks[0].Type != "job" || !slices.Equal(body.Blocks[0].Labels, []string{"nightly"}) {
		t.Fatalf("want one job:\n%s", text)
	}
	for _, problem := range nomadProblems("job", body.Blocks[0].Body, reflect.TypeFor[api.Job]()) {
		t.Error(problem)
	}
	return body.Blocks[0].Body
}

// nomadProblems lists the blocks and attributes that a type of the API does not have.
func nomadProblems(where string, body *hclsyntax.Body, typ reflect.Type) (all []string) {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if typ.Kind() == reflect.Map { // of words that the API does not know
		return nil
	}
	known := map[string]reflect.Type{} // by tag
	for field := range typ.Fields() {
		known[field.Tag.Get("hcl")] = field.Type
	}
	for name, attribute := range body.Attributes {
		if of, ok := known[name+",optional"]; !ok {
			all = append(all, fmt.Sprintf("%s has no attribute %q", where, name))
		} else if value, problems := attribute.Expr.Value(nil); problems.HasErrors() || !fits(value, of) {
			all = append(all, fmt.Sprintf("%s.%s: want a %v: %v", where, name, of, problems))
		}
	}
	for _, block := range body.Blocks {
		if of, ok := known[block.Type+",block"]; !ok {
			all = append(all, fmt.Sprintf("%s has no block %q", where, block.Type))
		} else {
			all = append(all, nomadProblems(where+"."+block.Type, block.Body, of)...)
		}
	}
	return all
}

// fits reports whether a value can become a type of Go.
func fits(value cty.Value, typ reflect.Type) bool {
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ == reflect.TypeFor[time.Duration]() {
		if value.Type() != cty.String {
			return false
		}
		_, err := time.ParseDuration(value.AsString())
		return err == nil
	}
	return value.Type() == map[reflect.Kind]cty.Type{reflect.String: cty.String, reflect.Int: cty.Number, reflect.Bool: cty.Bool}[typ.Kind()]
}

// evaluate returns the value of an attribute, which refers to no variable.
func evaluate(t *testing.T, a *hclsyntax.Attribute) cty.Value {
	t.Helper()
	value, problems := a.Expr.Value(nil)
	if problems.HasErrors() {
		t.Fatalf("%s: %v", a.Name, problems)
	}
	return value
}

// block returns the only block of a type.
func block(t *testing.T, body *hclsyntax.Body, typ string) *hclsyntax.Body {
	t.Helper()
	var found []*hclsyntax.Body
	for _, b := range body.Blocks {
		if b.Type == typ {
			found = append(found, b.Body)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d blocks %q, want 1", len(found), typ)
	}
	return found[0]
}

func number(t *testing.T, body *hclsyntax.Body, name string) int64 {
	t.Helper()
	n, _ := evaluate(t, body.Attributes[name]).AsBigFloat().Int64()
	return n
}

// nomadScript returns the script of the container.
func nomadScript(t *testing.T, job *hclsyntax.Body) string {
	t.Helper()
	config := block(t, block(t, block(t, job, "group"), "task"), "config")
	for name := range config.Attributes {
		if !slices.Contains([]string{"image", "entrypoint", "args"}, name) {
			t.Errorf("the docker driver is given %q, which nobody has looked up", name)
		}
	}
	args := evaluate(t, config.Attributes["args"]).AsValueSlice()
	if len(args) != 1 {
		t.Fatalf("%d arguments, want a script", len(args))
	}
	return args[0].AsString()
}

func TestNomadJob(t *testing.T) {
	job := readNomad(t, write(t, "nomad", ""))
	group := block(t, job, "group")
	if got := evaluate(t, job.Attributes["type"]).AsString(); got != api.JobTypeBatch {
		t.Errorf("a %s job", got)
	}
	if n := number(t, group, "count"); n != shards {
		t.Errorf("%d shards, want %d", n, shards)
	}
	if number(t, block(t, group, "restart"), "attempts") != 0 || number(t, block(t, group, "reschedule"), "attempts") != 0 || evaluate(t, block(t, group, "reschedule").Attributes["unlimited"]).True() {
		t.Error("a shard may be measured twice")
	}
	// Without this block Nomad replaces the allocations of a lost client, whatever reschedule is.
	if replace := block(t, group, "disconnect").Attributes["replace"]; replace == nil || evaluate(t, replace).True() {
		t.Error("a shard of a lost client may be measured twice")
	}
	if got := evaluate(t, block(t, group, "constraint").Attributes["operator"]).AsString(); got != api.ConstraintDistinctHosts {
		t.Errorf("the constraint is %q", got)
	}
	task := block(t, group, "task")
	if number(t, block(t, task, "resources"), "cores") < 1 {
		t.Error("no CPUs of its own")
	}
	if got := evaluate(t, block(t, task, "env").Attributes["SUITE_SHARDS"]).AsString(); got != "12" {
		t.Errorf("the shards are told that they are %s", got)
	}
	if script := nomadScript(t, job); !strings.Contains(script, "(sleep 3600; kill ") {
		t.Errorf("no limit in\n%s", script)
	}
}

// Mistakes are found, so the check checks something.
func TestMistakesInNomadJobsAreFound(t *testing.T) {
	for _, wrong := range []string{"cuont = 3", "gruop \"x\" {\n}", "type = 5", "type = kind", "group \"x\" {\ntask \"y\" {\nkill_timeout = \"60\"\n}\n}"} {
		file, problems := hclsyntax.ParseConfig([]byte(wrong+"\n"), "job.nomad", hcl.InitialPos)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		if len(nomadProblems("job", file.Body.(*hclsyntax.Body), reflect.TypeFor[api.Job]())) != 1 {
			t.Errorf("%s: want one problem", wrong)
		}
	}
}
