package symops

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/protocol"
)

// Intent puts the document into the words of the tools on offer: which tool each action means, with its arguments,
// in an order that puts every file before what depends on it.
func (d *Document) Intent(tools []nebula.ToolSpec) nebula.Intent {
	made := map[string]bool{}
	for i := range d.Actions {
		a := &d.Actions[i]
		known := len(a.Rows)
		if a.untangle(made); len(a.Rows) > known {
			d.Repairs = append(d.Repairs, nebula.Repair{Name: outputOrDependency, Line: a.Src.Line})
		}
	}
	in := nebula.Intent{Say: d.Say, Thoughts: d.Thoughts, Vitals: d.Vitals.values(), Questions: asked(d.Questions), Errors: d.Errors,
		Repairs: d.Repairs, Problems: append([]nebula.Problem(nil), d.Problems...)}
	order, cycle := ordered(d.Actions)
	in.Actions = slices.Grow(in.Actions, len(order))
	if cycle >= 0 {
		a := d.Actions[cycle]
		in.Problems = append(in.Problems, nebula.Problem{Line: a.Src.Line, Text: fmt.Sprintf("%s depends on itself through other files", a.Path),
			Hint: "the actions keep the order in which they were written"})
	}
	for _, i := range order {
		in.Actions = append(in.Actions, d.Actions[i].action(tools))
	}
	return in
}

// untangle takes a dependency off the end of a command. To a shell, > writes over a file; in this language it names what an
// action needs. It is meant so behind nothing, before a file that an earlier action makes, and where a test would write
// over source code. made are the files that the actions so far make; this one is added.
func (a *Action) untangle(made map[string]bool) {
	defer func() { made[strings.TrimPrefix(a.Path, "./")] = a.Type == create || a.Type == edit }()
	at := strings.LastIndexByte(a.Path, '>')
	if a.Type != run && a.Type != test || a.HasBlock || a.Args != nil || a.DependsOn != nil || at < 0 || at > 0 && a.Path[at-1] != ' ' {
		return
	}
	command, needs := strings.TrimSpace(a.Path[:at]), strings.TrimSpace(a.Path[at+1:])
	for _, file := range parts(needs) {
		source := looksLikePath(file) && !strings.Contains(file, " ")
		if !source || command != "" && !made[strings.TrimPrefix(file, "./")] && (a.Type != test || reports[strings.ToLower(filepath.Ext(file))]) {
			if source && overwrites(command, file) && !lists.Has(a.Rows, outputOrDependency) {
				a.Rows = append(a.Rows, outputOrDependency)
			}
			return
		}
	}
	if needs != "" {
		a.Path, a.DependsOn = command, &needs
	}
}

const outputOrDependency = "output_or_dependency"

// overwrites reports whether a command's output is to stand where a file of source code stands, though the command is none that
// makes such a text, or reads that file itself.
func overwrites(command, file string) bool {
	words := strings.Fields(command)
	if len(words) == 0 || reports[strings.ToLower(filepath.Ext(file))] {
		return false
	}
	return !makers[words[0]] || lists.Has(words[1:], file) || lists.Has(words[1:], "./"+file)
}

// makers are programs whose output is meant for a file.
var makers = set("cat", "echo", "printf", "sed", "awk", "sort", "head", "tail", "cut", "tr", "jq", "grep", "curl", "git", "diff", "envsubst", "base64", "xxd", "gofmt", "tee", "uniq", "paste", "protoc", "seq", "yes", "date", "tsc", "esbuild")

// reports are the endings of files that a test run may be meant to write.
var reports = set("", ".txt", ".log", ".out", ".xml", ".json", ".html", ".csv", ".tap", ".md", ".err")

func (v Vitals) values() nebula.Vitals {
	get := func(k byte) *float64 {
		n, ok := v[k]
		if !ok {
			return nil
		}
		return &n
	}
	return nebula.Vitals{Confidence: get('c'), Mood: get('m'), Focus: get('f'), Stamina: get('s')}
}

