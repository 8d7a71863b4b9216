package judge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/sqlite"
)

// The verdicts, from the best.
const (
	exact     = "exact"
	asked     = "asked"
	wrong     = "wrong"
	dangerous = "dangerous"
)

// A judgement is what became of one case.
type judgement struct {
	testCase
	verdict string
	must    bool   // asking is not among the accepted readings
	stage   int    // of reading, at which it is understood
	decoded string // in short
	why     string
}

// A standard is what a set of cases has to reach, in percent.
type standard struct{ good, exact float64 }

// TestRepliesMeanWhatAReaderSays judges every case by its decoding and by what became of the folder.
func TestRepliesMeanWhatAReaderSays(t *testing.T) {
	stages := map[string]reached{}
	defer func() { published(t, stages) }()
	for _, c := range []struct {
		folder string
		standard
		dangerous int
	}{
		{"cases", standard{good: 99.5, exact: 99}, 0},
		{"replies", standard{good: 100, exact: 100}, 0},
	} {
		t.Run(c.folder, func(t *testing.T) {
			all := judgeAll(t, load(t, c.folder))
			gather(stages, all)
			sum := tally(t, all)
			if sum.good < c.good || sum.exact < c.exact {
				t.Errorf("%.1f %% exact or asked, %.1f %% exact where nothing may be asked; at least %.1f and %.1f are needed", sum.good, sum.exact, c.good, c.exact)
			}
			bad := 0
			for _, j := range all {
				if j.verdict == dangerous {
					bad++
				}
				if j.verdict == dangerous || j.verdict == wrong {
					if c.folder == "replies" && j.Protocol == "symops" {
						t.Errorf("%s: Sym-Ops reads every one of these as it was meant, or asks", j.ID)
					}
					t.Logf("%s %s (%s): %s\n\tread: %s", j.verdict, j.ID, j.Kind, j.why, j.decoded)
				}
			}
			if bad > c.dangerous {
				t.Errorf("%d replies did what nobody meant; at most %d may", bad, c.dangerous)
			}
			report(t, c.folder, all)
		})
	}
}

func judgeAll(t testing.TB, cases []testCase) []judgement {
	s := store(t)
	var all []judgement
	for _, c := range cases {
		j := judge(t, s, c)
		j.stage = stage(t, j)
		all = append(all, j)
	}
	return all
}

// judge reads a case, and lets a session act on it.
func judge(t testing.TB, s *sqlite.Store, c testCase) judgement {
	before := world(t)
	maps.Copy(before, c.Files)
	p := newProject(t, s, named(t, c.Protocol), before, false)
	defer p.close()
	p.know()
	in := p.language.decode(c.reply(), p.specs)
	done := nebula.Reply{Parts: nebula.Text("That is all."), Finish: "stop"}
	p.script.Replies = append(slices.Clone(p.script.Replies), c.reply(), done, done, done, done, done)
	events := p.say("go on")

	acting, none, ask := c.readings(t)
	j := judgement{testCase: c, must: !ask, decoded: short(in)}
	after := p.files()
	expected := make([]outcome, len(acting))
	for i, deeds := range acting {
		expected[i] = perform(before, deeds)
	}
	if j.why = trespass(before, after, p.Commands, expected); j.why != "" {
		j.verdict = dangerous
		return j
	}
	still := reflect.DeepEqual(before, after) && len(p.Commands) == 0
	signal := questioned(in, events)
	switch {
	case none && len(in.Actions) == 0 && len(in.Problems) == 0 && still:
		j.verdict = exact
	case slices.ContainsFunc(acting, func(d []deed) bool { return same(in, d) }):
		j.verdict = exact
	case slices.ContainsFunc(expected, func(o outcome) bool { return o.is(before, after, p.Commands) }) && !signal:
		j.verdict = exact
	case ask && signal:
		j.verdict = asked
	case none && still:
		j.verdict = cmp.Or(map[bool]string{true: asked}[signal && ask], wrong)
		j.why = "an answer was read as more"
	default:
		j.verdict = wrong
		j.why = fmt.Sprintf("none of %s", c.Accept)
		if signal {
			j.why += ", but a question"
		}
	}
	return j
}

// An outcome is what a reading makes of the folder, with every state of a file on the way.
type outcome struct {
	files    map[string]string
	states   map[string][]string
	gone     []string
	commands []string
}

// perform does what a reading says, on paper.
func perform(before map[string]string, deeds []deed) outcome {
	o := outcome{files: maps.Clone(before), states: map[string][]string{}}
	for _, d := range deeds {
		text := func(name string) string { v, _ := d.Args[name].(string); return v }
		path := strings.TrimPrefix(text("path"), "./")
		switch d.Tool {
		case "writeFile", "editFile":
			o.files[path] = text(map[string]string{"writeFile": "content", "editFile": "new_content"}[d.Tool])
		case "patchFile":
			edits, _ := d.Args["edits"].([]any)
			for _, e := range edits {
				pair, _ := e.(map[string]any)
				was, _ := pair["old"].(string)
				is, _ := pair["new"].(string)
				o.files[path] = strings.Replace(o.files[path], was, is, 1)
			}
		case "deleteFile":
			delete(o.files, path)
			o.gone = append(o.gone, path)
		case "executeShell", "runTests":
			o.commands = append(o.commands, cmp.Or(text("command"), text("cmd")))
		}
		if content, ok := o.files[path]; ok {
			o.states[path] = append(o.states[path], content)
		}
	}
	return o
}

// is reports whether the folder and the commands are the outcome's, which is more than nothing.
func (o outcome) is(before, after map[string]string, commands []string) bool {
	if reflect.DeepEqual(before, o.files) && len(o.commands) == 0 {
		return false
	}
	return reflect.DeepEqual(o.files, after) && slices.EqualFunc(commands, o.commands, sameCommand)
}

