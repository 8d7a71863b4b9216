package wire

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"

	"nebula"
)

var update = flag.Bool("update", false, "write docs/schema.json")

// TestSchemaIsWhatTheTypesSay where people read it.
func TestSchemaIsWhatTheTypesSay(t *testing.T) {
	got, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	const file = "../../docs/schema.json"
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, _ := os.ReadFile(file); string(want) != string(got) {
		t.Errorf("%s is not what the types say: go test ./internal/wire -update", file)
	}
}

// TestEveryFieldIsInTheSchema that is sent when nothing is left out.
func TestEveryFieldIsInTheSchema(t *testing.T) {
	s := schemer{defs: map[string]any{}, at: "#/$defs/"}
	check := func(name string, form int, sample any, data []byte) {
		var sent map[string]any
		if err := json.Unmarshal(data, &sent); err != nil {
			t.Fatal(err)
		}
		properties := s.tagged(name, form, reflect.TypeOf(sample), map[string]any{"seq": 0, "at": 0})["properties"].(map[string]any)
		for field := range sent {
			if properties[field] == nil {
				t.Errorf("%s: the schema knows no field %s", name, field)
			}
		}
	}
	for name, c := range nebula.Commands() {
		full := reflect.New(reflect.TypeOf(c))
		fill(full.Elem(), 3)
		data, err := nebula.EncodeCommand(full.Elem().Interface().(nebula.Command))
		if err != nil {
			t.Fatal(err)
		}
		check(name, nebula.CommandForm, c, data)
	}
	for name, b := range nebula.Bodies() {
		full := reflect.New(reflect.TypeOf(b))
		fill(full.Elem(), 3)
		data, err := json.Marshal(nebula.Event{Seq: 1, Body: full.Elem().Interface().(nebula.Body)})
		if err != nil {
			t.Fatal(err)
		}
		check(name, nebula.Form, b, data)
	}
}

// unsent are what a proposal and a result have for their session alone.
var unsent = map[string]bool{"Tests": true, "Unboxed": true, "Do": true, "Effects": true}

// fill sets every field to something that is written.
func fill(v reflect.Value, deep int) {
	if deep == 0 || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Uint32, reflect.Uint64, reflect.Uint8:
		v.SetUint(1)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, 1)
		fill(value, deep-1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), deep-1)
	case reflect.Slice:
		switch {
		case v.Type() == reflect.TypeFor[json.RawMessage]():
			v.SetBytes([]byte("{}"))
		case v.Type().Elem().Kind() != reflect.Interface:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), deep-1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Tag.Get("json") != "-" || !unsent[f.Name] {
				fill(v.Field(i), deep-1)
			}
		}
	}
}
