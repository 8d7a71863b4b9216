package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// Points are the five points a person decides on (Duckflow v3 §8.2): the diff is the proposal's own. Intent, rationale
// and alternatives are the model's where it gave them; the impact is computed.
func Points(p nebula.Proposal, dangers []Danger) nebula.Points {
	var said nebula.Points
	if p.Action.Points != nil {
		said = *p.Action.Points
	}
	points := nebula.Points{Intent: cmp.Or(said.Intent, p.Summary), Rationale: cmp.Or(said.Rationale, p.Action.Reason), Alternatives: said.Alternatives}
	points.Impact = impact(p, dangers)
	if lasts := matches(p, dangers); lasts != "" {
		points.Impact = append(points.Impact, lasts)
	}
	if p.Tries {
		points.Impact = append(points.Impact, "try_first")
	}
	if p.Ran != "" && strings.Contains(targets(p), ", ") {
		points.Impact = append(points.Impact, "keep_some")
	}
	if rule, ok := Lasting(p, dangers); ok {
		points.Impact = append(points.Impact, nebula.NewCode("from_now_on", rule.String()))
	}
	if len(points.Alternatives) == 0 {
		points.Alternatives = alternatives(p, dangers)
	}
	return points
}

// Lasts reports whether an "always" would allow anything that is not asked about anyway: else it is not offered.
func Lasts(p nebula.Proposal, dangers []Danger) bool {
	switch {
	case p.Effect == nebula.Memory, p.Action.Inferred, guessed(dangers) != "", lists.Has(dangers, Unconfined):
		return false
	case p.Effect == nebula.Write && (atStake(dangers) != "" || lists.Has(dangers, AtBuild)):
		return false
	}
	return p.Line() != "" || p.Exact() != "" || targets(p) != ""
}

// Lacks are the answers that say more than yes, where they would not hold: who gives one is asked again.
func Lacks(p nebula.Proposal, dangers []Danger) (lacks []nebula.Decided) {
	if !Lasts(p, dangers) {
		lacks = append(lacks, nebula.Always)
	}
	if _, ok := Lasting(p, dangers); !ok {
		lacks = append(lacks, nebula.Here)
	}
	if !p.Tries {
		lacks = append(lacks, nebula.Try)
	}
	if p.Effect != nebula.Write || p.Remote != nil || !Lasts(p, dangers) {
		lacks = append(lacks, nebula.Edits)
	}
	return lacks
}

// An Offer is an answer that the gate offers: what is typed for it, and what it does.
type Offer struct {
	Answer      nebula.Decided
	Typed, Does nebula.Code
}

// Offers are the answers to a proposal, from the smallest yes to the no.
func Offers(p nebula.Proposal, dangers []Danger) []Offer {
	lacks := Lacks(p, dangers)
	all := []Offer{{nebula.Yes, "typed_yes", "row_yes"}}
	if p.Tries {
		all = append(all, Offer{nebula.Try, "typed_try", "row_try"})
	}
	if !lists.Has(lacks, nebula.Always) {
		kind, about := matches(p, dangers).Split()
		all = append(all, Offer{nebula.Always, "typed_always", nebula.NewCode("row_"+kind, about...)})
	}
	if rule, ok := Lasting(p, dangers); ok {
		all = append(all, Offer{nebula.Here, "typed_here", nebula.NewCode("row_here", rule.String())})
	}
	if !lists.Has(lacks, nebula.Edits) {
		all = append(all, Offer{nebula.Edits, "typed_edits", "row_edits"})
	}
	return append(all, Offer{nebula.No, "typed_no", "row_no"})
}

// Lasting is the rule that "from now on" would make; false where it would make none.
func Lasting(p nebula.Proposal, dangers []Danger) (Rule, bool) {
	if !Lasts(p, dangers) {
		return Rule{}, false
	}
	return RuleOf(p)
}

// matches is what an "always" would allow; empty where it would allow nothing that is not asked about anyway.
func matches(p nebula.Proposal, dangers []Danger) nebula.Code {
	switch {
	case !Lasts(p, dangers):
		return ""
	case p.Command != "" && slices.ContainsFunc(dangers, nebula.Beside):
		return "always_given"
	case p.Command != "":
		return "always_command"
	case p.Remote != nil:
		return nebula.NewCode("always_asks", p.Remote.Name)
	case p.Ran != "" && slices.ContainsFunc(dangers, Opening):
		return "always_told"
	case p.Ran != "":
		return "always_did"
	case p.Effect == nebula.Write:
		return nebula.NewCode("always_writes", p.Action.Tool, targets(p))
	}
	return nebula.NewCode("always", p.Action.Tool, targets(p))
}

