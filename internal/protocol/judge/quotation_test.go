package judge

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestQuotationsAreNotDoneAndTheirTwinsAre makes replies that show an action without meaning it, and as many that mean
// the same action in the same dress. NEBULA_QUOTATIONS=N asks for N of each.
func TestQuotationsAreNotDoneAndTheirTwinsAre(t *testing.T) {
	n := 5000
	if wanted, err := strconv.Atoi(os.Getenv("NEBULA_QUOTATIONS")); err == nil {
		n = wanted
	}
	tools := nebulatest.Specs()
	m := &maker{Rand: rand.New(rand.NewPCG(11, 1)), tools: tools}
	var ran, missed faults
	for range n {
		for _, twin := range []bool{false, true} {
			s := m.specimen(twin)
			in := s.language.decode(s.reply, tools)
			if twin && !s.isRead(in) {
				missed.add(s, in)
			}
			if !twin && runs(in, tools) {
				ran.add(s, in)
			}
		}
	}
	t.Logf("of %d quotations %d would run unasked\n%s", n, ran.n, ran.table())
	t.Logf("of %d genuine twins %d (%.2f %%) are not read or asked about\n%s", n, missed.n, 100*float64(missed.n)/float64(n), missed.table())
	if float64(ran.n) > maxQuotationsRun*float64(n) {
		t.Errorf("%d of %d quotations would run unasked, more than %.2f %%\n%s", ran.n, n, 100*maxQuotationsRun, ran.samples())
	}
	if float64(missed.n) > maxTwinsMissed*float64(n) {
		t.Errorf("%d of %d genuine actions are not read or asked about, more than %.2f %%\n%s", missed.n, n, 100*maxTwinsMissed, missed.samples())
	}
	if path := os.Getenv("NEBULA_JUDGED"); path != "" {
		appendTo(t, path, "## quotations that would run unasked\n"+ran.table()+ran.samples()+"\n## genuine twins that are not read or asked about\n"+missed.table()+missed.samples())
	}
}

// Shares that may go wrong.
const (
	maxQuotationsRun = 0.0001
	maxTwinsMissed   = 0.01
)

// runs reports whether something that changes the world would be done without a question, were everything allowed.
func runs(in nebula.Intent, tools []nebula.ToolSpec) bool {
	return slices.ContainsFunc(in.Actions, func(a nebula.Action) bool {
		i := slices.IndexFunc(tools, func(s nebula.ToolSpec) bool { return s.Answers(a.Tool) })
		return i >= 0 && tools[i].Effect.Changes() && !a.Inferred && a.Problem == ""
	})
}

// A specimen is a made reply and how it was made.
type specimen struct {
	language language
	reply    nebula.Reply
	action   nebula.Action
	form     string // whose notation the action is in
	way      string // how it is dressed
	intro    string
}

// isRead reports whether an intent is the specimen's action and nothing else, without a doubt.
func (s specimen) isRead(in nebula.Intent) bool {
	if len(in.Actions) != 1 || len(in.Problems) > 0 {
		return false
	}
	a := in.Actions[0]
	var got, want map[string]any
	return a.Tool == s.action.Tool && !a.Inferred && a.Problem == "" &&
		json.Unmarshal(a.Args, &got) == nil && json.Unmarshal(s.action.Args, &want) == nil && reflect.DeepEqual(got, want)
}

// faults are specimens that went wrong, counted by how they were made, with a few of each.
type faults struct {
	n     int
	by    map[string]int
	shown []string
}

func (f *faults) add(s specimen, in nebula.Intent) {
	if f.by == nil {
		f.by = map[string]int{}
	}
	f.n++
	for _, key := range []string{"protocol " + s.language.Name(), "form " + s.form, "way " + s.way, "words " + s.intro} {
		f.by[key]++
	}
	key := s.language.Name() + ", " + s.form + ", " + s.way
	f.by[key]++
	if f.by[key] <= 1 && len(f.shown) < 60 {
		f.shown = append(f.shown, fmt.Sprintf("### %s\nread: %s\n````\n%s%s\n````\n", key, short(in), s.reply.Text(), called(s.reply)))
	}
}

func called(r nebula.Reply) string {
	out := ""
	for _, c := range r.Calls() {
		out += "\n[call] " + c.Name + c.Arguments
	}
	return out
}

func (f *faults) table() string {
	var keys []string
	for k := range f.by {
		if strings.HasPrefix(k, "protocol ") || strings.HasPrefix(k, "form ") || strings.HasPrefix(k, "way ") || strings.HasPrefix(k, "words ") {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return f.by[b] - f.by[a] })
	out := ""
	for _, k := range keys[:min(len(keys), 40)] {
		out += fmt.Sprintf("%6d %s\n", f.by[k], k)
	}
	return out
}