// action finds the tool that answers to the word.
func (a Action) action(tools []nebula.ToolSpec) nebula.Action {
	if a.call != nil && !a.isPatch() {
		out := *a.call
		out.Repairs = a.Rows
		return out
	}
	args := a.arguments(tools)
	out := nebula.Action{Tool: a.Type, Args: a.Args, Reason: a.Reason, Repairs: a.Rows, Src: a.Src}
	if args != nil {
		out.Args = marshal(args)
	}
	if a.DependsOn != nil {
		out.DependsOn = parts(*a.DependsOn)
	}
	switch {
	case a.isPatch():
		if spec, ok := patcher(tools); ok {
			out.Tool = spec.Name
		}
	case a.Type == test && a.HasBlock && a.Path != "" && looksLikePath(a.Path) && !strings.Contains(a.Path, " "):
		out.Tool = create // a test's file with its content
	}
	spec, found := protocol.Find(out.Tool, tools)
	if found {
		out.Tool = spec.Name
	}
	switch {
	case (a.Type == create || a.Type == edit) && !a.HasBlock:
		out.Problem = fmt.Sprintf("%s has no content: put it between two lines -- below `$ %s @ %s`", a.Path, a.Type, a.Path)
	case lists.Has(a.Rows, "path_lines") && (a.Type == remove || a.HasBlock && !a.isPatch()):
		out.Problem = fmt.Sprintf("`$ %s @ %s` concerns the whole of the file, and lines of it were named, so it was not done. To change or take out some lines, write `$ edit @ %s` and in its block <<<<<<< SEARCH, the lines as they are, =======, the lines as they shall be, >>>>>>> REPLACE", a.Type, a.Path, a.Path)
	case a.Type == remove && a.HasBlock && strings.TrimSpace(a.Content) != "":
		out.Problem = fmt.Sprintf("`$ %s` deletes the whole of %s and takes no block, so it was not done. To take lines out of it, write `$ edit @ %s` with what it is to be", a.Type, a.Path, a.Path)
	case a.Path == "" && !a.HasBlock && a.Args == nil && asTaught(a.Type) && a.Type != test:
		out.Problem = fmt.Sprintf("`$ %s` names no target: write `$ %s @ target`", a.Type, a.Type)
	case (a.Type == run || a.Type == test) && strings.HasPrefix(a.Path, "|"):
		out.Problem = fmt.Sprintf("`%s` is no command: write `$ %s @ ` and behind it the command alone", a.Path, a.Type)
	case a.isPatch():
		if _, err := edits(a.Content); err != nil {
			out.Problem = err.Error()
			if a.Truncated {
				out.Problem = "the reply ended inside this change, behind " + phrase.Ending(a.Content) + ": write it whole, to >>>>>>> REPLACE and the block's last line --"
			}
		}
	}
	if found && out.Problem == "" && a.Path != "" && asTaught(a.Type) && fits(args, spec) {
		if spec.Effect.Changes() {
			out.Points = protocol.PointsOf(out.Reason)
		}
		return out
	}
	return protocol.Resolve(out, tools)
}

// fits reports whether arguments are texts and the tool's own already, which need not be looked at again.
func fits(args map[string]any, spec nebula.ToolSpec) bool {
	own := 0
	for _, p := range spec.Params {
		v, given := args[p.Name]
		_, text := v.(string)
		if text && p.Type == "string" {
			own++
		} else if given || p.Required {
			return false
		}
	}
	return own == len(args)
}

// patcher finds the tool that takes edits of a file.
func patcher(tools []nebula.ToolSpec) (nebula.ToolSpec, bool) {
	for _, t := range tools {
		if hasParam(t, "path") && hasParam(t, "edits") {
			return t, true
		}
	}
	return nebula.ToolSpec{}, false
}

