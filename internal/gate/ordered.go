package gate

import (
	"encoding/json"
	"regexp"
	"slices"

	"nebula"
	"nebula/internal/lazy"
)

// ordersNames reports whether an action puts nothing but other names in the place of names, each by the words of the person's request, which orders
// that: however many files it goes over, it is what was asked for.
func ordersNames(asked string, a nebula.Action) bool {
	type pair struct{ Old, New, From, To string }
	var in struct {
		pair
		Edits []pair
	}
	if !ordersRename(asked).MatchString(asked) || json.Unmarshal(a.Args, &in) != nil {
		return false
	}
	names := []string{in.Old + in.From, in.New + in.To}
	if len(in.Edits) > 0 {
		names = nil
	}
	for _, e := range in.Edits {
		names = append(names, e.Old, e.New)
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		return !aName(name).MatchString(name) || !regexp.MustCompile(`(?:^|[^\p{L}\p{N}_$])`+regexp.QuoteMeta(name)+`(?:$|[^A-Za-z0-9_$])`).MatchString(asked)
	})
}

var (
	ordersRename = lazy.In(`(?i)(?:^|[.!;:,\n]\s*|\b(?:and|then|please|now|just|can you|could you) +)(?:renam(?:e|ing)|replace|change|call)\b|(?:リネーム|改名|変更|置換|置き換え|変え)(?:し?て|を?お願い)`)
	aName        = lazy.In(`^[\p{L}_$][\p{L}\p{N}_$.-]{2,}$`)
)
