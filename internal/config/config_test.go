package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
)

// place is a home and a project folder with settings in them, and an environment.
type place struct {
	home, dir string
	env       map[string]string
}

func newPlace(t *testing.T, user, project string) place {
	t.Helper()
	p := place{t.TempDir(), t.TempDir(), map[string]string{}}
	p.env["NEBULA_HOME"] = p.home
	if user != "" {
		write(t, filepath.Join(p.home, "config.json"), user)
	}
	if project != "" {
		write(t, ProjectFile(p.dir), project)
	}
	return p
}

func (p place) load(flags map[string]string) (Config, error) {
	return Load(Input{Env: func(n string) string { return p.env[n] }, Dir: p.dir, Flags: flags, Terminal: true})
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLaterSourcesWinAndSayWhere(t *testing.T) {
	p := newPlace(t, `{"model":"file-model","lang":"ja","limits":{"steps":7}}`, "")
	p.env["NEBULA_MODEL"], p.env["NEBULA_MAX_STEPS"] = "env-model", "8"
	c, err := p.load(map[string]string{"max-steps": "9", "timeout": "90"})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]Value{
		"model":        {Text: "env-model", Source: "env NEBULA_MODEL"},
		"lang":         {Text: "ja", Source: c.Home.File()},
		"limits.steps": {Text: "9", Source: "--max-steps"},
		"limits.time":  {Text: "1m30s", Source: "--timeout"},
		"protocol":     {Text: "auto", Source: "default"},
		"approve":      {Text: "ask", Source: "default"},
	} {
		want.Key = key
		if got, _ := c.Value(key); got != want {
			t.Errorf("%s: got %+v, want %+v", key, got, want)
		}
	}
	if c.Model != "env-model" || c.Limits.Steps != 9 || c.Limits.Time != 90*time.Second || c.Mode != nebula.AgentMode {
		t.Errorf("fields differ from values: %+v", c)
	}
}

func TestApproveIsNoneWithoutATerminal(t *testing.T) {
	c, err := Load(Input{Env: func(n string) string { return map[string]string{"NEBULA_HOME": t.TempDir()}[n] }})
	if err != nil || c.Approve != "none" {
		t.Fatalf("approve %q, %v", c.Approve, err)
	}
}