// isPatch reports whether the block says what to change. A file that holds changes is not one that is changed by them.
func (a Action) isPatch() bool {
	if !a.HasBlock || strings.HasSuffix(a.Path, ".patch") || strings.HasSuffix(a.Path, ".diff") {
		return false
	}
	return a.Type == edit && isPatch(a.Content) || a.Type == create && a.Args == nil && protocol.Marker(a.Content) == '<'
}

// arguments are the action's words as the tool's arguments; nil where it came with its own.
func (a Action) arguments(tools []nebula.ToolSpec) map[string]any {
	switch {
	case a.isPatch():
		list, err := edits(a.Content)
		if err != nil {
			list = []protocol.Change{}
		}
		return map[string]any{"path": a.Path, "edits": list}
	case a.Args != nil:
		return nil
	case a.Type == create, a.Type == test && a.HasBlock && looksLikePath(a.Path) && !strings.Contains(a.Path, " "):
		return map[string]any{"path": a.Path, "content": a.file()}
	case a.Type == edit:
		return map[string]any{"path": a.Path, "new_content": a.file()}
	case a.Type == remove:
		return map[string]any{"path": a.Path}
	case a.Type == run, a.Type == test:
		if given := a.settings(tools); given != nil {
			return given
		}
		if c := a.command(); c != "" {
			return map[string]any{"command": c}
		}
		return map[string]any{}
	}
	return a.others(tools)
}

// marshal writes arguments, nearly all of which are texts.
func marshal(args map[string]any) json.RawMessage {
	out := []byte{'{'}
	for i, name := range slices.Sorted(maps.Keys(args)) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, protocol.Quote(name)...), ':')
		out = append(out, encoded(args[name])...)
	}
	return append(out, '}')
}

func encoded(v any) json.RawMessage {
	if text, ok := v.(string); ok {
		return protocol.Quote(text)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// file is the content of the file: the block's lines, each with its end.
func (a Action) file() string {
	if a.Content == "" && a.Block == (nebula.Span{}) {
		return ""
	}
	return a.Content + "\n"
}

// shellWords name a shell whose block is the command.
var shellWords = set("", "bash", "sh", "shell", "zsh", "terminal", "cmd", "command", "commands", "script", "bash -c", "sh -c", "-")

func (a Action) command() string {
	switch {
	case !a.HasBlock:
		return a.Path
	case shellWords[strings.ToLower(a.Path)]:
		return a.Content
	case strings.TrimSpace(a.Content) == "" || strings.TrimSpace(a.Content) == a.Path:
		return a.Path
	}
	mark := "END"
	for strings.Contains(a.Content, mark) {
		mark += "_"
	}
	return a.Path + " <<'" + mark + "'\n" + a.Content + "\n" + mark
}

// others are the arguments of every other tool: an object in the block, key=value, or in the order of its parameters.
func (a Action) others(tools []nebula.ToolSpec) map[string]any {
	spec, _ := protocol.Find(a.Type, tools)
	args := map[string]any{}
	block := strings.TrimSpace(a.Content)
	if a.HasBlock && strings.HasPrefix(block, "{") && json.Valid([]byte(block)) {
		if err := json.Unmarshal([]byte(block), &args); err == nil {
			a.HasBlock = false
		}
	}
	a.target(spec, args)
	if a.HasBlock && isPatch(a.Content) && hasParam(spec, "edits") {
		if list, err := edits(a.Content); err == nil {
			args["edits"] = list
			return args
		}
	}
	if a.HasBlock {
		if p, ok := payload(spec, args); ok {
			args[p] = a.Content
		}
	}
	return args
}

// asked are questions as a person is asked them: the language writes them in quotation marks.
func asked(questions []nebula.Question) []nebula.Question {
	out := slices.Clone(questions)
	for i, q := range out {
		out[i].Text = unquoteOnce(q.Text)
	}
	return out
}
