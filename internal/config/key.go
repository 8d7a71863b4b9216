package config

import (
	"bytes"
	"encoding/json"
	"iter"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/language"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A Kind is what a setting's value may be.
type Kind string

// The kinds.
const (
	Text     Kind = "text"
	Choice   Kind = "one of"
	Count    Kind = "whole number"
	Amount   Kind = "number"
	Duration Kind = "duration"
	Switch   Kind = "true or false"
	List     Kind = "list"
	Address  Kind = "URL"
	Key      Kind = "secret"
	Share    Kind = "number from 0 to 1"
	Table    Kind = "object or a file's path"
	File     Kind = "file's whole path"
)

// A Setting is one thing that can be set. A * in its name stands for a provider's or a model's name.
type Setting struct {
	Name    string
	Kind    Kind
	Choices []string
	Env     string // the environment variable that sets it
	Flag    string // the flag that sets it
	Default string
	Help    string
}

// settings is the table of everything that can be set. Names with * come last.
var settings = []Setting{
	{Name: "model", Kind: Text, Env: "NEBULA_MODEL", Flag: "model", Default: "gpt-4.1-nano", Help: "the model to start with"},
	{Name: "complex_model", Kind: Text, Env: "NEBULA_COMPLEX_MODEL", Default: "gpt-4.1-mini", Help: "the model that plans, and takes over a step of a plan whose check failed twice"},
	{Name: "provider", Kind: Text, Env: "NEBULA_PROVIDER", Help: "the provider of models whose name does not tell"},
	{Name: "effort", Kind: Choice, Env: "NEBULA_EFFORT", Flag: "effort", Choices: efforts(), Help: "how much models think before they answer; each by itself when not set"},
	{Name: "protocol", Kind: Choice, Env: "NEBULA_PROTOCOL", Flag: "protocol", Default: language.Auto, Choices: language.Choices(), Help: "the language in which the model acts"},
	{Name: "approve", Kind: Choice, Env: "NEBULA_APPROVE", Flag: "approve", Choices: gate.Choices(), Help: "what runs without asking"},
	{Name: "mode", Kind: Choice, Env: "NEBULA_MODE", Flag: "mode", Default: "agent", Choices: []string{"plan", "agent"}, Help: "plan only reads, agent also acts"},
	{Name: "aliases", Kind: Switch, Env: "NEBULA_ALIASES", Default: "false", Help: "offer files' short names to models in every protocol; DML always has them"},
	{Name: "examples", Kind: Switch, Env: "NEBULA_EXAMPLES", Default: "true", Help: "teach the languages that are text with their example; without it requests are shorter"},
	{Name: "lang", Kind: Choice, Env: "NEBULA_LANG", Flag: "lang", Default: "en", Choices: phrase.Langs(), Help: "the language nebula speaks"},
	{Name: "theme", Kind: Choice, Env: "NEBULA_THEME", Default: "auto", Choices: []string{"auto", "dark", "light", "plain"}, Help: "the colours of the terminal"},
	{Name: "keys", Kind: Choice, Env: "NEBULA_KEYS", Default: "usual", Choices: []string{"usual", "vi"}, Help: "how text is edited; with vi, esc leads to where letters are commands"},
	{Name: "ambiguous", Kind: Choice, Env: "NEBULA_AMBIGUOUS", Default: "auto", Choices: []string{"auto", "narrow", "wide"}, Help: "columns of characters like ※ and ①; auto asks the terminal"},
	{Name: "limits.steps", Kind: Count, Env: "NEBULA_MAX_STEPS", Flag: "max-steps", Default: "0", Help: "replies in a turn; 0 is no limit"},
	{Name: "limits.new", Kind: Count, Default: "1000000", Help: "tokens of a turn that the model has not read before, as nebula counts them; 0 is no limit"},
	{Name: "limits.tokens", Kind: Count, Env: "NEBULA_MAX_TOKENS", Flag: "max-tokens", Default: "0", Help: "tokens in a turn, read and written; 0 is no limit"},
	{Name: "limits.cost", Kind: Amount, Env: "NEBULA_MAX_COST", Flag: "max-cost", Default: "5", Help: "US dollars in a turn; 0 is no limit"},
	{Name: "limits.time", Kind: Duration, Env: "NEBULA_TIMEOUT", Flag: "timeout", Default: "1h0m0s", Help: "how long a turn may work, questions not counted; 0 is no limit"},
	{Name: "patience", Kind: Duration, Env: "NEBULA_PATIENCE", Default: "30m0s", Help: "how long a model server nearby may say nothing while it runs, loading a model or reading a request; 0 is as long as others"},
	{Name: "limits.repeats", Kind: Count, Default: "6", Help: "times in a row that an action may bring the same result; 0 is no limit"},
	{Name: "limits.retries", Kind: Count, Default: "5", Help: "recoveries from errors before the person is asked; 0 is no limit"},
	{Name: "limits.reply", Kind: Count, Default: "2097152", Help: "bytes of a reply; a longer one is broken off and nothing of it done; 0 is no limit"},
	{Name: "limits.arguments", Kind: Count, Default: "1048576", Help: "bytes of one call of a tool; 0 is no limit"},
	{Name: "limits.calls", Kind: Count, Default: "256", Help: "calls of tools in a reply; 0 is no limit"},
	{Name: "limits.actions", Kind: Count, Default: "256", Help: "actions in a reply, in whatever language; 0 is no limit"},
	{Name: "folders", Kind: List, Flag: "add-dir", Help: "further folders that files may be read and changed in"},
	{Name: "tests.command", Kind: Text, Help: "the command that runs the project's tests; found from its files when not set"},
	{Name: "environment", Kind: List, Help: "variables that commands get beside those that tools usually need; never one that holds a known key"},
	{Name: "sandbox", Kind: Choice, Env: "NEBULA_SANDBOX", Default: "on", Choices: []string{"on", "weaker", "off"}, Help: "commands run confined where the system gives it: they change this folder only, and have no network and no keys; with weaker also where landlock or seccomp is missing"},
	{Name: "commands.hosts", Kind: List, Help: "hosts with their ports, as in example.org:443, that every confined command may reach; registries stands for those of packages"},
	{Name: "commands.memory", Kind: Share, Default: "0.75", Help: "part of the machine's memory that a confined command may have, with all its processes; 0 is no limit"},
	{Name: "commands.processes", Kind: Count, Default: "4096", Help: "processes and threads of a confined command at a time; 0 is no limit"},
	{Name: "commands.file", Kind: Count, Default: "32768", Help: "megabytes of a file that a confined command writes; 0 is no limit"},
	{Name: "commands.cpu", Kind: Duration, Default: "0", Help: "processor time of one process of a confined command; 0 is no limit beside the command's own time"},
	{Name: "commands.output", Kind: Count, Default: "4096", Help: "megabytes that a confined command may print; 0 is no limit"},
	{Name: "commands.free", Kind: Count, Default: "256", Help: "megabytes of disk that a confined command leaves free, in the folder, /tmp and caches; 0 is no limit"},
	{Name: "protection", Kind: Choice, Default: "full", Choices: []string{"folder", "extensions", "contents", "full"}, Help: "how far files are protected"},
	{Name: "vitals.confidence", Kind: Share, Default: "0.5", Help: "below this confidence the model is told what would help"},
	{Name: "vitals.mood", Kind: Share, Default: "0.4", Help: "below this mood the model is told what would help"},
	{Name: "vitals.focus", Kind: Share, Default: "0.45", Help: "below this focus the work goes back to planning"},
	{Name: "vitals.stamina", Kind: Share, Default: "0.1", Help: "when no more than this is left of a limit, the model is told so"},
	{Name: "budget.base", Kind: Count, Default: "500", Help: "tokens of the prompt's first layer: who nebula is and what it remembers"},
	{Name: "budget.main", Kind: Count, Default: "800", Help: "tokens of the second layer, and of what stands after the conversation"},
	{Name: "budget.specialized", Kind: Count, Default: "1200", Help: "tokens of the procedure for planning, carrying out or reviewing"},
	{Name: "budget.output", Kind: Count, Default: "0", Help: "tokens kept free for the answer; 0 is an eighth of the window, 4,096 at most"},
	{Name: "budget.summary", Kind: Count, Default: "0", Help: "tokens of what the model says itself of a long conversation's beginning before that falls out, in one request more; 0 does without"},
	{Name: "budget.map", Kind: Count, Default: "1000", Help: "tokens of the map that nebula map prints and a plan is written with"},
	{Name: "budget.search", Kind: Count, Default: "1200", Help: "tokens of the places that a search for code shows"},
	{Name: "budget.advice", Kind: Count, Default: "2000", Help: "tokens of AGENTS.md and files like it; what is longer is cut, the nearest last and what is far longer to two fifths; 0 reads none"},
	{Name: "budget.evidence", Kind: Count, Default: "600", Help: "most tokens of what a request is told of the code it names; 0 tells nothing"},
	{Name: "plan.parallel", Kind: Count, Default: "3", Help: "steps of a plan that run side by side, each in a copy of the folder"},
	{Name: "plan.copy", Kind: Count, Default: "256", Help: "megabytes of a folder that is copied for this; in a larger one steps run one at a time"},
	{Name: "plan.tokens", Kind: Count, Default: "10000000", Help: "tokens of a whole plan; 0 is no limit"},
	{Name: "plan.cost", Kind: Amount, Default: "25", Help: "US dollars of a whole plan; 0 is no limit"},
	{Name: "plan.step_tokens", Kind: Count, Default: "1000000", Help: "tokens of a step of a plan, each time that it runs; 0 is no limit"},
	{Name: "plan.step_cost", Kind: Amount, Default: "5", Help: "US dollars of a step of a plan; 0 is no limit"},
	{Name: "plan.step_time", Kind: Duration, Default: "1h0m0s", Help: "work on a step of a plan, without waiting for you; 0 is no limit"},
	{Name: "undo.disk", Kind: Count, Default: "4096", Help: "megabytes of disk, for each folder, for copies of files that commands may change; what does not fit, and a file of more than 256 MB, undo cannot bring back"},
	{Name: "heads.file", Kind: File, Help: "a file elsewhere, only yours or one that can only grow, that the end of every session is appended to; audit --verify compares with it"},
	{Name: "notify.url", Kind: Key, Env: "NEBULA_NOTIFY_URL", Help: "an address of yours, as of a topic of ntfy, that is told what waits for you when nobody has answered within ten seconds"},
	{Name: "record.url", Kind: Key, Env: "NEBULA_RECORD_URL", Help: "a PostgreSQL database, as in postgres://NAME@HOST/DATABASE, that holds the record of a team; on this machine when not set"},
	{Name: "fleet.key", Kind: Key, Env: "NEBULA_FLEET_KEY", Help: "what is encrypted with it is all that Temporal keeps of plans on workers: any 16 characters or more, the same for a whole team; made on this machine when not set"},
	{Name: "fleet.hub", Kind: Text, Env: "NEBULA_FLEET_HUB", Help: "a Git repository that all workers reach, for the commits of plans under way; beside the record when not set"},
	{Name: "fallback.main", Kind: List, Help: "models that answer in the place of the model while it is overloaded or its quota is used up, the first first"},
	{Name: "fallback.complex", Kind: List, Help: "models that do so in the place of the one for planning and hard steps; those of fallback.main when not set"},
	{Name: "fallback.small", Kind: List, Help: "models that do so in the place of the one of agents that only find things out; those of fallback.main when not set"},
	{Name: "agents.offer", Kind: Switch, Env: "NEBULA_AGENTS", Default: "false", Help: "let the model have other agents do parts of the work; a message that names one, as in @agent-explore, does so too"},
	{Name: "agents.model", Kind: Text, Help: "the model of agents that only find things out; the session's when not set"},
	{Name: "language_servers", Kind: Switch, Env: "NEBULA_LANGUAGE_SERVERS", Default: "true", Help: "ask gopls, typescript-language-server, pyright and others, where they are installed, what a change made wrong; they run confined"},
	{Name: "web.fetch", Kind: Switch, Env: "NEBULA_WEB", Default: "false", Help: "let the model read pages of the internet; each host is asked about"},
	{Name: "web.hosts", Kind: List, Help: "hosts whose pages are read unasked"},
	{Name: "web.near", Kind: List, Help: "hosts with their ports, as in wiki.local:80, of your own network whose pages may be read too"},
	{Name: "web.search", Kind: Choice, Default: "off", Choices: []string{"off", "brave", "provider", "searxng", "tavily"}, Help: "who searches the internet for the model: the provider of the model itself, or one whose key is BRAVE_API_KEY or TAVILY_API_KEY"},
	{Name: "web.search_url", Kind: Address, Help: "where SearXNG is, which has to answer in JSON"},
	{Name: "embeddings", Kind: Text, Env: "NEBULA_EMBEDDINGS", Help: "the embedding model that orders what a search for code finds by meaning as well; none when not set"},
	{Name: "transitions", Kind: Table, Help: "which steps may follow a step, where it differs from the default"},
	{Name: "providers.*.base_url", Kind: Address, Help: "the provider's address, up to and with /v1"},
	{Name: "providers.*.key", Kind: Key, Help: "the provider's key; better in the environment"},
	{Name: "providers.*.key_env", Kind: Text, Help: "the environment variable that holds the key"},
	{Name: "providers.*.speaks", Kind: Choice, Choices: []string{"chat", "responses", "messages", "gemini"}, Help: "the form of its requests, where that is another than the provider's or Chat Completions"},
	{Name: "providers.*.plain", Kind: Switch, Help: "send the key unencrypted to an http address outside of your own network"},
	{Name: "providers.*.models", Kind: List, Help: "the names of its models"},
	{Name: "models.*.window", Kind: Count, Help: "context window in tokens"},
	{Name: "models.*.max_output", Kind: Count, Help: "longest reply in tokens"},
	{Name: "models.*.input_usd", Kind: Amount, Help: "US dollars for a million tokens read"},
	{Name: "models.*.cached_usd", Kind: Amount, Help: "US dollars for a million tokens read from the cache"},
	{Name: "models.*.output_usd", Kind: Amount, Help: "US dollars for a million tokens written"},
	{Name: "models.*.native", Kind: Switch, Help: "takes native tool calls"},
	{Name: "models.*.structured", Kind: Switch, Help: "takes a JSON Schema for its output"},
	{Name: "models.*.images", Kind: Switch, Help: "takes pictures"},
	{Name: "models.*.documents", Kind: Switch, Help: "takes PDFs as they are"},
	{Name: "models.*.effort", Kind: Choice, Choices: efforts(), Help: "how much it thinks before it answers"},
}

//go:noinline
func efforts() (words []string) {
	for _, e := range nebula.Efforts() {
		words = append(words, string(e))
	}
	return words
}

// Settings lists everything that can be set.
//
//go:noinline
func Settings() iter.Seq[Setting] { return slices.Values(settings) }

// Find looks up a setting by its dotted key, providers.local.base_url or models.gpt-4.1.window; names in the middle
// may contain dots. The path is the key as the keys of nested objects.
func Find(key string) (s Setting, path []string, err error) {
	for _, s := range settings {
		head, tail, starred := strings.Cut(s.Name, ".*.")
		if !starred && s.Name == key {
			return s, strings.Split(key, "."), nil
		}
		if !starred {
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(key, head+"."), "."+tail)
		if name != "" && key == head+"."+name+"."+tail {
			return s, []string{head, name, tail}, nil
		}
	}
	return Setting{}, nil, &ValueError{Key: key, Text: nebula.Say("no such setting"), Next: suggest(key)}
}

// suggest names the setting that key most likely means.
func suggest(key string) nebula.Words {
	names := make([]string, 0, len(settings))
	parts := strings.Split(key, ".")
	for _, s := range settings {
		name := s.Name
		if len(parts) > 2 {
			name = strings.Replace(name, "*", strings.Join(parts[1:len(parts)-1], "."), 1)
		}
		names = append(names, name)
	}
	if near := Nearest(key, names); near != "" {
		return nebula.Say("did you mean %s?", plain(near))
	}
	return nebula.Say("nebula config show lists the settings")
}

// A ValueError is a setting that is unknown or has a value that it cannot have.
type ValueError struct {
	Key  string
	From string // where the value stands; empty for a value given just now
	Text nebula.Words
	Next nebula.Words
}

// Error is the sentence in English.
func (e *ValueError) Error() string { return e.Words().String() }

// Words implements [nebula.Speaker].
func (e *ValueError) Words() nebula.Words {
	w := nebula.Say("%s: %s; %s", e.Key, e.Text, e.Next)
	if name, ok := strings.CutPrefix(e.From, "env "); ok {
		return nebula.Say("env %s: %s", name, w)
	}
	if e.From != "" {
		return nebula.Say("%s: %s", e.From, w)
	}
	return w
}

// Check reads a value given as text and returns it in one normal form.
func (s Setting) Check(text string) (string, error) {
	if s.Kind != Key && (phrase.Withheld(text) != text || !strings.ContainsAny(text, " /") && phrase.Bare(text)) {
		return "", &ValueError{Key: s.Name, Text: nebula.Say("cannot hold a key"), Next: nebula.Say("nebula login PROVIDER keeps one")}
	}
	switch s.Kind {
	case Choice:
		return s.choice(text)
	case Count:
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return "", s.wrong(text, nebula.Say("use a whole number, 0 or more"))
		}
		return strconv.Itoa(n), nil
	case Amount:
		f, err := strconv.ParseFloat(strings.TrimPrefix(text, "$"), 64)
		if err != nil || !(f >= 0 && f < 1e9) {
			return "", s.wrong(text, nebula.Say("use a number, 0 or more"))
		}
		return strconv.FormatFloat(f, 'f', -1, 64), nil
	case Share:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || !(f >= 0 && f <= 1) {
			return "", s.wrong(text, nebula.Say("use a number from 0 to 1"))
		}
		return strconv.FormatFloat(f, 'f', -1, 64), nil
	case Duration:
		return s.duration(text)
	case Table:
		if strings.HasPrefix(strings.TrimSpace(text), "{") {
			return s.object(text)
		}
	case Switch:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return "", s.wrong(text, nebula.Say("use true or false"))
		}
		return strconv.FormatBool(b), nil
	case Address:
		return s.address(text)
	case File:
		if !filepath.IsAbs(text) {
			return "", s.wrong(text, nebula.Say("use a whole path, from the root on"))
		}
		text = filepath.Clean(text)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", s.wrong("…", nebula.Say("leave out control characters and line breaks"))
	}
	return text, nil
}