func TestProjectOnlyTightens(t *testing.T) {
	cases := []struct {
		name, user, project, key, want, warning string
	}{
		{"approve stricter", `{"approve":"all"}`, `{"approve":"edits"}`, "approve", "edits", ""},
		{"approve looser", `{"approve":"ask"}`, `{"approve":"all"}`, "approve", "ask", "may not loosen"},
		{"mode plan", `{}`, `{"mode":"plan"}`, "mode", "plan", ""},
		{"mode agent", `{"mode":"plan"}`, `{"mode":"agent"}`, "mode", "plan", "may not loosen"},
		{"limit lower", `{"limits":{"cost":2}}`, `{"limits":{"cost":0.5}}`, "limits.cost", "0.5", ""},
		{"limit where none was", `{}`, `{"limits":{"time":"5m"}}`, "limits.time", "5m0s", ""},
		{"limit lifted", `{"limits":{"cost":2}}`, `{"limits":{"cost":0}}`, "limits.cost", "2", "may not loosen"},
		{"limit higher", `{"limits":{"steps":2}}`, `{"limits":{"steps":3}}`, "limits.steps", "2", "may not loosen"},
		{"protection lowered", `{}`, `{"protection":"folder"}`, "protection", "full", "may not loosen"},
		{"protection raised", `{"protection":"folder"}`, `{"protection":"contents"}`, "protection", "contents", ""},
		{"protection that is none", `{}`, `{"protection":"none"}`, "protection", "full", "is no value of protection"},
		{"a limit that is none", `{}`, `{"limits":{"cost":"much"}}`, "limits.cost", "5", "is no value of limits.cost"},
		{"a mark raised", `{}`, `{"vitals":{"confidence":0.8}}`, "vitals.confidence", "0.8", ""},
		{"a mark lowered", `{}`, `{"vitals":{"mood":0.1}}`, "vitals.mood", "0.4", "may not loosen"},
		{"a plan's budget lower", `{}`, `{"plan":{"step_time":"5m"}}`, "plan.step_time", "5m0s", ""},
		{"a plan's budget lifted", `{"plan":{"step_cost":1}}`, `{"plan":{"step_cost":0}}`, "plan.step_cost", "1", "may not loosen"},
		{"more side by side", `{}`, `{"plan":{"parallel":9}}`, "plan.parallel", "3", "may not loosen"},
		{"more repeats", `{}`, `{"limits":{"repeats":0}}`, "limits.repeats", "6", "may not loosen"},
		{"transitions", `{}`, `{"transitions":{"DONE":["PLANNING"]}}`, "transitions", "", "refused"},
		{"budget", `{}`, `{"budget":{"base":1}}`, "budget.base", "500", "refused"},
		{"model", `{"model":"mine"}`, `{"model":"theirs"}`, "model", "mine", "model is refused"},
		{"address", `{}`, `{"providers":{"openai":{"base_url":"http://evil.example/v1"}}}`, "providers.openai.base_url", "", "refused"},
		{"key", `{}`, `{"providers":{"openai":{"key":"sk-theirs"}}}`, "providers.openai.key", "", "refused"},
		{"key_env", `{}`, `{"providers":{"openai":{"key_env":"AWS_SECRET"}}}`, "providers.openai.key_env", "", "refused"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := newPlace(t, c.user, c.project).load(nil)
			if err != nil {
				t.Fatal(err)
			}
			v, _ := got.Value(c.key)
			if v.Text != c.want {
				t.Errorf("%s is %q, want %q", c.key, v.Text, c.want)
			}
			all := ""
			for _, w := range got.Warnings {
				all += w.String() + "\n"
			}
			if (c.warning == "") != (all == "") || !strings.Contains(all, c.warning) {
				t.Errorf("warnings %q, want %q", all, c.warning)
			}
		})
	}
}

func TestProjectGoesOverTheEnvironmentAndUnderAFlag(t *testing.T) {
	p := newPlace(t, "", `{"approve":"ask"}`)
	p.env["NEBULA_APPROVE"] = "all"
	if c, err := p.load(nil); err != nil || c.Approve != "ask" {
		t.Errorf("approve %q, %v", c.Approve, err)
	}
	if c, err := p.load(map[string]string{"approve": "all"}); err != nil || c.Approve != "all" {
		t.Errorf("with the flag: approve %q, %v", c.Approve, err)
	}
}

func TestBrokenFileIsOneLineWithPlaceAndNextStep(t *testing.T) {
	cases := []struct{ text, want string }{
		{"{\n  \"model\": \"x\",\n  lang: 1\n}", ":3:3: "},
		{"{\n  \"model\": \"x\"", "the JSON ends too early"},
		{"[1]", "not a JSON object"},
		{`{"model":"あ",}`, ":1:14: "},
	}
	for _, c := range cases {
		p := newPlace(t, c.text, "")
		_, err := p.load(nil)
		var parse *ParseError
		if !errors.As(err, &parse) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
		if err := (Home{Settings: p.home}).Set("model", "y"); !errors.As(err, &parse) {
			t.Errorf("set wrote over a broken file: %v", err)
		}
		if data, _ := os.ReadFile(filepath.Join(p.home, "config.json")); string(data) != c.text {
			t.Errorf("the broken file changed: %q", data)
		}
	}
}

