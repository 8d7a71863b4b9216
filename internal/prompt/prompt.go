// Package prompt turns a session's state into the request a model reads. It is pure: the same state gives the same
// bytes. What does not change from turn to turn stands first (base, main, the protocol, the project), then the
// conversation, and last what changes each time, so that providers' prompt caches hold.
package prompt

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/advice"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// An Input is everything a request is made from.
type Input struct {
	State    *state.State
	Protocol nebula.Protocol
	Tools    []nebula.ToolSpec
	Window   int // of the model, in tokens; 0 is unknown
	// Structured says that the model takes a schema for its replies.
	Structured bool
	Policy     string // what runs unasked, and who is there to answer, in a line
	Progress   string // of the plan under way, a few lines
	Jobs       string // of commands that go on in the background, a few lines
	Advice     []advice.File
	Skills     string  // that there are, and how they are taken up
	Evidence   string  // what was looked up for the request, first to be cut
	Cached     float64 // price of a token read from the provider's cache against one that is not; 0 is unknown
}

// A Builder makes requests. It remembers what it has counted, so that a long conversation costs no more than what
// was added to it. It belongs to one session and one goroutine.
type Builder struct {
	Texts  Texts
	Facts  Facts
	Memory Memory
	Limits Limits
	Count  func(string) int // tokens of a text, never too few
	// Fill puts the state's values in the places of a text of one's own that name them; nil where none does.
	Fill func(text, lang string, values map[string]string) string
	// Aliases offers the files' short names also to protocols that have no words of their own for them.
	Aliases bool

	system layers
	early  []advice.File // the advice that stands in the system text
	shown  rendering
	sent   nebula.Prompt // the request before, for what is new of the next
}

// Limits are the token budget (Duckflow v3 §11). Zero fields take the default.
type Limits struct {
	Base        int // 500
	Main        int // 800
	Specialized int // 1,200
	Output      int // kept free for the answer: an eighth of the window, 4,096 at most
	Summary     int // of what the model says itself of messages that fall out; 0 has it say nothing
}

//go:noinline
func (l Limits) defaults() Limits {
	set := func(v *int, to int) {
		if *v == 0 {
			*v = to
		}
	}
	set(&l.Base, 500)
	set(&l.Main, 800)
	set(&l.Specialized, 1200)
	return l
}

// Facts describe the project, once for a session.
type Facts struct {
	OS      string
	Dir     string   // the folder's path
	Entries []string // what stands at its top, folders with a slash
	Further []string // folders beside it that can be used too, absolute
	Told    *string  // what the session was told of the top first; nil where it was not
}

// Top is what stands at the folder's top, as the model is told of it; empty for an empty folder.
func (f Facts) Top() string {
	if f.Told != nil {
		return *f.Told
	}
	shown, more := ranged(f.Entries), ""
	if len(shown) > entriesShown {
		more = fmt.Sprintf(" … +%d", len(shown)-entriesShown)
		shown = shown[:entriesShown]
	}
	return strings.Join(shown, " ") + more
}

// A Report says what a request costs and what the budget left out.
type Report struct {
	Layers []nebula.LayerCost
	Cuts   []string
	Total  int
	Fits   bool // within the window, as far as that is known
}

// Build is the request for the next reply.
func (b *Builder) Build(in Input) (nebula.Prompt, Report) {
	late, unsaid := b.late(in), untold(in.Advice)
	in.Advice = b.early
	l := b.fixed(in)
	messages, history := b.render(in.State)
	if len(l.native) == 0 {
		messages = nebula.Flatten(messages)
	}
	now, cost, cuts := b.moment(in, late)
	report := Report{Layers: append(append([]nebula.LayerCost{}, l.costs...), cost...), Cuts: lists.Concat(cuts, l.cuts, unsaid)}
	report.Layers = append(report.Layers, nebula.LayerCost{Name: "conversation", Tokens: history})
	for _, c := range report.Layers {
		report.Total += c.Tokens
	}
	if now != "" {
		messages = append(messages[:len(messages):len(messages)], nebula.Message{Role: nebula.User, Parts: nebula.Text(now)})
	}
	report.Fits = in.Window == 0 || report.Total+b.output(in.Window) <= in.Window
	return nebula.Prompt{System: l.text, Messages: messages, Tools: l.native, Schema: l.schema, CacheKey: in.State.Session, Hard: in.State.Mode == nebula.PlanMode}, report
}

// Sent is the last request that [Builder.Fresh] was told of.
func (b *Builder) Sent() nebula.Prompt { return b.sent }

// Fresh is what of a request stands behind what it has in common with the one before, in tokens: what its model has not read
// yet. The request is kept for the next one.
func (b *Builder) Fresh(p nebula.Prompt, r Report) int {
	before := b.sent
	b.sent = p
	if before.System != p.System || len(before.Tools) != len(p.Tools) {
		return r.Total
	}
	same := 0
	for same < min(len(p.Messages), len(before.Messages)) && equal(p.Messages[same], before.Messages[same]) {
		same++
	}
	n := 0
	for _, m := range p.Messages[same:] {
		n += b.message(m)
	}
	return n
}

