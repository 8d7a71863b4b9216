package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/config"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/prompt"
	"nebula/internal/protocol/dml"
	"nebula/internal/state"
)

// unbounded stands for retries without a limit; the agent takes 0 for its default.
const unbounded = state.Unbounded

// tune puts the settings of the state machine, the gate and the prompts into a session's setup.
func (s *session) tune(setup *agent.Setup) (err error) {
	c := s.config
	if setup.Table, err = transitions(c); err != nil {
		return err
	}
	setup.Limits = agent.Limits{Steps: c.Limits.Steps, Tokens: c.Limits.Tokens, New: c.Limits.New, Cost: c.Limits.Cost, Time: c.Limits.Time, Actions: c.Limits.Actions}
	setup.Protection = protection(c.Protection)
	setup.Own = []string{c.Home.Settings, c.Home.Record, c.Home.State}
	setup.Retries = c.Limits.Retries
	if setup.Retries == 0 {
		setup.Retries = unbounded
	}
	v := c.Vitals
	setup.Thresholds = state.Thresholds{Confidence: v.Confidence, Mood: v.Mood, Focus: v.Focus, Stamina: v.Stamina, Repeats: c.Limits.Repeats}
	b := c.Budget
	setup.Prompt.Limits = prompt.Limits{Base: b.Base, Main: b.Main, Specialized: b.Specialized, Output: b.Output, Summary: b.Summary}
	if setup.Prompt.Texts, err = s.templates(); err != nil {
		return err
	}
	for _, text := range setup.Prompt.Texts {
		if strings.Contains(text, "[S:") {
			setup.Prompt.Fill = filled
		}
	}
	for _, cut := range setup.Prompt.Overlong(s.config.Lang) {
		s.warn("the prompt %s is too long, and is not sent to the model from “%s” on; shorten it, or raise the budget settings", cut.Name, phrase.OneLine(cut.From, 0))
	}
	return nil
}

// filled is a template with the state's values in the places of its macros; one without a value is a dash.
func filled(text, lang string, values map[string]string) string {
	var known []dml.Variable
	for name, value := range values {
		known = append(known, dml.Variable{Name: name, Value: cmp.Or(value, "–")})
	}
	return dml.Fill(text, lang, known)
}

// unsent warns of notes that the model is not shown.
func (s *session) unsent(b *prompt.Builder) {
	if n := b.Forgotten(s.config.Lang); n > 0 {
		s.warn("%s not sent to the model for want of room; shorten them with nebula memory edit, or raise budget.base", many(n, "%d note is", "%d notes are"))
	}
}

//go:noinline
func protection(name string) gate.Protection {
	switch name {
	case "folder":
		return gate.Folder
	case "extensions":
		return gate.Extensions
	case "contents":
		return gate.Contents
	}
	return gate.Full
}

// transitions is the table of the settings: the default one where they say nothing.
func transitions(c config.Config) (state.Table, error) {
	text, source := c.Transitions, c.Home.File()
	switch {
	case text == "":
		return nil, nil
	case !strings.HasPrefix(text, "{"):
		source = text
		if !filepath.IsAbs(source) {
			source = filepath.Join(c.Home.Settings, source)
		}
		data, err := readSmall(source)
		if err != nil {
			return nil, usage("transitions: %s: %v; name a file that is there, or write the object itself", source, cause(err))
		}
		text = string(data)
	}
	table, err := state.ReadTable([]byte(text))
	if err != nil {
		return nil, usage("%s: %v; correct it, or take it out with nebula config set transitions ''", source, err)
	}
	return table, nil
}

// templates are the prompts that stand in the place of nebula's own: prompts/LANG/NAME.md beside the settings, and over
// them those in the project's .nebula. A standing instruction in them, 🦆▶️[I:no_guesswork]◀️🦆, becomes its words; a piece of state,
// 🦆▶️[S:cwd]◀️🦆, its value with each request. What is wrong with the person's own is an error, with the project's a warning.
func (s *session) templates() (prompt.Texts, error) {
	texts := prompt.Texts{}
	if err := readTemplates(filepath.Join(s.config.Home.Settings, "prompts"), texts); err != nil {
		return nil, err
	}
	theirs := prompt.Texts{}
	dir := filepath.Join(filepath.Dir(config.ProjectFile(s.dir)), "prompts")
	if err := readTemplates(dir, theirs); err != nil {
		s.warn("%w", err)
		return texts, nil
	}
	if len(theirs) > 0 {
		s.warn("this project's own prompts are used: %s", strings.Join(slices.Sorted(maps.Keys(theirs)), ", "))
		maps.Copy(texts, theirs)
	}
	return texts, nil
}

// readTemplates adds the templates of a folder, which may not exist.
func readTemplates(dir string, into prompt.Texts) error {
	langs, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usage("%s: %v; make it a folder that you can read, or remove it", dir, cause(err))
	}
	for _, l := range langs {
		if !lists.Has(phrase.Langs(), l.Name()) {
			return usage("%s: no language %q; there are %s", dir, l.Name(), strings.Join(phrase.Langs(), ", "))
		}
		files, err := os.ReadDir(filepath.Join(dir, l.Name()))
		if err != nil {
			return usage("%s: %v; templates stand in folders named %s", filepath.Join(dir, l.Name()), cause(err), strings.Join(phrase.Langs(), ", "))
		}
		for _, f := range files {
			path := filepath.Join(dir, l.Name(), f.Name())
			name, ok := strings.CutSuffix(f.Name(), ".md")
			if !ok || !lists.Has(prompt.Names, name) {
				return usage("%s: no such template; there are %s.md", path, strings.Join(prompt.Names, ".md, "))
			}
			text, err := readSmall(path)
			if err != nil {
				return usage("%s: %v; correct or remove it", path, cause(err))
			}
			if !utf8.Valid(text) || strings.TrimSpace(string(text)) == "" {
				return usage("%s: empty, or not UTF-8 text; correct or remove it", path)
			}
			into[l.Name()+"/"+name] = dml.Fill(string(text), l.Name(), nil)
		}
	}
	return nil
}

// maxTemplate bounds what is read; the token budget bounds what is sent.
const maxTemplate = 64 << 10

// readSmall reads a regular file that is not big.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if info.Size() > maxTemplate {
		return nil, nebula.Errorf("%d bytes is more than the %d that are read", info.Size(), maxTemplate)
	}
	return os.ReadFile(path)
}

// cause strips the operation and the path that a message has already.
//
//go:noinline
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
