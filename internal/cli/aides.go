package cli

import (
	"context"
	"strings"
	"sync/atomic"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/aide"
	"nebula/internal/lists"
	"nebula/internal/matter"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/state"
	"nebula/internal/task"
	"nebula/internal/tool"
)

// aideFolders are where people keep descriptions of agents, below a project's folder or their home; what stands first wins.
var (
	aideFolders = []string{".nebula/agents", ".claude/agents", ".opencode/agent", ".opencode/agents"}
	homeAides   = []string{".config/opencode/agent", ".config/opencode/agents"}
)

// aides are whom a session can have do parts of its work. They are looked for when the model is to be told of them: where the
// settings say so, or once the person named one.
type aides struct {
	session *session
	at      *project
	waits   bool // nobody stays to see what comes later
	named   atomic.Bool
	told    atomic.Pointer[string]
}

// aides are nil where a recording is made or played: it has to be asked the same again.
//
//go:noinline
func (s *session) aides(at *project) *aides {
	if s.record != "" || s.replay != "" {
		return nil
	}
	return &aides{session: s, at: at, waits: s.waits}
}

// atAgent is how a person names an agent in a message.
const atAgent = "@agent-"

// hears looks whether a message names one.
func (a *aides) hears(text string) {
	if a != nil && strings.Contains(text, atAgent) {
		a.named.Store(true)
	}
}

// Any implements tool.Aides.
func (a *aides) Any() bool {
	v, _ := a.session.config.Value("agents.offer")
	return v.Text == "true" || a.named.Load()
}

// aidesTold bounds what the agents' names and what they are for take in every request, in characters.
const aidesTold = 600

// Tell implements tool.Aides.
func (a *aides) Tell() string {
	if told := a.told.Load(); told != nil {
		return *told
	}
	s := a.session
	for _, w := range s.aidesFlawed(s.dir, s.config.Home.Settings) {
		s.warn("%s", w)
	}
	staff, passed := s.staff()
	for _, file := range passed {
		s.warn("%s: an agent of that name comes with nebula, and a folder's does not take its place; give it another, or keep it at home", file)
	}
	text := staff.Tell(aidesTold)
	a.told.Store(&text)
	return text
}

// staff are the agents there are: the person's, the folder's, and those that come with nebula.
func (s *session) staff() (staff aide.Staff, passed []string) {
	return aide.Of(s.described(s.dir, s.config.Home.Settings), s.config.Lang)
}

// described are the agents that people described for a folder or for themselves, in the order in which the first of a name counts.
func (p *program) described(dir, settings string) (all []aide.Aide) {
	for _, at := range p.shelfPlaces(dir, settings, aideFolders, homeAides) {
		all = append(all, aide.Read(matter.Folder{FS: rooted{at.dir, "."}, Shown: at.shown, Own: at.own})...)
	}
	return all
}

// Brief implements tool.Aides.
func (a *aides) Brief(name, work string, exposed bool) (tool.Errand, error) {
	staff, _ := a.session.staff()
	one, ok := staff.Named(strings.TrimPrefix(name, atAgent))
	if !ok {
		return tool.Errand{}, nebula.Wrong("", "There is no agent %q.", phrase.OneLine(name, 60)).Then("There are: %s.", staff.Tell(aidesTold))
	}
	lang := a.session.config.Lang
	e := task.Errand{Agent: one.Name, Title: phrase.OneLine(one.Name+": "+work, 100), Text: one.Brief(work, lang), Reads: one.Reads, Exposed: exposed, Short: a.session.shortened}
	do := func(ctx context.Context) (string, nebula.EndStatus, error) { return a.at.loop.Delegate(ctx, e, false) }
	begin := func() error { return a.at.loop.Beside(e) }
	if a.waits {
		begin = nil
	}
	return tool.Errand{Name: one.Name, Reads: one.Reads, Do: do, Begin: begin}, nil
}

// shortened is a report within its bound: from its beginning, where the answer stands.
func (s *session) shortened(text string) string {
	if model.Estimate(text) <= aide.Summary {
		return text
	}
	letters := []rune(text)
	low, high := 0, len(letters)
	for low < high-1 {
		if mid := (low + high) / 2; model.Estimate(string(letters[:mid])) <= aide.Summary {
			low = mid
		} else {
			high = mid
		}
	}
	return string(letters[:low]) + "…\n" + s.say("[the rest of the report is left out]")
}

// aideSession opens the session in which an agent does an errand: like a step's, with the tools that it uses.
//
//go:noinline
func (s *session) aideSession(at *project) func(context.Context, nebula.Conduct, task.Errand) (task.Conversation, error) {
	return func(ctx context.Context, with nebula.Conduct, e task.Errand) (task.Conversation, error) {
		staff, _ := s.staff()
		one, ok := staff.Named(e.Agent)
		if !ok {
			return nil, nebula.Errorf("there is no agent %q", e.Agent)
		}
		with.Model = s.modelFor(one, with.Model)
		setup := s.stepSetup(at, with)
		setup.Exposed = e.Exposed
		if settled := setup.Denies; len(e.Bars) > 0 {
			setup.Denies = func() []state.Bar {
				if settled == nil {
					return e.Bars
				}
				return lists.Concat(e.Bars, settled())
			}
		}
		setup.Tools = tool.Only(setup.Tools, one.Tools, one.Without)
		if one.Reads {
			setup.Tools = lists.Drop(setup.Tools, func(t nebula.Tool) bool { return t.Spec().Effect.Changes() && !t.Spec().Plans })
		}
		c, err := agent.Open(ctx, setup, "")
		if err != nil {
			return nil, err
		}
		return c, nil
	}
}

// modelFor is the model that an agent works with: the one that the person's own description names, the one set up for small
// work, or the conversation's. Which model reads the folder is not for the folder to say.
func (s *session) modelFor(one aide.Aide, usual string) string {
	if one.Own {
		if name := s.modelOf(one.Model); name != "" {
			return name
		}
	}
	if small, ok := s.config.Value("agents.model"); ok && one.Small && s.hasModel(small.Text) {
		return small.Text
	}
	return usual
}
