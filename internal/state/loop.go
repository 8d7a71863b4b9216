package state

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// loopWindow is how many results back the same one counts as a repetition, where nothing new came in between: looks in a circle come
// back only after all the others.
const loopWindow = 200

// Steered is how often the same comes before the model is told so.
const Steered = 3

// traced is the watch after a result: how often what it came to came lately. Whatever the turn has not seen begins the
// count anew, a look as well; an effect that it has not seen (a file's content that it never had, a test run with another
// outcome) is progress, however slow.
func (w Watch) traced(a nebula.Action, r nebula.Result) Watch {
	mark, effects := trace(a, r)
	known := maps.Clone(w.known)
	if known == nil {
		known = map[string]bool{}
	}
	if line := target(a, nebula.Result{}); r.Tests != nil || r.Exit != nil && nothing(line) == "" && !notes(line) {
		w.put = nil // whoever tries a number out works
	} else if shape, put := rework(a, r, w.put); shape != "" {
		if mark = shape; w.put[shape] {
			effects = nil
		}
		w.put = put
	}
	again := known[mark]
	w.Progress = false
	idle := remarksOnly(a, r)
	for _, e := range effects {
		w.Progress = w.Progress || !known[e] && !idle && (r.Exit == nil || r.Tests != nil || !again)
		known[e] = true
	}
	for _, c := range r.Changes { // what was there first is nothing new when it comes back
		known[stands(c.Path, c.Before)] = true
	}
	if r.Status == nebula.Done {
		known[mark] = true
	}
	w.known, w.edited = known, w.edited || w.Progress && r.Exit == nil
	if w.Progress || r.Status == nebula.Done && !again && !idle {
		w.recent = nil
	}
	if w.Progress {
		w.tried = nil
	}
	if w.Fresh = !w.tried[mark] && (r.Status == nebula.Done || r.Status == nebula.Failed); w.Fresh {
		tried := map[string]bool{mark: true}
		maps.Copy(tried, w.tried)
		w.tried = tried
	}
	if lists.Has(w.here, mark) { // asked for twice in one breath
		return w
	}
	w.here = append(slices.Clip(w.here), mark)
	w.recent = append(slices.Clip(w.recent), fingerprint{mark, failure(a, r), target(a, r)})
	w.recent = w.recent[max(0, len(w.recent)-loopWindow):]
	last := w.recent[len(w.recent)-1]
	times, alike := last.counts(w.recent, sought(a) != "" && len(r.Seen) == 0 && r.Status == nebula.Done)
	switch {
	case alike > times && alike >= w.Repeats:
		w.Repeats, w.What = alike, last.failure
	case len(w.recent) == 1 || times >= w.Repeats:
		w.Repeats, w.What = times, named(a, r)
		if r.Tests != nil && r.Tests.OK {
			w.Passed = w.What
		}
	}
	return w
}

// A fingerprint is what a result came to, how it failed whatever it was about, and what that was: ever other files that are not there are one
// loop, too.
type fingerprint struct{ mark, failure, about string }

// counts is how often one of several came to the same, and how often some failed alike. vain says that it looked for something that is not there.
//
//go:noinline
func (f fingerprint) counts(all []fingerprint, vain bool) (times, alike int) {
	same := 0
	for _, m := range all {
		if m.mark == f.mark {
			times++
		}
		if m.mark == f.mark && m.about == f.about {
			same++
		}
		if m.failure == f.failure && m.failure != "" {
			alike++
		}
	}
	if vain {
		times = max(same, elsewhere(times))
	}
	return times, elsewhere(alike)
}

// again counts a command that is run over and over with nothing done between: whatever it prints each time, it is one loop in the end.
func (w Watch) again(a nebula.Action, r nebula.Result) Watch {
	line := target(a, nebula.Result{})
	if r.Exit == nil || len(r.Changes) > 0 || line != w.line {
		if w.line, w.lines = "", 0; r.Exit != nil && len(r.Changes) == 0 {
			w.line, w.lines = line, 1
		}
		return w
	}
	if w.lines++; w.lines/renewed > w.Repeats {
		w.Repeats, w.What = w.lines/renewed, named(a, r)
	}
	return w
}

