package answer

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"nebula/internal/lists"
)

// A set of kinds of values: those of which something may fit a schema.
type set uint

// The kinds. Numbers are whole or not: integer is the first, number both.
const (
	null set = 1 << iota
	boolean
	object
	array
	text
	whole
	broken
	all = 1<<iota - 1
)

// kinds are the kinds of values that a type stands for.
var kinds = map[string]set{"null": null, "boolean": boolean, "object": object, "array": array, "string": text, "integer": whole, "number": whole | broken}

// A void looks for schemas that nothing can fit.
type void struct {
	named map[string]*jsonschema.Schema
	under []*jsonschema.Schema
	at    *jsonschema.Schema // what nothing fits
}

// fits are the kinds of which something may fit a schema. It looks at what contradicts itself plainly; what it lets pass may still be
// fitted by nothing.
func (v *void) fits(s *jsonschema.Schema) set {
	if s == nil || slices.Contains(v.under, s) {
		return all
	}
	before := v.at
	v.under = append(v.under, s)
	left := all &^ v.against(s) & typed(append(lists.Concat(s.Types), s.Type))
	if s.Not != nil && anything(s.Not) {
		left = 0
	}
	if s.Enum != nil {
		left &= of(s.Enum)
	}
	if s.Const != nil {
		left &= of([]any{*s.Const})
	}
	for _, next := range append(lists.Concat(s.AllOf), v.named[strings.TrimSuffix(s.Ref, "/")]) {
		left &= v.fits(next)
	}
	for _, list := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		some := set(0)
		for _, next := range list {
			some |= v.fits(next)
		}
		if len(list) > 0 {
			left &= some
		}
	}
	v.under = v.under[:len(v.under)-1]
	if left != 0 {
		v.at = before
	} else if v.at == before {
		v.at = s
	}
	return left
}

// name is how what nothing fits is referred to.
func (v *void) name() string {
	least := ""
	for name, s := range v.named {
		if s == v.at && (least == "" || len(name) < len(least)) {
			least = name
		}
	}
	return least
}

// typed are the kinds of some types; all of them where none is named.
func typed(types []string) (some set) {
	for _, t := range types {
		some |= kinds[t]
	}
	if some == 0 {
		return all
	}
	return some
}

// of are the kinds of some values.
func of(values []any) (some set) {
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			some |= null
		case bool:
			some |= boolean
		case string:
			some |= text
		case []any:
			some |= array
		case map[string]any:
			some |= object
		case float64:
			if v == math.Trunc(v) {
				some |= whole
			} else {
				some |= broken
			}
		default:
			return all
		}
	}
	return some
}

// anything reports whether every value fits a schema.
func anything(s *jsonschema.Schema) bool {
	data, err := json.Marshal(s)
	return err == nil && strings.Trim(string(data), "{}") == "" || string(data) == "true"
}

// against are the kinds of which nothing fits, by bounds that exclude one another or by what must be there and cannot.
func (v *void) against(s *jsonschema.Schema) (none set) {
	low, high := math.Inf(-1), math.Inf(1)
	for _, b := range []*float64{s.Minimum, s.ExclusiveMinimum} {
		if b != nil {
			low = max(low, *b)
		}
	}
	for _, b := range []*float64{s.Maximum, s.ExclusiveMaximum} {
		if b != nil {
			high = min(high, *b)
		}
	}
	open := s.ExclusiveMinimum != nil && *s.ExclusiveMinimum == low || s.ExclusiveMaximum != nil && *s.ExclusiveMaximum == high
	if low > high || low == high && open {
		none |= whole | broken
	} else if math.Ceil(low) > math.Floor(high) {
		none |= whole
	}
	if over(s.MinLength, s.MaxLength) {
		none |= text
	}
	if over(s.MinItems, s.MaxItems) || s.Contains != nil && over(s.MinContains, s.MaxContains) || s.MinItems != nil && *s.MinItems > len(s.PrefixItems) && v.fits(s.Items) == 0 {
		none |= array
	}
	required := len(s.Required)
	if over(s.MinProperties, s.MaxProperties) || over(&required, s.MaxProperties) || slices.ContainsFunc(s.Required, func(key string) bool {
		if p, is := s.Properties[key]; is || len(s.PatternProperties) > 0 {
			return v.fits(p) == 0
		}
		return v.fits(s.AdditionalProperties) == 0
	}) {
		none |= object
	}
	return none
}

func over(least, most *int) bool { return least != nil && most != nil && *least > *most }
