package result

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// LeastWork and MostWork bound the work of an iteration, so that a time per unit of
// work, its square and sums of many squares stay finite.
const (
	LeastWork = 1e-30
	MostWork  = 1e30
)

// FailUnwritable turns each case with an infinite number or a NaN, which JSON cannot
// represent, into a failure, so that all other results can be written. No such number
// is expected: the numbers of suite files and programs are bounded.
func (d *Document) FailUnwritable() {
	for i := range d.Cases {
		d.Cases[i].failUnwritable()
		d.Cases[i].Forget()
	}
	for i := range d.Suites {
		for _, n := range d.Suites[i].AllSentinels() {
			n.Case.failUnwritable()
		}
	}
	d.Orders = slices.DeleteFunc(d.Orders, func(o Order) bool { return unwritable(reflect.ValueOf(o), "") != "" })
}

func (c *Case) failUnwritable() {
	where := unwritable(reflect.ValueOf(c), "")
	if where == "" {
		return
	}
	failed := Case{
		Suite:       c.Suite,
		Name:        c.Name,
		Description: c.Description,
		Tags:        c.Tags,
		Kind:        c.Kind,
		Identity:    c.Identity,
		Unit:        c.Unit,
		Status:      Failed,
		Counterpart: c.Counterpart,
		Gates:       c.Gates,
		Warnings:    c.Warnings,
		Place:       c.Place,
	}
	failed.Failure = &Failure{Phase: "metrics", Cause: "error", Message: fmt.Sprintf("%s is no finite number", where),
		Hint: "check its work, and the numbers that it prints"}
	if unwritable(reflect.ValueOf(c.Settings), "") == "" {
		failed.Settings = c.Settings
	}
	for _, p := range c.Params {
		if p.Number != nil && infinite(*p.Number) {
			p.Number = nil
		}
		failed.Params = append(failed.Params, p)
	}
	for i := range failed.Gates {
		g := &failed.Gates[i]
		if g.Verdict != "" {
			g.Verdict = Error
			g.Values = nil
			g.Reason = "the case could not be measured: " + failed.Failure.Message
		}
	}
	*c = failed
}

// unwritable is the path of keys to the first number that JSON cannot represent,
// empty if there is none. Gaps of columns are allowed.
func unwritable(v reflect.Value, path string) string {
	switch v.Kind() {
	case reflect.Float64:
		if ratio, is := v.Interface().(Ratio); notNumber(v.Float()) && !(is && ratio.IsInfinite()) {
			return path
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return unwritable(v.Elem(), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); key != "" {
				if where := unwritable(v.Field(i), strings.TrimPrefix(path+"."+key, ".")); where != "" {
					return where
				}
			}
		}
	case reflect.Map:
		for columns := v.MapRange(); columns.Next(); {
			column, is := columns.Value().Interface().(Column)
			if !is {
				continue
			}
			name := columns.Key().String()
			if slices.ContainsFunc(column, infinite) || name == always && slices.ContainsFunc(column, math.IsNaN) {
				return path + "." + name
			}
		}
	case reflect.Slice:
		switch xs, is := v.Interface().([]float64); {
		case is && slices.ContainsFunc(xs, notNumber):
			return path
		case is || v.Type().Elem().Kind() != reflect.Struct: // a long column, or texts
			return ""
		}
		for i := range v.Len() {
			if where := unwritable(v.Index(i), path); where != "" {
				return where
			}
		}
	}
	return ""
}
