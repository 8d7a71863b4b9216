package line

import (
	"reflect"
	"testing"

	"nebula/internal/nebulatest"
)

func TestWordsAreWhole(t *testing.T) {
	nebulatest.TestWords(t, "line", english)
	en := reflect.ValueOf(english)
	for i := range en.NumField() {
		if f := en.Type().Field(i); !f.Anonymous && en.Field(i).Len() == 0 {
			t.Errorf("%s has no text", f.Name)
		}
	}
}
