package dialect

import (
	"encoding/json"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/protocol"
)

// shells are the labels of code blocks that hold commands.
var shells = []string{"bash", "sh", "shell", "zsh", "console", "terminal", "shell-session", "shellscript", "cmd", "powershell"}

// shell reads a reply that ends in commands as one writes them for a shell, in a code block or behind the prompt, and
// is nothing else, or says before them that it is doing that. They are inferred, and ask.
func shell(r nebula.Reply, tools []nebula.ToolSpec) (nebula.Intent, bool) {
	start, thoughts := protocol.Body(r)
	body := strings.TrimRight(r.Text()[start:], " \t\r\n")
	at, command := commands(body)
	before := strings.TrimSpace(body[:at])
	if command == "" || before != "" && !protocol.Announces(before) {
		return nebula.Intent{}, false
	}
	a, ok := looked(command, tools)
	if spec, found := protocol.Find("shell", tools); !ok && found && spec.Effect == nebula.Execute {
		a, ok = actionOf(spec, command, func(p nebula.Param) bool { return p.Payload })
	}
	if !ok {
		return nebula.Intent{}, false
	}
	at += start
	a.Src = nebula.Span{Start: at, End: start + len(body), Line: 1 + strings.Count(r.Text()[:at], "\n")}
	protocol.Need(&a, "shell_line")
	return nebula.Intent{Say: before, Thoughts: thoughts, Actions: []nebula.Action{a}}, true
}

// block reads a reply that is nothing but a code block of printed calls. They are inferred: a block is where quotes stand.
func block(r nebula.Reply, tools []nebula.ToolSpec) (nebula.Intent, bool) {
	start, thoughts := protocol.Body(r)
	body := strings.TrimSpace(r.Text()[start:])
	inside, closed := strings.CutSuffix(body, "\n```")
	if !closed || !strings.HasPrefix(body, "```") || strings.Count(body, "```") != 2 {
		return nebula.Intent{}, false
	}
	_, inside, _ = strings.Cut(inside, "\n")
	in, ok := printed(nebula.Reply{Parts: nebula.Text(inside)}, tools)
	if !ok || in.Say != "" || !sound(in, tools) {
		return nebula.Intent{}, false
	}
	at := nebula.Span{Start: start, End: len(r.Text()), Line: 1 + strings.Count(r.Text()[:start], "\n")}
	for i := range in.Actions {
		in.Actions[i].Src = at
		protocol.Need(&in.Actions[i], "fenced_call")
	}
	in.Thoughts = thoughts
	return in, true
}

// commands are the ones that a text ends with, and where it says so.
func commands(text string) (at int, command string) {
	if block, fenced := strings.CutSuffix(text, "\n```"); fenced {
		at = strings.LastIndex("\n"+block, "\n```")
		if at < 0 || strings.Count(block, "```") != 1 {
			return 0, ""
		}
		label, inside, _ := strings.Cut(block[at+3:], "\n")
		command, prompted := unprompted(inside)
		if label = strings.ToLower(strings.TrimSpace(label)); prompted && (label == "" || lists.Has(shells, label)) || lists.Has(shells, label) && !strings.Contains("\n"+inside, "\n$ ") {
			return at, strings.TrimSpace(command)
		}
		return 0, ""
	}
	if strings.HasPrefix(text, "cat >") && strings.Contains(text, "<<") || strings.HasPrefix(text, "cat <<") {
		return 0, text
	}
	at = len(text)
	for at > 0 {
		line := strings.LastIndexByte(text[:at-1], '\n') + 1
		if !strings.HasPrefix(text[line:], "$ ") {
			break
		}
		at = line
	}
	command, _ = unprompted(text[at:])
	return at, strings.TrimSpace(command)
}

// unprompted are lines without the prompt that all of them begin with.
func unprompted(text string) (plain string, ok bool) {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		rest, prompted := strings.CutPrefix(l, "$ ")
		if !prompted && strings.TrimSpace(l) != "" || strings.Contains(rest, " @ ") {
			return text, false
		}
		lines[i] = rest
	}
	return strings.Join(lines, "\n"), true
}

// looked reads a command that does no more than a tool that looks: its name, and one path.
func looked(command string, tools []nebula.ToolSpec) (nebula.Action, bool) {
	words := strings.Fields(command)
	if len(words) != 2 || strings.Contains(command, "\n") || strings.ContainsAny(command, "|<>;&$`*?\\\"'(){}~!#") || strings.HasPrefix(words[1], "-") {
		return nebula.Action{}, false
	}
	spec, ok := protocol.Find(words[0], tools)
	if !ok || spec.Effect != nebula.Read {
		return nebula.Action{}, false
	}
	return actionOf(spec, words[1], func(p nebula.Param) bool { return p.Required && p.Name == "path" })
}

// actionOf is the action of a tool with one argument, the one that is said; it needs no other.
func actionOf(spec nebula.ToolSpec, text string, is func(nebula.Param) bool) (nebula.Action, bool) {
	i := slices.IndexFunc(spec.Params, is)
	if i < 0 {
		return nebula.Action{}, false
	}
	args, err := json.Marshal(map[string]string{spec.Params[i].Name: text})
	a := protocol.Resolve(nebula.Action{Tool: spec.Name, Args: args}, []nebula.ToolSpec{spec})
	return a, err == nil && a.Problem == ""
}
