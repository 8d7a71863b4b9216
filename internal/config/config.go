// Package config reads nebula's settings. Defaults, the settings file, the environment, the project's own settings and
// the flags become one value that does not change any more and knows where each of its parts came from.
//
// Later sources win, except that a project may only tighten: approve less, limit more, plan instead of act. Everything
// else that stands in a project's settings is refused and reported. Only a flag, typed for this one run, goes over a
// project's word.
package config

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Env looks an environment variable up; "" when it is not set.
type Env func(name string) string

// Config is every setting, decided. Nobody changes it after [Load].
type Config struct {
	Home         Home
	Model        string
	ComplexModel string
	Provider     string        // of models whose name does not tell; may be empty
	Effort       nebula.Effort // of models that have none of their own
	Protocol     string
	Approve      string
	Mode         nebula.Mode
	Examples     bool // teach languages with their example
	Aliases      bool // offer files' short names in every protocol
	Lang         string
	Theme        string
	Keys         string // usual, vi: of the prompt
	Ambiguous    string // auto, narrow, wide: columns of characters whose width Unicode leaves open
	Limits       Limits
	Tests        string   // the command that runs them
	Folders      []string // that files may be read and changed in beside the one to work in
	Environment  []string // names of variables that commands get beside the usual
	Sandbox      bool     // commands run confined where that can be had
	Weaker       bool     // also by fewer layers than a box has
	Commands     Commands
	Protection   string // folder, extensions, contents, full
	Vitals       Vitals
	Budget       Budget
	Plan         Plan
	UndoDisk     int            // megabytes
	Heads        string         // a file that the end of every session is noted in as well; may be empty
	FleetKey     Secret         // that workflow histories are encrypted with
	FleetHub     string         // where the commits of plans on workers lie; beside the record when not set
	NotifyURL    Secret         // that is told when the person is waited for; not set for none
	RecordURL    Secret         // a database's address, which may hold a password; not set for the record on this machine
	Transitions  string         // a JSON object, or a file's path; empty for the default
	Providers    []Provider     // those that the person set up, by name
	Models       []Model        // those whose figures the person gave, by name
	Fallback     Fallback       // models in the place of one that has no capacity
	Patience     time.Duration  // with the silence of a server nearby that runs
	Warnings     []nebula.Words // what was left out and why

	values   []Value
	sections map[string]json.RawMessage
	kept     map[string]Secret
	env      Env
}

// Commands is what a confined command may use. Zero is no limit, and hosts are those that it may reach.
type Commands struct {
	Hosts     []string
	Memory    float64 // part of the machine's
	Processes int
	File      int // megabytes, as Output and Free
	CPU       time.Duration
	Output    int
	Free      int
}

// Limits end a turn. Zero is no limit.
type Limits struct {
	Steps  int
	Tokens int
	New    int     // tokens that the model has not read before
	Cost   float64 // US dollars
	Time   time.Duration

	Repeats int // of an action with the same result, in a row
	Retries int // recoveries from errors

	Reply, Arguments int // bytes of a reply, and of one call in it
	Calls, Actions   int // in a reply
}

// Vitals are the marks below which vitals are low, each 0..1.
type Vitals struct{ Confidence, Mood, Focus, Stamina float64 }

// Plan bounds the work on plans. Zero is no limit.
type Plan struct {
	Parallel   int // steps side by side
	Copy       int // megabytes of a folder that is copied for them
	Tokens     int // of the whole plan
	Cost       float64
	StepTokens int // of each step
	StepCost   float64
	StepTime   time.Duration
}

// Budget is what the layers of a prompt, and what is shown of the code, may cost, in tokens.
type Budget struct{ Base, Main, Specialized, Output, Summary, Map, Search, Evidence, Advice int }

// Fallback is what answers while a model has no capacity, by what that is for.
type Fallback struct{ Main, Complex, Small []string }

// A Provider is what the person set up for one provider.
type Provider struct {
	Name           string
	BaseURL        string
	Key            Secret
	KeyEnv, Speaks string // the variable that holds the key, and the form of its requests where that is another than usual
	Plain          bool   // the key may go to an http address on the internet
	Models         []string
}

// A Model is what the person says of one model. Zero figures are not given.
type Model struct {
	Name                                  string
	Window, MaxOutput                     int
	InputUSD, CachedUSD, OutputUSD        float64
	Native, Structured, Images, Documents *bool
	Effort                                nebula.Effort
}

// A Value is one setting as decided. Text never holds a key.
type Value struct {
	Key    string
	Text   string
	Source string // default, a file's path, env NAME, or --flag
}

// sections are what in the person's settings file is for other parts to read, and for them to check.
var sections = []string{"mcp", "hooks"}