func TestWrongValuesNameFileKeyAndChoices(t *testing.T) {
	cases := []struct{ user, want string }{
		{`{"approve":"edit"}`, `approve: cannot be "edit"; did you mean edits?`},
		{`{"approve":"zzzzzz"}`, `use ask, edits, all or none`},
		{`{"limits":{"steps":"5"}}`, `limits.steps: cannot be "5"`},
		{`{"limits":{"steps":-1}}`, `limits.steps`},
		{`{"limits":{"time":"soon"}}`, `90s, 10m or 1h30m`},
		{`{"model":5}`, `model: cannot be "5"`},
		{`{"providers":{"x":{"base_url":"localhost:1"}}}`, `providers.x.base_url`},
		{`{"providers":{"x":{"base_url":"http://u:p@h/v1"}}}`, `holds a user or password`},
		{`{"providers":{"x":{"key":true}}}`, `providers.x.key: cannot be "…"`},
		{`{"models":{"gpt-4.1":{"native":"yes"}}}`, `models.gpt-4.1.native`},
		{`{"vitals":{"focus":1.5}}`, `vitals.focus: cannot be "1.5"; use a number from 0 to 1`},
		{`{"protection":"none"}`, `use folder, extensions, contents or full`},
		{`{"budget":{"main":"many"}}`, `budget.main`},
		{`{"transitions":["PLANNING"]}`, `transitions`},
	}
	for _, c := range cases {
		_, err := newPlace(t, c.user, "").load(nil)
		var v *ValueError
		if !errors.As(err, &v) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "config.json") {
			t.Errorf("%s: %v, want %q", c.user, err, c.want)
		}
	}
}

func TestUnknownKeysAreNamedAndKept(t *testing.T) {
	text := `{"modle":"x","zeta":{"a":[1,2]},"model":"m"}`
	p := newPlace(t, text, "")
	c, err := p.load(nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Warnings) != 2 || !strings.Contains(c.Warnings[0].String(), "did you mean model?") {
		t.Errorf("warnings %q", c.Warnings)
	}
	if err := c.Home.Set("model", "n"); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(c.Home.File())
	want := "{\n  \"modle\": \"x\",\n  \"zeta\": {\n    \"a\": [\n      1,\n      2\n    ]\n  },\n  \"model\": \"n\"\n}\n"
	if string(data) != want {
		t.Errorf("got %s, want %s", data, want)
	}
}

