package runner

import (
	"reflect"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// A field that result.Settings shares with spec.Settings by name is copied, so that a
// new setting needs no code here.
func settings(s *spec.Settings) (stated result.Settings) {
	fill(&stated, s)
	return stated
}

// fill copies the settings into the fields of a struct that have the same names. A time
// becomes seconds if its field is a float64, otherwise nanoseconds.
func fill(to any, s *spec.Settings) {
	from, fields := reflect.ValueOf(s).Elem(), reflect.ValueOf(to).Elem()
	for i := range fields.NumField() {
		field := fields.Field(i)
		value := from.FieldByName(fields.Type().Field(i).Name)
		if !value.IsValid() {
			continue
		}
		if d, isTime := value.Interface().(spec.Duration); isTime && field.Kind() == reflect.Float64 {
			field.SetFloat(time.Duration(d).Seconds())
			continue
		}
		field.Set(value.Convert(field.Type()))
	}
}
