package prompt

import (
	"fmt"

	"nebula"
	"nebula/internal/state"
)

// filesNamed bounds how many files' short names a request lists; older ones go on to hold.
const filesNamed = 12

// around is what a protocol with words of its own says of the files, the step and the state; empty for others.
func (b *Builder) around(in Input) string {
	d, ok := in.Protocol.(nebula.Describer)
	if !ok {
		return ""
	}
	s := in.State
	now := nebula.Surroundings{Lang: language(s.Lang), Files: named(s), LastError: lastError(s), Step: s.Machine.Step}
	if s.Told() {
		now.TaskPlan = s.Items.PlanBrief
	}
	return d.Describe(now)
}

func named(s *state.State) []nebula.NamedFile {
	var list []nebula.NamedFile
	for _, f := range last(s.Aliases.Files(), filesNamed) {
		list = append(list, nebula.NamedFile{Name: s.Aliases.Name(f), Path: f})
	}
	return list
}

// files are the short names for protocols that have no words for them.
func files(s *state.State) part {
	p := part{name: "files", label: "Files' short names, for paths in arguments"}
	for _, f := range named(s) {
		p.lines = append(p.lines, fmt.Sprintf("{{F:%s}} = %s", f.Name, f.Path))
	}
	return p
}

// lastError is the turn's last failure, once the work has gone on from it.
//
//go:noinline
func lastError(s *state.State) string {
	lines := s.Turn.Lines
	for i := len(lines) - 1; i >= 0; i-- {
		if l := lines[i]; l.Status == nebula.Failed && i < len(lines)-1 {
			return l.Tool + ": " + l.Summary
		}
	}
	return ""
}