// renewed is how many times a command that prints something new each time counts once: who looks at what others make has reason to.
const renewed = 12

// elsewhere is how often so many looks for other things count that all find nothing: whoever looks elsewhere gets on for a while.
func elsewhere(n int) int { return (n + 2) / 3 }

// patience is how many times a command that waits and looks comes to the same before it counts once.
const patience = 5

// awaits reports whether a command came to what it came to before because it waits for something, which may come yet.
func (w *Watch) awaits(a nebula.Action, r nebula.Result) bool {
	if r.Exit == nil || !pauses(target(a, nebula.Result{})) {
		return false
	}
	mark, _ := trace(a, r)
	if !w.known[mark] {
		return false
	}
	w.waits++
	return w.waits%patience != 0
}

// pauses reports whether a line waits, and does something beside.
func pauses(line string) bool {
	return nothing(line) == "" && slices.ContainsFunc(programs(line), func(part []string) bool { return lists.Has(part, "sleep") })
}

// failure is the first sentence that says why something was not done, without the names in it; empty for what was.
func failure(a nebula.Action, r nebula.Result) string {
	if r.Tests != nil || len(r.Changes) > 0 || r.Exit == nil && r.Status != nebula.Failed || r.Exit != nil && *r.Exit == 0 {
		return ""
	}
	line, rest, _ := strings.Cut(r.Text, "\n")
	if r.Exit != nil {
		return complaint(a, rest)
	}
	line = quotes.For(line).ReplaceAllString(line, `"…"`)
	line, _, _ = strings.Cut(line, ". ")
	return line
}

// complaint is what a command that failed says first of a program that it runs, whatever it was given and whatever numbers are in it; empty
// where it says more than a line or two: that is read, and worked on.
func complaint(a nebula.Action, output string) string {
	line := target(a, nebula.Result{})
	said := strings.Split(strings.TrimSpace(output), "\n")
	name, _, told := strings.Cut(said[0], ":")
	if len(said) > 2 || !told || !lists.Has(lists.Concat(programs(line)...), path.Base(name)) {
		return ""
	}
	words := strings.Fields(line)
	lists.Sort(words, func(a, b string) int { return len(b) - len(a) })
	for _, w := range words {
		if w = strings.Trim(w, `"'`); len(w) > 1 && w != name {
			said[0] = strings.ReplaceAll(said[0], w, "…")
		}
	}
	return digits.For(said[0]).ReplaceAllString(said[0], "0")
}

// Heard is the watch when another reply begins: what counts is the most repeated of each.
func (w Watch) Heard(read float64) Watch {
	w.Read, w.Repeats, w.What, w.here = read, 0, "", nil
	return w
}

func stands(path, hash string) string { return "file " + path + "=" + hash }

// trace is what a result comes to, apart from how it is written and how long it took, and the effects that it had.
func trace(a nebula.Action, r nebula.Result) (mark string, effects []string) {
	for _, c := range r.Changes {
		switch {
		case !c.OfFile():
		case c.Kind == "create" && c.After != nebula.Hash(nil): // the same under another name is no other effect, in another folder it is; an empty file is there for its name
			effects = append(effects, stands(path.Dir(c.Path)+"/", c.After))
		default:
			effects = append(effects, stands(c.Path, c.After))
		}
	}
	switch {
	case r.Tests != nil:
		mark = fmt.Sprintf("tests %d/%d %t %s", r.Tests.Passed, r.Tests.Failed, r.Tests.OK, failures(r))
		return mark, append(effects, mark)
	case r.Exit != nil:
		what := simply(r.Tool, a)
		if len(r.Dropped) > 0 { // what was not kept is the same however it is spelled
			what = fmt.Sprint(r.Dropped)
		}
		return fmt.Sprintf("run %s → %d %s", what, *r.Exit, outcome(a, r)), effects
	case len(effects) > 0:
		return strings.Join(effects, " "), effects
	case r.Status != nebula.Done:
		return "not done " + r.Tool + " " + target(a, r), nil
	}
	if goal := aim(a); goal != "" { // what is said of it has a name of its own each time
		return "aim " + r.Tool + " " + goal, nil
	}
	if word := sought(a); word != "" && len(r.Seen) == 0 { // whatever word finds nothing, or the same
		return r.Tool + " " + where(a) + " " + nebula.Hash([]byte(timeless(strings.ReplaceAll(r.Text, word, "…")))), nil
	}
	return r.Tool + " " + target(a, r) + " " + nebula.Hash([]byte(timeless(r.Text))), nil
}