func TestSetReadsBack(t *testing.T) {
	p := newPlace(t, "", "")
	h := Home{Settings: filepath.Join(p.home, "new")}
	p.env["NEBULA_HOME"] = h.Settings
	for _, kv := range [][2]string{
		{"model", "llama3.1:8b"}, {"limits.cost", "1.5"}, {"limits.time", "10m"}, {"limits.steps", "12"},
		{"providers.my.box.base_url", "http://127.0.0.1:8080/v1/"}, {"providers.my.box.key", "sk-<&>"},
		{"providers.my.box.models", "a, b"}, {"models.gpt-4.1-nano.window", "1000"}, {"models.gpt-4.1-nano.native", "true"},
	} {
		if err := h.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	c, err := p.load(nil)
	if err != nil {
		t.Fatal(err)
	}
	box := c.PlugIn("my.box")
	if c.Model != "llama3.1:8b" || c.Limits != (Limits{Steps: 12, New: 1_000_000, Cost: 1.5, Time: 10 * time.Minute, Repeats: 6, Retries: 5,
		Reply: 2 << 20, Arguments: 1 << 20, Calls: 256, Actions: 256}) || box.BaseURL != "http://127.0.0.1:8080/v1" ||
		box.Key.Reveal() != "sk-<&>" || len(box.Models) != 2 {
		t.Errorf("read back: %+v %+v", c, box)
	}
	if got := c.Apply(nebula.ModelInfo{Name: "gpt-4.1-nano", Window: 5}); got.Window != 1000 || !got.Native {
		t.Errorf("model figures: %+v", got)
	}
	for path, want := range map[string]os.FileMode{h.Settings: 0o700, h.File(): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, want %v", path, info.Mode().Perm(), want)
		}
	}
	if err := h.Set("providers.my.box.key", ""); err != nil {
		t.Fatal(err)
	}
	if c, _ = p.load(nil); c.PlugIn("my.box").Key.Set() {
		t.Error("the key is still there")
	}
	if left, _ := filepath.Glob(filepath.Join(h.Settings, ".config-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSetRefusesWhatLoadWould(t *testing.T) {
	h := Home{Settings: t.TempDir()}
	for key, text := range map[string]string{"approve": "maybe", "limits.steps": "x", "modell": "x", "providers.x.url": "http://a/v1", "limits": "3", "models..window": "3"} {
		var v *ValueError
		if err := h.Set(key, text); !errors.As(err, &v) {
			t.Errorf("%s: %v", key, err)
		}
	}
	if _, err := os.Stat(h.File()); !os.IsNotExist(err) {
		t.Errorf("a file was made: %v", err)
	}
}

func TestSetThroughALinkKeepsTheLink(t *testing.T) {
	h := Home{Settings: t.TempDir()}
	real := filepath.Join(t.TempDir(), "dotfiles.json")
	write(t, real, `{"lang":"ja"}`)
	if err := os.Symlink(real, h.File()); err != nil {
		t.Skip(err)
	}
	if err := h.Set("model", "m"); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(real); !strings.Contains(string(data), `"model": "m"`) || !strings.Contains(string(data), "ja") {
		t.Errorf("got %s", data)
	}
}

func TestSecretNeverPrints(t *testing.T) {
	const key = "sk-very-secret"
	s := NewSecret(key)
	p := Provider{Name: "x", Key: s}
	texts := []string{
		fmt.Sprint(s), fmt.Sprintf("%v %+v %#v %s %q %x %d", s, s, s, s, s, s, s),
		fmt.Sprintf("%v %+v %#v %x", p, p, p, p.Key), fmt.Sprintf("%+v", &p), fmt.Sprintf("%v", []any{s, p, map[string]Secret{"k": s}}),
	}
	b, err := json.Marshal(map[string]any{"s": s, "p": p})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(texts, string(b)) {
		if strings.Contains(text, key) || strings.Contains(text, fmt.Sprintf("%x", key)) {
			t.Errorf("the key is in %q", text)
		}
	}
	if s.Reveal() != key {
		t.Error("the key is lost")
	}
}

func TestKeysComeFromTheEnvironmentFirstAndAreNeverShown(t *testing.T) {
	p := newPlace(t, `{"providers":{"openai":{"key":"sk-file"},"box":{"key_env":"BOX"}}}`, "")
	p.env["BOX"] = "sk-box"
	c, err := p.load(nil)
	if err != nil {
		t.Fatal(err)
	}
	if key, from := c.Credential("openai", "OPENAI_API_KEY"); key.Reveal() != "sk-file" || from != c.Home.File() {
		t.Errorf("got it from %s", from)
	}
	p.env["OPENAI_API_KEY"] = "sk-env"
	if key, from := c.Credential("openai", "OPENAI_API_KEY"); key.Reveal() != "sk-env" || from != "env OPENAI_API_KEY" {
		t.Errorf("got it from %s", from)
	}
	if key, from := c.Credential("box", "OPENAI_API_KEY"); key.Reveal() != "sk-box" || from != "env BOX" {
		t.Errorf("got it from %s", from)
	}
	if strings.Contains(fmt.Sprintf("%+v", c.Values()), "sk-") || strings.Contains(fmt.Sprintf("%+v %#v", c, c.Providers), "sk-") {
		t.Error("a key is shown")
	}
}

func TestWideFileWithKeyIsReported(t *testing.T) {
	p := newPlace(t, `{"providers":{"openai":{"key":"sk-file"}}}`, "")
	if err := os.Chmod(filepath.Join(p.home, "config.json"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c, err := p.load(nil); err != nil || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0].String(), "chmod 600") {
		t.Errorf("%q %v", c.Warnings, err)
	}
}

func TestHomeIsFoundInOrder(t *testing.T) {
	user, xdg := t.TempDir(), t.TempDir()
	env := map[string]string{"HOME": user}
	find := func() Home {
		h, err := FindHome(func(n string) string { return env[n] })
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	own := filepath.Join(user, ".nebula")
	if h := find(); h.Settings != own || h.Record != own {
		t.Errorf("%+v", h)
	}
	env["XDG_CONFIG_HOME"], env["XDG_DATA_HOME"] = xdg, "relative"
	if h := find(); h.Settings != filepath.Join(xdg, "nebula") || h.Record != own {
		t.Errorf("XDG: %+v", h)
	}
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if h := find(); h.Settings != own {
		t.Errorf("an existing ~/.nebula: %+v", h)
	}
	env["NEBULA_HOME"] = filepath.Join(xdg, "own")
	if h := find(); h.Settings != env["NEBULA_HOME"] || h.Record != h.Settings {
		t.Errorf("NEBULA_HOME: %+v", h)
	}
	if _, err := FindHome(func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "NEBULA_HOME") {
		t.Errorf("no home: %v", err)
	}
}

func TestUnreadableFileIsAFileError(t *testing.T) {
	p := newPlace(t, "", "")
	if err := os.Mkdir(filepath.Join(p.home, "config.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	var f *FileError
	if _, err := p.load(nil); !errors.As(err, &f) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"sessions", "mode", "model", "models", "config", "run", "undo"}
	for word, want := range map[string]string{"session": "sessions", "modles": "models", "rnu": "run", "xyzzy": "", "conf": "config", "undoo": "undo", "modle": "model", "modl": "model"} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

func FuzzSettingsFile(f *testing.F) {
	for _, s := range []string{`{"model":"x"}`, `{"providers":{"a.b":{"key":"k","models":["x"]}},"limits":{"time":90}}`, `{"limits":5}`, `{"a":{"":null}}`, "{", `{"model":null}`, "\xef\xbb\xbf{}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := &layers{found: map[string]found{}, sections: map[string]json.RawMessage{}}
		if err := l.file("f", []byte(text)); err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Errorf("not one clean line: %q", err)
			}
			return
		}
		doc, _ := parseDocument("f", []byte(text))
		again, err := parseDocument("f", doc.text())
		if err != nil || len(again) != len(doc) {
			t.Errorf("does not survive writing: %v", err)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	home := b.TempDir()
	if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(`{"model":"m","providers":{"box":{"base_url":"http://127.0.0.1:1/v1","models":["a","b"]}},"limits":{"steps":5}}`), 0o600); err != nil {
		b.Fatal(err)
	}
	in := Input{Env: func(n string) string { return map[string]string{"NEBULA_HOME": home}[n] }, Dir: home}
	for b.Loop() {
		if _, err := Load(in); err != nil {
			b.Fatal(err)
		}
	}
}

func TestEveryLimitIsOnUnlessItIsTakenOff(t *testing.T) {
	c, err := newPlace(t, "", "").load(nil)
	if err != nil {
		t.Fatal(err)
	}
	if l := c.Limits; l.New == 0 || l.Cost == 0 || l.Time == 0 || l.Repeats == 0 || l.Retries == 0 {
		t.Errorf("limits %+v", l)
	}
	if c.Protection != "full" || c.Vitals != (Vitals{0.5, 0.4, 0.45, 0.1}) || c.Budget != (Budget{500, 800, 1200, 0, 0, 1000, 1200, 600, 2000}) {
		t.Errorf("%s %+v %+v", c.Protection, c.Vitals, c.Budget)
	}
	c, err = newPlace(t, `{"limits":{"cost":0,"time":0}}`, "").load(nil)
	if err != nil || c.Limits.Cost != 0 || c.Limits.Time != 0 {
		t.Errorf("taken off: %+v, %v", c.Limits, err)
	}
}

func TestTransitionsAreAnObjectOrAPath(t *testing.T) {
	for text, want := range map[string]string{
		`{"transitions": {"REVIEW": ["DONE"]}}`: `{"REVIEW":["DONE"]}`,
		`{"transitions": "steps.json"}`:         "steps.json",
	} {
		if c, err := newPlace(t, text, "").load(nil); err != nil || c.Transitions != want {
			t.Errorf("%s: %q, %v", text, c.Transitions, err)
		}
	}
	p := newPlace(t, "", "")
	h := Home{Settings: p.home}
	if err := h.Set("transitions", ` { "DONE" : ["PLANNING"] } `); err != nil {
		t.Fatal(err)
	}
	if c, err := p.load(nil); err != nil || c.Transitions != `{"DONE":["PLANNING"]}` {
		t.Errorf("%q, %v", c.Transitions, err)
	}
	if err := h.Set("transitions", `{"DONE":`); err == nil {
		t.Error("half an object was written")
	}
}

func TestLanguageIsKnownWhereSettingsCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		env  map[string]string
		flag string
		want string
	}{
		"nothing said":        {want: "en"},
		"the system's":        {env: map[string]string{"LANG": "ja_JP.UTF-8"}, want: "ja"},
		"LC_ALL before LANG":  {env: map[string]string{"LC_ALL": "C", "LANG": "ja_JP.UTF-8"}, want: "en"},
		"the file's":          {file: `{"lang":"en"}`, env: map[string]string{"LANG": "ja_JP.UTF-8"}, want: "en"},
		"a value beside it":   {file: `{"lang":"ja","approve":"everything"}`, want: "ja"},
		"a broken file":       {file: `{"lang":`, env: map[string]string{"LANG": "ja_JP.UTF-8"}, want: "ja"},
		"another type":        {file: `{"lang":7}`, want: "en"},
		"the variable":        {file: `{"lang":"en"}`, env: map[string]string{"NEBULA_LANG": "ja"}, want: "ja"},
		"the flag":            {env: map[string]string{"NEBULA_LANG": "ja"}, flag: "en", want: "en"},
		"a flag that is none": {env: map[string]string{"NEBULA_LANG": "ja"}, flag: "fr", want: "ja"},
	} {
		p := newPlace(t, c.file, "")
		for k, v := range c.env {
			p.env[k] = v
		}
		if got := Lang(func(name string) string { return p.env[name] }, c.flag); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

func TestSectionsOfOtherPartsAreKeptAndNotTakenFromProjects(t *testing.T) {
	p := newPlace(t, `{"mcp":{"files":{"command":"x"}},"model":"m"}`, `{"mcp":{"evil":{"command":"y"}}}`)
	c, err := p.load(nil)
	if err != nil || string(c.Section("mcp")) != `{"files":{"command":"x"}}` || c.Section("hooks") != nil {
		t.Fatalf("%s, %v", c.Section("mcp"), err)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0].String(), "mcp is refused") {
		t.Errorf("%v", c.Warnings)
	}
	if err := c.Home.SetSection("mcp", json.RawMessage(`{"other":{}}`)); err != nil {
		t.Fatal(err)
	}
	if c, err = p.load(nil); err != nil || c.Model != "m" || string(c.Section("mcp")) == "" || strings.Contains(string(c.Section("mcp")), "files") {
		t.Errorf("%q %s, %v", c.Model, c.Section("mcp"), err)
	}
}

// A list is read in a file as it is given to nebula config set, too.
func TestAListMayBeWrittenAsText(t *testing.T) {
	for _, text := range []string{`["x/a","y"]`, `"x/a, y"`} {
		if c, err := newPlace(t, `{"fallback":{"main":`+text+`}}`, "").load(nil); err != nil || strings.Join(c.Fallback.Main, " ") != "x/a y" {
			t.Errorf("%s: %q, %v", text, c.Fallback.Main, err)
		}
	}
}
