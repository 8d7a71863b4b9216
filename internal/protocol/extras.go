package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// What is said by an argument that its tool does not have. None of a tool that changes something is dropped, unless it is
// known here: without it the call would do more than was meant.

// harmless are names of arguments, folded, that say nothing of what is to be done.
var harmless = []string{
	"description", "summary", "title", "comment", "note", "notes", "instruction", "instructions", "goal", "task", "label", "説明",
	"confidence", "priority", "risk", "risklevel", "id", "callid", "toolcallid", "index", "step", "stepid", "language", "lang",
	"encoding", "charset", "createdirs", "createdirectories", "createparents", "parents", "makedirs", "overwrite", "linecount",
	"totallines", "timeout", "timeoutms", "timeoutseconds", "seconds", "shell", "isbackground", "background", "runinbackground",
	"blocking", "wait", "verbose", "stream", "captureoutput", "expected", "expectedoutput", "expectedresult",
	"expectedreplacements", "safetoautorun", "thoughts", "thinking", "constraintcheck", "goalconsistency",
}

// kindNames are names of arguments, folded, that may say once more what kind of call it is, and kindWords how.
var (
	kindNames = []string{"mode", "command", "operation", "action", "type", "method", "function", "tool", "toolname", "name", "op"}
	kindWords = []string{"function", "tool", "toolcall", "file", "text", "shell", "bash", "command", "full", "w"}
)

// putOff are names of arguments, folded, that say whether a call is to be done now, and the value that says no; of an
// empty one every value says so.
var putOff = map[string]string{
	"dryrun": "true", "simulate": "true", "preview": "true", "skip": "true", "disabled": "true", "cancelled": "true", "example": "true",
	"hold": "true", "onhold": "true", "pending": "true", "proposal": "true", "proposed": "true", "isproposal": "true", "isexample": "true", "isdraft": "true", "draft": "true",
	"askuser": "true", "askfirst": "true", "awaitinguser": "true", "humanintheloop": "true", "要承認": "true", "要確認": "true", "承認待ち": "true",
	"confirm": "false", "enabled": "false", "execute": "false", "run": "false", "apply": "false",
	"condition": "", "onlyif": "", "when": "", "if": "",
}

// comes are the values of a status by which a call is still to be done: all but the last two of a field beside its arguments, all
// of one among them, where it is the status of what the call makes.
var comes = []string{"ready", "new", "in_progress", "in progress", "active", "approved", "confirmed", "final", "pending", "todo"}

// putsOff reports whether an argument says that its call is not to be done now, where none of some statuses does.
func putsOff(name string, value json.RawMessage, comes []string) bool {
	text := strings.ToLower(strings.TrimSpace(unquoted(value[:min(len(value), namesIn)])))
	if putOff[name] == "" {
		if _, known := putOff[name]; known {
			return !void(value)
		}
	}
	return pends(name, text) || (name == "status" || name == "state") && !void(value) && !lists.Has(comes, text)
}

// void reports whether a value says nothing.
//
//go:noinline
func void(value json.RawMessage) bool {
	return lists.Has([]string{"null", `""`, "[]", "{}", "false", "0", `"false"`}, string(value))
}

// folders are names of arguments, folded, that say where a command is to run.
var folders = []string{"cwd", "workdir", "workingdirectory", "workingdir", "currentworkingdirectory", "directory", "dir", "folder", "path"}

// extras reads the arguments that are none of the tool's: into what the call says otherwise, as ignored, or as a problem.
func (c *given) extras(rest []field, spec nebula.ToolSpec, tools []nebula.ToolSpec) {
	for _, f := range rest {
		point, breaking := f.point(&c.points)
		c.late = c.late || breaking
		_, flag := putOff[f.folded]
		kind := lists.Has(kindNames, f.folded) && (lists.Has(kindWords, fold(unquoted(f.value))) || same(unquoted(f.value), spec, tools))
		switch {
		case putsOff(f.folded, f.value, comes):
			c.late = true
		case lists.Has(dependsKeys, f.key):
			c.needs = Strings(f.value)
		case void(f.value), point, flag, kind, containsAny(f.folded, leaveStems) && lists.Has(grantWords, fold(unquoted(f.value))), lists.Has(harmless, f.folded), lists.Has(reasons, f.folded),
			f.folded == "status", f.folded == "state":
		case spec.Effect == nebula.Execute && lists.Has(folders, f.folded) && c.within(unquoted(f.value), spec):
		case !spec.Effect.Changes():
			c.ignored = append(c.ignored, Clip(f.key, 40))
		case c.problem == "":
			c.problem = foreign(f.key, spec, tools)
		}
	}
}

// same reports whether a name is one of the tool.
func same(name string, spec nebula.ToolSpec, tools []nebula.ToolSpec) bool {
	t, ok := Find(name, tools)
	return ok && t.Name == spec.Name
}

// foreign is the problem of an argument that a tool does not have, with the form that a part of a file is changed in.
func foreign(name string, spec nebula.ToolSpec, tools []nebula.ToolSpec) string {
	text := fmt.Sprintf("%s takes no %q, and without it it would do something else, so it was not done. Arguments: %s.", spec.Name, Clip(name, 40), Signature(spec))
	switch spec.Effect {
	case nebula.Execute:
		text += " A command runs in the project's folder; what else it needs belongs into it."
	case nebula.Write:
		for _, t := range tools {
			if t.Effect == nebula.Write && slices.ContainsFunc(t.Params, func(p nebula.Param) bool { return len(ItemFields(p)) > 1 }) {
				text += fmt.Sprintf(" A part of a file is changed, taken out or added to by %s: %s.", t.Name, Signature(t))
			}
		}
	}
	return text
}

// within puts the folder that a command is to run in into the command, where everybody sees it. It must be one of the
// project.
func (c *given) within(folder string, spec nebula.ToolSpec) bool {
	folder = path.Clean(folder)
	if folder == "." {
		return true
	}
	if !filepath.IsLocal(folder) || strings.HasPrefix(folder, "-") || strings.HasPrefix(folder, "~") || strings.ContainsAny(folder, "'\n\x00") {
		return false
	}
	fields, err := objectFields(c.args)
	if err != nil {
		return false
	}
	var out bytes.Buffer
	done := false
	for _, f := range fields {
		if isPayload(f.key, spec) && !done {
			f.value, done = Quote(inside(folder, unquoted(f.value))), true
		}
		appendField(&out, f.key, f.value)
	}
	if done {
		c.args = append(out.Bytes(), '}')
	}
	return done
}

// inside is a command line that runs in a folder, and nowhere where it cannot be entered.
func inside(folder, command string) string {
	if strings.ContainsFunc(folder, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-", r)
	}) {
		folder = "'" + folder + "'"
	}
	if strings.ContainsAny(strings.ReplaceAll(command, "&&", ""), ";&\n") || strings.Contains(command, "||") {
		return "cd " + folder + " || exit 1\n" + command
	}
	return "cd " + folder + " && " + command
}