func (s Setting) wrong(text string, next nebula.Words) error {
	if s.Kind == Key {
		text = "…"
	}
	return &ValueError{Key: s.Name, Text: nebula.Say("cannot be %q", text), Next: next}
}

func (s Setting) choice(text string) (string, error) {
	if lists.Has(s.Choices, text) {
		return text, nil
	}
	next := nebula.Say("use %s or %s", strings.Join(s.Choices[:len(s.Choices)-1], ", "), s.Choices[len(s.Choices)-1])
	if near := Nearest(text, s.Choices); near != "" {
		next = nebula.Say("did you mean %s?", near)
	}
	return "", s.wrong(text, next)
}

// object takes a JSON object and returns it on one line.
func (s Setting) object(text string) (string, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		return "", s.wrong("…", nebula.Say("use a JSON object: %w", err))
	}
	return b.String(), nil
}

// duration takes Go's durations and bare seconds.
func (s Setting) duration(text string) (string, error) {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		text = strconv.FormatFloat(n, 'f', -1, 64) + "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return "", s.wrong(text, nebula.Say("use a duration such as 90s, 10m or 1h30m"))
	}
	if d == 0 {
		return "0", nil
	}
	return d.String(), nil
}

func (s Setting) address(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", s.wrong(text, nebula.Say("use an address such as http://localhost:11434/v1"))
	}
	if u.User != nil {
		return "", &ValueError{Key: s.Name, Text: nebula.Say("holds a user or password"), Next: nebula.Say("put the key into the environment or into key")}
	}
	return strings.TrimRight(text, "/"), nil
}