func equal(a, b nebula.Message) bool {
	return a.Role == b.Role && a.CallID == b.CallID && a.Text() == b.Text() && slices.EqualFunc(a.Calls(), b.Calls(), func(x, y nebula.Call) bool {
		return x.Name == y.Name && x.Arguments == y.Arguments
	})
}

func (b *Builder) output(window int) int {
	if b.Limits.Output > 0 {
		return b.Limits.Output
	}
	return min(4096, window/8)
}

//go:noinline
func (b *Builder) count(text string) int {
	if b.Count == nil {
		return len(text)/3 + 1
	}
	return b.Count(text)
}

// Layers that stand before the conversation, kept until what they are made from changes.
type layers struct {
	key    layersOf
	text   string
	native []nebula.ToolSpec
	schema json.RawMessage
	costs  []nebula.LayerCost
	cuts   []string // templates of one's own that are not sent as a whole
}

// layersOf is what they are made from.
type layersOf struct {
	mode       nebula.Mode
	lang       string
	protocol   string
	tools      []nebula.ToolSpec
	special    bool
	structured bool
	policy     string
	advice     []advice.File
	skills     string
	values     map[string]string
}

func (b *Builder) fixed(in Input) layers {
	mode, lang := in.State.Mode, language(in.State.Lang)
	offered := Offered(in.Tools, mode)
	key := layersOf{mode, lang, in.Protocol.Name(), offered, in.State.Pattern == "base_specialized", in.Structured, in.Policy, in.Advice, in.Skills, b.values(in)}
	if reflect.DeepEqual(b.system.key, key) {
		return b.system
	}
	limits := b.Limits.defaults()
	base, _ := b.base(lang)
	if b.Fill != nil {
		base = b.Fill(base, lang, key.values)
	}
	known := b.Facts.text(lang)
	main := known
	if in.State.Pattern != "base_specialized" {
		main = b.beside(b.own(in, string(mode)), known, limits.Main) + known
	}
	main = b.fit(main, limits.Main)
	if in.Policy != "" {
		main += in.Policy + "\n"
	}
	taught, native := in.Protocol.Teach(offered, lang)
	schemas := 0
	for _, t := range native {
		schemas += b.count(t.Name) + b.count(t.Description) + b.count(string(t.Schema())) + 8
	}
	text := base + "\n" + main
	if taught != "" {
		text += "\n" + taught
	}
	if d, ok := in.Protocol.(nebula.Describer); ok {
		if place := d.Describe(nebula.Surroundings{Lang: lang, Dir: b.Facts.Dir, OS: b.Facts.OS}); place != "" {
			text += "\n\n" + place
		}
	}
	told, costs := b.advice(in.Advice, lang)
	text += told
	if in.Skills != "" {
		text += "\n" + in.Skills
		costs = append(costs, nebula.LayerCost{Name: "skills", Tokens: b.count(in.Skills)})
	}
	var schema json.RawMessage
	if s, ok := in.Protocol.(nebula.Schemer); ok && in.Structured {
		schema = s.Schema(offered)
	}
	b.system = layers{key: key, text: text, native: native, schema: schema, cuts: b.shortened(lang, "base", string(mode)), costs: append([]nebula.LayerCost{
		{Name: "base", Tokens: b.count(base)}, {Name: "main", Tokens: b.count(main)},
		{Name: "protocol", Tokens: b.count(taught)}, {Name: "tools", Tokens: schemas},
	}, costs...)}
	return b.system
}

// fit cuts a text at a line so that it costs no more than limit tokens.
func (b *Builder) fit(text string, limit int) string {
	for b.count(text) > limit {
		cut := strings.LastIndexByte(strings.TrimRight(text, "\n"), '\n')
		if cut < 0 {
			keep := []rune(text)
			return string(keep[:len(keep)*limit/b.count(text)])
		}
		text = text[:cut+1]
	}
	return text
}

// beside cuts a text so that it and what stands behind it cost no more than limit tokens together: what is known of the folder
// is never left out for a long text of one's own.
func (b *Builder) beside(text, behind string, limit int) string {
	if b.count(text+behind) <= limit {
		return text
	}
	return b.fit(text, max(limit-b.count(behind), 0))
}

// Offered are the tools that the mode lets work, in their order.
func Offered(tools []nebula.ToolSpec, mode nebula.Mode) []nebula.ToolSpec {
	if mode == nebula.AgentMode {
		return tools
	}
	var kept []nebula.ToolSpec
	for _, t := range tools {
		if !t.Effect.Changes() || t.Plans {
			kept = append(kept, t)
		}
	}
	return kept
}

// entriesShown bounds the first look at a project; list shows the rest.
const entriesShown = 40

func (f Facts) text(lang string) string {
	var b strings.Builder
	fmt.Fprintf(&b, phrase.In(lang, "Folder: %s (%s)\n"), f.Dir, f.OS)
	if len(f.Further) > 0 {
		fmt.Fprintf(&b, phrase.In(lang, "Further folders, to be named by absolute paths: %s\n"), strings.Join(f.Further, ", "))
	}
	top := f.Top()
	if top == "" {
		b.WriteString(phrase.In(lang, "The folder is empty: find out with the person what to build before writing anything.\n"))
		return b.String()
	}
	fmt.Fprintf(&b, phrase.In(lang, "At its top: %s\n"), top)
	return b.String()
}