// sought is the word that an action looks for, where is the folder that it looks in.
//
//go:noinline
func sought(a nebula.Action) string {
	var args struct{ Keyword, Query string }
	if json.Unmarshal(a.Args, &args) != nil {
		return ""
	}
	return args.Keyword + args.Query
}

// aim is what an action wants planned, however often.
func aim(a nebula.Action) string {
	var args struct{ Goal string }
	_ = json.Unmarshal(a.Args, &args) // else it is for none
	return strings.Join(strings.Fields(strings.ToLower(args.Goal)), " ")
}

func where(a nebula.Action) string {
	var args struct{ Path, Directory string }
	_ = json.Unmarshal(a.Args, &args) // else it is in none
	return path.Clean(args.Path + args.Directory)
}

// rework is what a change of one file comes to where its numbers are left out, and notes it: the same file written with another number each
// time, with nothing run in between, is one loop, and so is a number in it that each change puts in the place of the last one's. Empty for any other change.
func rework(a nebula.Action, r nebula.Result, known map[string]bool) (shape string, noted map[string]bool) {
	if len(r.Changes) != 1 {
		return "", known
	}
	type edit struct{ Old, New string }
	var args struct {
		edit
		Content    string
		NewContent string `json:"new_content"`
		Command    string
		Edits      []edit
	}
	if json.Unmarshal(a.Args, &args) != nil {
		return "", known
	}
	file := r.Changes[0].Path
	edits := append(slices.Clip(args.Edits), args.edit)
	follows := true // each takes up what the one before it left
	for _, e := range edits {
		follows = follows && (e.Old == "" || known["left "+file+" "+e.Old])
	}
	shape = args.Content + args.NewContent + args.Command
	for _, e := range edits {
		shape += "\x00" + e.Old + "\x00" + e.New
	}
	plain := digits.For(shape).ReplaceAllString(shape, "0")
	if plain == shape {
		return "", known
	}
	shape = "rework " + r.Tool + " " + file + " " + nebula.Hash([]byte(plain))
	if known[shape] && !follows {
		return "", known
	}
	noted = map[string]bool{shape: true}
	maps.Copy(noted, known)
	for _, e := range edits {
		noted["left "+file+" "+e.New] = true
	}
	return shape, noted
}

// named is an action as the person and the model read of it.
func named(a nebula.Action, r nebula.Result) string {
	about := target(a, r)
	if plain := simply("", a); r.Exit != nil && plain != "" && lists.Has(looks, strings.Fields(plain)[0]) && plain != about {
		about = plain + " …" // with whatever followed it
	}
	if word := sought(a); word != "" && len(r.Seen) == 0 && r.Status == nebula.Done {
		about = "…" // whatever was looked for
	}
	what, _ := Cut(strings.TrimSpace(r.Tool+" "+about), LineLimit)
	return what
}

// target is what an action is about: the file as it was resolved, where the result tells, or else its path or command.
func target(a nebula.Action, r nebula.Result) string {
	if len(r.Seen) == 1 {
		return r.Seen[0].Path
	}
	var args struct{ Path, Directory, Command, Keyword, Query, Tool string }
	if json.Unmarshal(a.Args, &args) != nil {
		return string(a.Args)
	}
	if where := args.Path + args.Directory; where != "" {
		return strings.TrimSpace(path.Clean(where) + " " + args.Keyword)
	}
	if args.Command != "" {
		return args.Command
	}
	if args.Tool != "" { // of another program: its arguments are its own
		return string(a.Args)
	}
	if what := args.Query + args.Keyword; what != "" {
		return what
	}
	return "."
}