// text reads a value out of a settings file: its JSON type must be the setting's.
func (s Setting) text(raw json.RawMessage) (string, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", s.wrong(string(raw), nebula.Say("use a %s", nebula.Say(string(s.Kind))))
	}
	switch x := v.(type) {
	case string:
		if s.Kind == Count || s.Kind == Amount || s.Kind == Share || s.Kind == Switch {
			return "", s.wrong(x, nebula.Say("use a %s without quotation marks", nebula.Say(string(s.Kind))))
		}
		return s.Check(x)
	case float64, bool:
		_, isBool := v.(bool)
		if isBool == (s.Kind == Switch) && s.Kind != Text && s.Kind != Choice && s.Kind != List && s.Kind != Address && s.Kind != Key && s.Kind != Table && s.Kind != File {
			return s.Check(strings.TrimSpace(string(raw)))
		}
	case []any:
		if s.Kind == List {
			return s.list(x)
		}
	case map[string]any:
		if s.Kind == Table {
			return s.Check(string(raw))
		}
	}
	return "", s.wrong(string(raw), nebula.Say("use a %s", nebula.Say(string(s.Kind))))
}

func (s Setting) list(items []any) (string, error) {
	names := make([]string, len(items))
	for i, item := range items {
		name, ok := item.(string)
		if !ok || strings.ContainsAny(name, ",\n") {
			return "", &ValueError{Key: s.Name, Text: nebula.Say("holds something that is not a name"), Next: nebula.Say(`use ["name", "name"]`)}
		}
		names[i] = name
	}
	return strings.Join(names, ","), nil
}

// raw writes a value into a settings file. The text is in the form that Check gives.
func (s Setting) raw(text string) json.RawMessage {
	switch s.Kind {
	case Count, Amount, Share, Switch:
		return json.RawMessage(text)
	case Table:
		if strings.HasPrefix(text, "{") {
			return json.RawMessage(text)
		}
	case List:
		names := splitList(text)
		b := []byte{'['}
		for i, name := range names {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, quote(name)...)
		}
		return append(b, ']')
	}
	return quote(text)
}

func splitList(text string) []string {
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}