// Section is what the person's settings file says under a name that is no setting's; nil where it says nothing.
func (c Config) Section(name string) json.RawMessage { return c.sections[name] }

// Values lists the settings that have a value, in the table's order.
func (c Config) Values() []Value { return lists.Clone(c.values) }

// Value looks one setting up.
//
//go:noinline
func (c Config) Value(key string) (Value, bool) {
	for _, v := range c.values {
		if v.Key == key {
			return v, true
		}
	}
	return Value{}, false
}

// Assume puts a text in the place of a setting that nobody has set. Source says where it follows from.
func (c Config) Assume(key, text, source string) Config {
	c.values = lists.Clone(c.values)
	for i, v := range c.values {
		if v.Key == key && v.Source == "default" {
			c.values[i] = Value{key, text, source}
			c.take(key, text)
		}
	}
	return c
}

// PlugIn finds what the person set up for a provider; a provider that was not set up has its name only.
func (c Config) PlugIn(name string) Provider {
	for _, p := range c.Providers {
		if p.Name == name {
			return p
		}
	}
	return Provider{Name: name}
}

// Credential finds a provider's key: in the environment under the name that the person chose, else under the
// provider's usual names, else in the settings. Source says where it was found.
func (c Config) Credential(provider string, usual ...string) (key Secret, source string) {
	p := c.PlugIn(provider)
	if p.KeyEnv != "" {
		usual = []string{p.KeyEnv}
	}
	for _, name := range usual {
		if key := NewSecret(phrase.Unwrapped(c.env(name))); key.Set() {
			return key, "env " + name
		}
	}
	if p.Key.Set() {
		return p.Key, c.Home.File()
	}
	if key, ok := c.kept[provider]; ok {
		return key, c.Home.Keys()
	}
	return Secret{}, ""
}

// decide turns the layers into the fields.
func (c *Config) decide(l *layers) {
	ranks := map[string]int{}
	for _, key := range l.keys() {
		ranks[key] = rank(key)
		found, _ := l.value(key)
		c.values = append(c.values, Value{key, shown(key, found.text), found.source})
		c.take(key, found.text)
	}
	lists.Sort(c.values, func(a, b Value) int { return ranks[a.Key] - ranks[b.Key] })
	lists.Sort(c.Providers, func(a, b Provider) int { return strings.Compare(a.Name, b.Name) })
	lists.Sort(c.Models, func(a, b Model) int { return strings.Compare(a.Name, b.Name) })
}

func shown(key, text string) string {
	if s, _, err := Find(key); err == nil && s.Kind == Key {
		return NewSecret(text).String()
	}
	return text
}

// rank is a setting's place in the table.
func rank(key string) int {
	s, _, err := Find(key)
	if err != nil {
		return len(settings)
	}
	return slices.IndexFunc(settings, func(t Setting) bool { return t.Name == s.Name })
}

// take puts a checked text into its field.
func (c *Config) take(key, text string) {
	switch key {
	case "model":
		c.Model = text
	case "complex_model":
		c.ComplexModel = text
	case "provider":
		c.Provider = text
	case "protocol":
		c.Protocol = text
	case "approve":
		c.Approve = text
	case "mode":
		c.Mode = nebula.Mode(text)
	case "lang":
		c.Lang = text
	case "aliases":
		c.Aliases = text == "true"
	case "theme":
		c.Theme = text
	case "ambiguous":
		c.Ambiguous = text
	case "limits.steps":
		c.Limits.Steps = count(text)
	case "limits.tokens":
		c.Limits.Tokens = count(text)
	case "limits.new":
		c.Limits.New = count(text)
	case "limits.cost":
		c.Limits.Cost = amount(text)
	case "limits.time":
		c.Limits.Time, _ = time.ParseDuration(text)
	case "patience":
		c.Patience, _ = time.ParseDuration(text)
	case "limits.repeats":
		c.Limits.Repeats = count(text)
	case "limits.retries":
		c.Limits.Retries = count(text)
	case "limits.reply":
		c.Limits.Reply = count(text)
	case "limits.arguments":
		c.Limits.Arguments = count(text)
	case "limits.calls":
		c.Limits.Calls = count(text)
	case "limits.actions":
		c.Limits.Actions = count(text)
	case "tests.command":
		c.Tests = text
	case "folders":
		c.Folders = splitList(text)
	case "environment":
		c.Environment = splitList(text)
	case "sandbox":
		c.Sandbox, c.Weaker = text != "off", text == "weaker"
	case "protection":
		c.Protection = text
	case "heads.file":
		c.Heads = text
	case "transitions":
		c.Transitions = text
	default:
		c.takeNamed(key, text)
	}
}