// looks are commands that show the same whatever their options are.
var looks = []string{"ls", "pwd", "echo", "true", ":", "date", "whoami", "which", "clear", "dir"}

// simply is a command without what makes no difference to it.
func simply(tool string, a nebula.Action) string {
	line, _, _ := strings.Cut(target(a, nebula.Result{}), " #")
	if does := nothing(line); does != "" {
		return does
	}
	words := strings.Fields(line)
	if len(words) == 0 || !lists.Has(looks, words[0]) || strings.ContainsAny(strings.Join(words, ""), "|;&><$`") {
		return strings.TrimSpace(tool + " " + strings.Join(words, " "))
	}
	if words[0] != "ls" {
		return words[0]
	}
	plain := words[:1]
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") && path.Clean(w) != "." {
			plain = append(plain, path.Clean(w))
		}
	}
	return strings.Join(plain, " ")
}

// talk are commands that find nothing out and change nothing, whatever they are given.
var talk = strings.Fields("echo printf true false : sleep test [ seq expr let clear exit")

// nothing is what stands for a line of such commands alone, empty for another: counting up to ten in ten commands is one loop.
func nothing(line string) string {
	line = silent.For(line).ReplaceAllString(line, "")
	all := lists.Concat(programs(line)...)
	if len(all) == 0 || strings.ContainsAny(line, "<>`") || strings.Contains(line, "$(") ||
		slices.ContainsFunc(all, func(name string) bool { return !lists.Has(talk, name) }) {
		return ""
	}
	return "echo"
}

// notes reports whether a line of such commands alone writes what they say into a file.
func notes(line string) bool {
	said, _, writes := strings.Cut(silent.For(line).ReplaceAllString(line, ""), ">")
	return writes && nothing(said) != ""
}

func outcome(a nebula.Action, r nebula.Result) string {
	if nothing(target(a, nebula.Result{})) != "" {
		return ""
	}
	if words := strings.Fields(target(a, nebula.Result{})); len(words) > 0 && lists.Has(looks, words[0]) {
		return ""
	}
	return nebula.Hash([]byte(timeless(r.Text)))
}

// failures names what failed in a test run: its lines that say so.
func failures(r nebula.Result) string {
	var lines []string
	text := timeless(r.Text)
	if r.Tests.Command != "" { // how the run was called is nothing that failed
		text = timeless(strings.ReplaceAll(r.Text, r.Tests.Command, "…"))
	}
	for line := range strings.Lines(text) {
		if failing.In(line) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if lines == nil && !r.Tests.OK {
		lines = []string{text}
	}
	slices.Sort(lines)
	return nebula.Hash([]byte(strings.Join(lists.Compact(lines), "\n")))
}

var (
	silent  = &lazy.Pattern{X: `\$\(\([^()]*\)\)|\d?>\s*(?:&\d|/dev/null)`}
	failing = &lazy.Pattern{X: `(?i)fail|error|panic|expected|assert|want|✗|✕|×|失敗|エラー|\.\w+:\d+`}
	digits  = &lazy.Pattern{X: `\d+(?:\.\d+)?`}
	quotes  = &lazy.Pattern{X: `"[^"]*"`}
	times   = &lazy.Pattern{X: `(?i)^(?:\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|m|min|minutes?)\b|\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\b|\d{4}-\d{2}-\d{2}T?|0x[0-9a-f]{4,}\b)`}
)

// timeless is a text without durations, times of day and addresses. Each begins with a digit that begins a word: only there is it looked,
// for this is done with all that was ever read when a session is opened.
func timeless(s string) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' || i > 0 && wordByte(s[i-1]) {
			continue
		}
		if m := times.Re().FindStringIndex(s[i:]); m != nil {
			b.WriteString(s[from:i] + "…")
			from = i + m[1]
			i = from - 1
		}
	}
	return b.String() + s[from:]
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