func targets(p nebula.Proposal) string {
	var paths []string
	for _, t := range p.Targets {
		if t.Kind != "mkdir" && !t.Ignored {
			paths = append(paths, t.Path)
		}
	}
	if p.Remote != nil {
		paths = append(paths, p.Remote.Name)
	}
	if len(paths) > 3 {
		return strings.Join(paths[:3], ", ") + fmt.Sprintf(" (+%d)", len(paths)-3)
	}
	return strings.Join(paths, ", ")
}

// ways are what could be done instead of what no danger has a better word for.
var ways = []struct {
	effect nebula.Effect
	kind   string // of a target
	code   string
}{
	{nebula.Write, "delete", "delete_instead"},
	{nebula.Write, "create", "create_instead"},
	{nebula.Write, "edit", "edit_instead"},
	{nebula.Execute, "", "command_instead"},
	{nebula.Memory, "", "memory_instead"},
}

// alternatives are the two nearest other ways to what a proposal is for.
func alternatives(p nebula.Proposal, dangers []Danger) (out []nebula.Code) {
	put := func(code, kind string) {
		about := p
		if kind != "" {
			about.Targets = lists.Drop(lists.Clone(p.Targets), func(t nebula.Target) bool { return t.Kind != kind })
		}
		switch names := targets(about); {
		case !strings.Contains(inEnglish()[code], "%s"):
			out = append(out, nebula.Code(code))
		case p.Command == "" && names != "": // what nobody looks at, nobody need leave as it is
			out = append(out, nebula.NewCode(code, names))
		}
	}
	for _, r := range rows {
		if instead := string(r.danger) + "_instead"; inEnglish()[instead] != "" && slices.ContainsFunc(dangers, func(d Danger) bool { return d.Is(r.danger) }) {
			put(instead, "")
		}
	}
	for _, w := range ways {
		if w.effect == p.Effect && p.Remote == nil && (w.kind == "" || slices.ContainsFunc(p.Targets, func(t nebula.Target) bool { return t.Kind == w.kind })) {
			put(w.code, w.kind)
		}
	}
	return out[:min(len(out), 2)]
}

// impact is what carrying a proposal out would do. The command itself, and what is dangerous about it, stand beside that.
func impact(p nebula.Proposal, dangers []Danger) (codes []nebula.Code) {
	add, del, moved := 0, 0, from(p)
	counts := map[string]int{}
	for _, t := range p.Targets {
		add, del = add+t.Add, del+t.Del
		switch {
		case t.Ignored:
			counts["ignored"]++
		case t.From != "":
			counts["moved"]++
		case moved[t.Path]:
		default:
			counts[t.Kind]++
		}
	}
	for _, c := range []struct{ kind, code string }{{"create", "creates"}, {"edit", "changes"}, {"delete", "removes"}, {"moved", "moves"}, {"mkdir", "folders"}, {"mode", "rights"}, {"ignored", "ignored"}} {
		n := counts[c.kind]
		if n == 1 && c.kind != "ignored" {
			c.code += "_one"
		}
		if n > 0 {
			codes = append(codes, nebula.NewCode(c.code, strconv.Itoa(n)))
		}
	}
	if add+del > 0 {
		codes = append(codes, nebula.NewCode("lines", strconv.Itoa(add), strconv.Itoa(del)))
	}
	if p.Effect == nebula.Memory {
		return append(codes, "told_later", "kept_where")
	}
	codes = append(codes, undoable(p, dangers))
	if p.Bare == 0 {
		return codes
	}
	names := strings.Join(p.Uncovered, ", ") // of what undo cannot take back
	if more := p.Bare - len(p.Uncovered); more > 0 {
		return append(codes, nebula.NewCode("undo_leaves_more", strconv.Itoa(more), names))
	}
	return append(codes, nebula.NewCode("undo_leaves", names))
}

func undoable(p nebula.Proposal, dangers []Danger) nebula.Code {
	switch {
	case p.Effect == nebula.Write:
		return "undo_yes"
	case p.Ran != "":
		return "undo_not_told"
	case p.Remote != nil:
		return "undo_not_asked"
	case lists.Has(dangers, Danger(nebula.Background)):
		return "undo_beside"
	case p.Blind:
		return "undo_none"
	case first(dangers, elsewhere) != "":
		return "undo_inside"
	}
	return "undo_files"
}