// takeMark puts one of the vitals' marks, of the budget or of what else has a level into its field.
func (c *Config) takeMark(key, text string) {
	switch key {
	case "keys":
		c.Keys = text
	case "vitals.confidence":
		c.Vitals.Confidence = amount(text)
	case "vitals.mood":
		c.Vitals.Mood = amount(text)
	case "vitals.focus":
		c.Vitals.Focus = amount(text)
	case "vitals.stamina":
		c.Vitals.Stamina = amount(text)
	case "plan.parallel":
		c.Plan.Parallel = count(text)
	case "plan.copy":
		c.Plan.Copy = count(text)
	case "plan.tokens":
		c.Plan.Tokens = count(text)
	case "plan.cost":
		c.Plan.Cost = amount(text)
	case "plan.step_tokens":
		c.Plan.StepTokens = count(text)
	case "plan.step_cost":
		c.Plan.StepCost = amount(text)
	case "plan.step_time":
		c.Plan.StepTime, _ = time.ParseDuration(text) // it was checked
	case "commands.hosts":
		c.Commands.Hosts = splitList(text)
	case "commands.memory":
		c.Commands.Memory = amount(text)
	case "commands.processes":
		c.Commands.Processes = count(text)
	case "commands.file":
		c.Commands.File = count(text)
	case "commands.cpu":
		c.Commands.CPU, _ = time.ParseDuration(text) // it was checked
	case "commands.output":
		c.Commands.Output = count(text)
	case "commands.free":
		c.Commands.Free = count(text)
	case "undo.disk":
		c.UndoDisk = count(text)
	case "budget.base":
		c.Budget.Base = count(text)
	case "budget.main":
		c.Budget.Main = count(text)
	case "budget.specialized":
		c.Budget.Specialized = count(text)
	case "budget.output":
		c.Budget.Output = count(text)
	case "budget.summary":
		c.Budget.Summary = count(text)
	case "budget.map":
		c.Budget.Map = count(text)
	case "budget.search":
		c.Budget.Search = count(text)
	case "budget.evidence":
		c.Budget.Evidence = count(text)
	case "budget.advice":
		c.Budget.Advice = count(text)
	default:
		c.takeRest(key, text)
	}
}

func (c *Config) takeRest(key, text string) {
	switch key {
	case "effort":
		c.Effort = nebula.Effort(text)
	case "examples":
		c.Examples = text == "true"
	case "notify.url":
		c.NotifyURL = NewSecret(text)
	case "record.url":
		c.RecordURL = NewSecret(text)
	case "fleet.key":
		c.FleetKey = NewSecret(text)
	case "fleet.hub":
		c.FleetHub = text
	case "fallback.main":
		c.Fallback.Main = splitList(text)
	case "fallback.complex":
		c.Fallback.Complex = splitList(text)
	case "fallback.small":
		c.Fallback.Small = splitList(text)
	}
}

func (c *Config) takeNamed(key, text string) {
	_, path, err := Find(key)
	if err != nil || len(path) != 3 {
		c.takeMark(key, text)
		return
	}
	if path[0] == "providers" {
		i := slices.IndexFunc(c.Providers, func(p Provider) bool { return p.Name == path[1] })
		if i < 0 {
			i, c.Providers = len(c.Providers), append(c.Providers, Provider{Name: path[1]})
		}
		c.Providers[i].take(path[2], text)
		return
	}
	i := slices.IndexFunc(c.Models, func(m Model) bool { return m.Name == path[1] })
	if i < 0 {
		i, c.Models = len(c.Models), append(c.Models, Model{Name: path[1]})
	}
	c.Models[i].take(path[2], text)
}

func (p *Provider) take(field, text string) {
	switch field {
	case "base_url":
		p.BaseURL = text
	case "key":
		p.Key = NewSecret(phrase.Unwrapped(text))
	case "key_env":
		p.KeyEnv = text
	case "speaks":
		p.Speaks = text
	case "plain":
		p.Plain = text == "true"
	case "models":
		p.Models = splitList(text)
	}
}

func (m *Model) take(field, text string) {
	yes := text == "true"
	switch field {
	case "window":
		m.Window = count(text)
	case "max_output":
		m.MaxOutput = count(text)
	case "input_usd":
		m.InputUSD = amount(text)
	case "cached_usd":
		m.CachedUSD = amount(text)
	case "output_usd":
		m.OutputUSD = amount(text)
	case "effort":
		m.Effort = nebula.Effort(text)
	default:
		if to := map[string]**bool{"native": &m.Native, "structured": &m.Structured, "images": &m.Images, "documents": &m.Documents}[field]; to != nil {
			*to = &yes
		}
	}
}