func sameCommand(a, b string) bool { return b == "" || strings.TrimSpace(a) == strings.TrimSpace(b) }

// trespass says what happened that no reading allows.
func trespass(before, after map[string]string, commands []string, allowed []outcome) string {
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[path]; !ok && !slices.ContainsFunc(allowed, func(o outcome) bool { return slices.Contains(o.gone, path) }) {
			return path + " was deleted"
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		is := after[path]
		if was, ok := before[path]; ok && was == is {
			continue
		}
		if !slices.ContainsFunc(allowed, func(o outcome) bool { return slices.Contains(o.states[path], is) }) {
			return fmt.Sprintf("%s became %q", path, is)
		}
	}
	for _, c := range commands {
		fits := func(o outcome) bool {
			return slices.ContainsFunc(o.commands, func(want string) bool { return sameCommand(c, want) })
		}
		if !slices.ContainsFunc(allowed, fits) {
			return fmt.Sprintf("%q ran", c)
		}
	}
	return ""
}

// same reports whether an intent is a reading, with nothing guessed and nothing in doubt.
func same(in nebula.Intent, deeds []deed) bool {
	if len(in.Actions) != len(deeds) || len(in.Problems) > 0 {
		return false
	}
	for i, d := range deeds {
		a := in.Actions[i]
		var args map[string]any
		if a.Tool != d.Tool || a.Inferred || a.Problem != "" || json.Unmarshal(a.Args, &args) != nil {
			return false
		}
		want := maps.Clone(d.Args)
		if cmd, ok := want["cmd"]; ok {
			delete(want, "cmd")
			want["command"] = cmd
		}
		for name, v := range args {
			if _, ok := want[name]; !ok && (name == "explanation" || name == "reason") {
				delete(args, name)
			} else if s, ok := v.(string); ok && name == "command" {
				args[name] = strings.TrimSpace(s)
			}
		}
		if !reflect.DeepEqual(args, want) {
			return false
		}
	}
	return true
}

// questioned reports whether something of a reply was asked about, sent back or refused.
func questioned(in nebula.Intent, events []nebula.Event) bool {
	if len(in.Problems) > 0 || len(in.Questions) > 0 || slices.ContainsFunc(in.Actions, func(a nebula.Action) bool { return a.Inferred || a.Problem != "" }) {
		return true
	}
	for _, e := range events {
		switch b := e.Body.(type) {
		case nebula.Asked:
			return true
		case nebula.Finished:
			if b.Result.Status != nebula.Done {
				return true
			}
		case nebula.Replied:
			if len(b.Intent.Problems) > 0 {
				return true
			}
		}
	}
	return false
}

// short is an intent in a line.
func short(in nebula.Intent) string {
	var parts []string
	for _, a := range in.Actions {
		mark := ""
		if a.Inferred {
			mark = "?"
		}
		if a.Problem != "" {
			mark += "!" + a.Problem
		}
		parts = append(parts, fmt.Sprintf("%s%s%s", a.Tool, a.Args, mark))
	}
	for _, p := range in.Problems {
		parts = append(parts, "problem: "+p.Text)
	}
	return strings.Join(append(parts, string(in.Strategy)), "; ")
}

// A total is what a set of cases reached, in percent.
type total struct{ good, exact float64 }

// tally prints a table by protocol and kind and returns the total.
func tally(t *testing.T, all []judgement) total {
	type row struct{ n, exact, asked, wrong, dangerous int }
	rows := map[string]*row{}
	var good, must, mustExact int
	for _, j := range all {
		kind, _, _ := strings.Cut(j.Kind, ":")
		for _, key := range []string{j.Protocol, j.Protocol + " / " + kind} {
			r := rows[key]
			if r == nil {
				r = &row{}
				rows[key] = r
			}
			r.n++
			*map[string]*int{exact: &r.exact, asked: &r.asked, wrong: &r.wrong, dangerous: &r.dangerous}[j.verdict]++
		}
		if j.verdict == exact || j.verdict == asked {
			good++
		}
		if j.must {
			must++
			if j.verdict == exact {
				mustExact++
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-70s %5s %5s %5s %5s %9s\n", "", "n", exact, asked, wrong, dangerous)
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		r := rows[key]
		if strings.Contains(key, "/") && r.n == r.exact+r.asked {
			continue
		}
		fmt.Fprintf(&b, "%-70s %5d %5d %5d %5d %9d\n", key, r.n, r.exact, r.asked, r.wrong, r.dangerous)
	}
	sum := total{100 * float64(good) / float64(len(all)), 100 * float64(mustExact) / float64(max(must, 1))}
	t.Logf("%d replies: %.1f %% exact or asked; of %d where nothing may be asked %.1f %% exact\n%s", len(all), sum.good, must, sum.exact, b.String())
	return sum
}

// report adds what is not right to the file that NEBULA_JUDGED names.
func report(t *testing.T, set string, all []judgement) {
	path := os.Getenv("NEBULA_JUDGED")
	if path == "" {
		return
	}
	var b strings.Builder
	for _, verdict := range []string{dangerous, wrong} {
		for _, j := range all {
			if j.verdict != verdict {
				continue
			}
			calls, _ := json.Marshal(j.Calls) // strings always marshal
			fmt.Fprintf(&b, "## %s %s/%s %s (%s)\n%s\n- read: %s\n- right: %s\n", verdict, set, j.Protocol, j.ID, j.Kind, j.why, j.decoded, j.Accept)
			if len(j.Calls) > 0 {
				fmt.Fprintf(&b, "- calls: %s\n", calls)
			}
			fmt.Fprintf(&b, "````\n%s\n````\n", j.Reply)
		}
	}
	appendTo(t, path, b.String())
}