func (f *faults) samples() string { return strings.Join(f.shown, "") }

// A maker makes specimens.
type maker struct {
	p *project // where a session is needed
	*rand.Rand
	tools []nebula.ToolSpec
}

func pick[E any](m *maker, list []E) E { return list[m.IntN(len(list))] }

func (m *maker) specimen(twin bool) specimen {
	s := specimen{language: pick(m, languages()), action: m.action()}
	if twin {
		m.mean(&s)
	} else {
		m.quote(&s)
	}
	return s
}

// action is something that changes the world.
func (m *maker) action() nebula.Action {
	path := pick(m, paths)
	args := map[string]any{"path": path}
	name := pick(m, []string{"deleteFile", "writeFile", "executeShell", "runTests", "editFile"})
	switch name {
	case "writeFile":
		args["content"] = pick(m, contents)
	case "editFile":
		args["new_content"] = pick(m, contents)
	case "executeShell":
		args = map[string]any{"command": pick(m, commands)}
	case "runTests":
		args = map[string]any{"command": pick(m, testCommands)}
	}
	b, _ := json.Marshal(args) // strings always marshal
	return nebula.Action{Tool: name, Args: b}
}

// taught is the action as a language teaches it, as text; native calls are printed as most models print them.
func (m *maker) taught(l language, a nebula.Action) string {
	if r := l.write(nebula.Intent{Actions: []nebula.Action{a}}, m.tools); len(r.Calls()) == 0 {
		return strings.TrimRight(r.Text(), "\n") + "\n"
	}
	return vendors["hermes"](a.Tool, a.Args)
}

// form is the action in the language taught or in another notation.
func (m *maker) form(s *specimen) string {
	if m.IntN(2) == 0 {
		s.form = "taught"
		return m.taught(s.language, s.action)
	}
	if m.IntN(2) == 0 {
		other := pick(m, languages())
		s.form = other.Name()
		return m.taught(other, s.action)
	}
	s.form = pick(m, vendorNames)
	return vendors[s.form](s.action.Tool, s.action.Args)
}

// quote makes a reply that shows its action and does not mean it.
func (m *maker) quote(s *specimen) {
	form := m.form(s)
	way := pick(m, ways)
	s.way, s.intro = way.name, pick(m, doubting)
	if way.quotes && m.IntN(3) == 0 {
		s.intro = pick(m, neutral)
	}
	if way.inline != "" {
		s.reply = nebula.Reply{Parts: nebula.Text(s.intro + " " + strings.ReplaceAll(way.inline, "%", strings.TrimSpace(form)) + "\n" + pick(m, after)), Finish: "stop"}
		return
	}
	gap := pick(m, []string{"\n", "\n\n", "\n\n"})
	s.reply = nebula.Reply{Parts: nebula.Text(s.intro + gap + way.dress(form) + pick(m, []string{"", "\n"}) + pick(m, after)), Finish: "stop"}
}

// mean makes a reply that does its action.
func (m *maker) mean(s *specimen) {
	intro, outro := pick(m, meaning), pick(m, closing)
	s.intro = intro
	if m.IntN(5) == 0 { // wholly a call of another family
		s.form = pick(m, wholeNames)
		s.way = "whole"
		text := vendors[s.form](s.action.Tool, s.action.Args)
		if s.form != "llama" && m.IntN(2) == 0 { // in marks that are written for nothing else, words may introduce it
			s.way, text = "introduced", intro+"\n"+text
		}
		s.reply = nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}
		return
	}
	s.form = "taught"
	text := m.taught(s.language, s.action)
	switch s.language.Name() {
	case "toolcall":
		s.way = "call"
		s.reply = nebula.Reply{Parts: nebula.PartsOf("", intro, nebula.Call{ID: "c1", Name: s.action.Tool, Arguments: string(s.action.Args)}), Finish: "tool_calls"}
		return
	case "actionlist":
		dress := pick(m, []way{{name: "plain", dress: same1}, {name: "fence", dress: fenced("json")}, {name: "fence", dress: fenced("")}})
		s.way, text = dress.name, dress.dress(text)
	case "symops":
		dress := pick(m, symopsDress)
		if strings.Count(text, "\n") > 1 {
			dress = symopsDress[0]
		}
		s.way, text = dress.name, dress.dress(text)
	case "dml":
		dress := pick(m, dmlDress)
		s.way, text = dress.name, dress.dress(text)
	}
	gap := pick(m, []string{"\n", "\n\n"})
	s.reply = nebula.Reply{Parts: nebula.Text(intro + gap + text + outro), Finish: "stop"}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}
