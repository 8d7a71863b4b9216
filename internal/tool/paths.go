package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/workspace"
)

// A located tool takes a path, as models write paths: in quotes, behind a label, with other slashes. One that is not
// there as it stands, and is one without its dress for certain, is read so, and the model is told.
type located struct {
	nebula.Tool
	dir   *workspace.Dir
	param string
}

// locate gives the tools that take a path the means to read one.
func locate(d *workspace.Dir, tools []nebula.Tool) {
	for i, t := range tools {
		for _, p := range t.Spec().Params {
			if p.Name == "path" || p.Name == "directory" {
				tools[i] = &located{t, d, p.Name}
			}
		}
	}
}

// Spots implements [nebula.Spotter] as the tool does.
func (t *located) Spots(text string, known []string) (nebula.Spotted, bool) {
	if s, ok := t.Tool.(nebula.Spotter); ok {
		return s.Spots(text, known)
	}
	return nebula.Spotted{}, false
}

// Propose implements nebula.Tool.
func (t *located) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	p, at, err := t.propose(ctx, a, v)
	if err == nil {
		t.named(&p, at)
	}
	return p, err
}

// leads stands between a path and where it leads, for the person.
const leads = " → "

// led is a path with where it leads.
func led(named, real string) string {
	if named == real {
		return real
	}
	return named + leads + real
}

// named adds to what was asked for in another name how it was called, and to a further name of a file with secrets that file's.
func (t *located) named(p *nebula.Proposal, at string) {
	for i, target := range p.Targets {
		if kin := t.dir.Kin(target.Path); kin != "" {
			p.Targets[i].Named = kin
		}
	}
	clean, err := t.dir.Clean(at)
	if err != nil {
		return
	}
	for _, follow := range []bool{false, true} {
		real, err := t.dir.Real(clean, follow)
		if err != nil || real == clean {
			continue
		}
		for i, target := range p.Targets {
			if target.Path == real && t.dir.Kin(real) == "" {
				p.Targets[i].Named = clean
			}
		}
	}
}

// propose also gives the path as it was read.
func (t *located) propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, string, error) {
	given := map[string]json.RawMessage{}
	at := ""
	if json.Unmarshal(a.Args, &given) != nil || json.Unmarshal(given[t.param], &at) != nil || at == "" || t.stands(at) {
		p, err := t.Tool.Propose(ctx, a, v)
		return p, at, err
	}
	plain := barePath(at)
	if name, ok := strings.CutPrefix(plain, "@"); ok && (!strings.Contains(name, "/") || t.stands(name)) {
		plain = name // as a file is mentioned
	}
	if placeholderPath.In(plain) {
		return nebula.Proposal{}, "", mistakef("Give the real path, relative to the folder; list shows what is there.", "%q only stands for a path.", at)
	}
	if err := t.passage(plain); err != nil {
		return nebula.Proposal{}, "", err
	}
	if plain == at || plain == "" {
		p, err := t.Tool.Propose(ctx, a, v)
		return p, at, err
	}
	raw, err := json.Marshal(plain)
	if err != nil {
		return nebula.Proposal{}, "", err
	}
	given[t.param] = raw
	if a.Args, err = json.Marshal(given); err != nil {
		return nebula.Proposal{}, "", err
	}
	p, err := t.Tool.Propose(ctx, a, v)
	if do := p.Do; err == nil && do != nil {
		p.Do = func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
			out, err := do(ctx, r)
			if out.Text != "" {
				out.Text = fmt.Sprintf("The path %q was read as %q.\n", at, plain) + out.Text
			}
			return out, err
		}
	}
	return p, plain, err
}

// passage is the mistake of whoever would change or delete lines of a file by naming them in its path.
func (t *located) passage(at string) error {
	spec := t.Spec()
	name, _, _, ok := splitRange(at)
	if spec.Effect != nebula.Write || !ok || t.stands(at) || !t.stands(name) {
		return nil
	}
	hint := rightForms
	for _, p := range spec.Params {
		if p.Type == "array" {
			hint = editsForm
		}
	}
	return nebula.Wrong("", "%q names lines of %q, and no path does.", at, name).Then("Give the path %s alone. Which lines are meant is told by their text. %s", inQuotes(name), nebula.Words{Format: hint})
}

// stands reports whether something has exactly this path.
func (t *located) stands(at string) bool {
	clean, err := t.dir.Clean(at)
	if err != nil {
		return false
	}
	_, err = t.dir.Stat(clean)
	return err == nil
}

var (
	placeholderPath = &lazy.Pattern{X: `(?i)^(?:<[^<>]*>|\{[^{}]*\}|(?-i:PATH|FILE|FILE_?PATH|FILE_?NAME|PATH_TO_FILE)|(?:\./|/)?path/to(?:/.*)?|(?:\./)?your[-_](?:file|path)[\w.-]*|file_?name\.ext)$`}
	labelled        = &lazy.Pattern{X: `(?i)^(?:path|file|file_?path|file_?name|パス|ファイル(?:名)?)\s*[:：=]\s*(\S.*)$`}
)

// pathQuotes are what models put around a path.
var pathQuotes = [][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"「", "」"}, {"**", "**"}}

// barePath is a path without what models put around it, or as it was given.
func barePath(at string) string {
	p := strings.TrimSpace(at)
	if m := labelled.For(p).FindStringSubmatch(p); m != nil {
		p = m[1]
	}
	for _, q := range pathQuotes {
		if inside, ok := strings.CutPrefix(p, q[0]); ok && strings.HasSuffix(inside, q[1]) && !strings.Contains(strings.TrimSuffix(inside, q[1]), q[1]) {
			p = strings.TrimSpace(strings.TrimSuffix(inside, q[1]))
		}
	}
	if filepath.Separator == '/' && strings.Contains(p, `\`) && !strings.ContainsAny(p, "/ *?") {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	return narrowPath(p)
}

// narrowPath is a path that was written wholly in wide characters, in those of an English keyboard. One that has others
// beside them is a name that is meant.
func narrowPath(p string) string {
	narrow := func(r rune) rune {
		if r >= '！' && r <= '～' {
			return r - '！' + '!'
		}
		return -1
	}
	if thin := strings.Map(narrow, p); len([]rune(thin)) == len([]rune(p)) {
		return thin
	}
	return p
}
