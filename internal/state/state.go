// Package state is what a session knows: the fold of its events. It is pure; the agent's one goroutine owns a State,
// and Apply is the only way it changes.
package state

import (
	"cmp"
	"slices"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/protocol"
)

// A State is a session as its events have made it.
type State struct {
	Session   string
	Dir       string
	Tree      string // the copy of Dir that it works in; empty for Dir itself
	Lang      string
	Top       *string // what the model is told of the folder's top
	Mode      nebula.Mode
	Model     string
	Protocol  string          // as chosen: auto or a name
	Approve   string          // empty: as the settings say
	Shortened int             // how often the conversation was, and copies of files in it
	Misses    []nebula.Missed // what providers' caches should have had
	Effort    nebula.Effort   // likewise

	Seq      int64            // of the last stored event
	Messages []nebula.Message // the conversation as the model reads it
	Seen     map[string]nebula.FileRef
	Approved map[string]int64 // proposals' keys that the person allowed for this session, and the event that last said so
	Unseen   map[string]int64 // files whose last change the person did not see, and the event that told of it
	SentBack map[string]bool  // contents that were sent back, by hash, once the model has read so
	Usage    nebula.Usage     // of the whole session

	Turn    Turn
	Journal []TurnChanges    // turns that changed files, in order
	Steps   []nebula.Stepped // of the plan that was last worked on, each as it stands
	Reached []string         // paths and hosts outside of the folder that commands were let change something at, which no undo takes back
	Undoing *nebula.Began    // an undo or a redo that did not come to its end
	Actions int              // actions ever proposed; the next one's number is one more

	Draft    Draft                    // the plan that waits for the person's yes
	Agreed   string                   // the plan that has it, since this process began; empty once it changes
	Queue    []nebula.Queued          // questions of work in the background that wait
	Aliases  protocol.Aliases         // the files' short names
	Foreign  Foreign                  // replies in another language than the one taught
	Printed  int                      // replies in a row that were nothing but calls as text, since the model called natively
	Adapted  bool                     // the protocol was settled on by the program
	NoTools  bool                     // the model's server refused tools
	Window   int                      // of the model, as its server told; 0 where it did not
	Compact  nebula.Compacted         // what the model no longer reads in full
	Quotes   []Quote                  // where files' contents stand in the conversation
	Failing  Failing                  // the last test run that failed, where the whole of it stands
	Replaced map[int][]nebula.Copy    // by message: copies that a line stands for
	Said     []int                    // which of the messages the person wrote
	List     []nebula.Item            // what the model works through, as it stands
	Rules    []string                 // what the person said to hold always
	Denies   []Bar                    // what the folder's settings forbid, as they are now: no event tells of it
	Text     func(file string) string // what stands in a file now; nil where nobody looks
	Commits  int                      // the turn in which the person ordered a commit
	Pattern  string                   // of the next prompt, as the model last decided
	Informed bool                     // the model or the person has set the fixed items
	Machine  Machine
	Items    Items
	Vitals   nebula.Vitals // as the last reply left them, joined with what was seen
	Watch    Watch
	Evidence Evidence
	Stuck    bool                       // the person wrote to be
	Exposed  bool                       // something was to be done whose result can hold a secret
	Lapses   []Lapse                    // of the last reply, until the next
	Layers   []nebula.LayerCost         // of the last turn's last request
	Cuts     []string                   // what the token budget left out of it
	barred   []Bar                      // what the person forbids, see [State.Bars]
	heard    unheard                    // the last that was read for it
	unread   []unheard                  // not yet
	hid      []nebula.Blind             // what steps told of that could not be seen
	told     map[string][]nebula.Change // by a step's session: what it was said to have changed
	held     []incoming                 // what was said during the turn, until the model's reply and its results stand before it
}

// A Turn is the one under way, or the last.
type Turn struct {
	Number          int
	Native          bool // the model called natively in it
	Open            bool
	Asks            string // what the person asked for
	Turns           bool   // that is work of another kind than before
	Step            int
	Reply           *nebula.Replied // not yet observed
	Started         []string        // actions that began
	Results         []nebula.Result // of the open reply, in order
	Pending         *nebula.Proposed
	Asked           *nebula.Asked
	Tried           []string // where the command that is tried was let change something beyond the folder
	Lines           []nebula.ActionLine
	Changed         []string
	Lost            []string // of those changed, what undo cannot bring back
	Usage           nebula.Usage
	Protocol        string            // of the last reply
	Unanswered      bool              // a question got no answer
	Question        nebula.Question   // that question
	Lacking         []string          // what was refused because nobody was there to allow it, and was not done since
	Apart, Guessed  []string          // of it the changes of files that the person's words stand against, and what had to be guessed
	Forbidden       bool              // of it something was refused since the person's words stand against it
	Denied          []nebula.Proposal // what the person refused
	Unasked         bool              // what began last was allowed by policy
	Planned         bool              // a plan was worked on
	Text, Half      string            // what it says; what came of a reply that broke off
	Unmade          []string          // what was to be changed and was not: files, and tools whose call could not be read, as name()
	torn, now, read []string          // of it what such calls were to do, that of the open reply, and what else the model read of
	made            []made            // its changes that stand as they were made
}

// Foreign counts replies in a row that acted in another language than the one taught.
type Foreign struct {
	Name  string
	Count int
}

// A Draft is a plan that waits for approval, and the turn it was proposed or changed in.
type Draft struct {
	Plan string
	Turn int
}

func (s *State) draft(p nebula.Plan) {
	switch {
	case p.Status == nebula.Draft:
		s.Draft = Draft{p.ID, s.Turn.Number}
	case p.ID == s.Draft.Plan:
		s.Draft = Draft{}
	}
}

// TurnChanges are the file changes of one turn, in the order they were made.
type TurnChanges struct {
	Turn    int
	Changes []nebula.Change // those that stand: an undo takes them back
	Taken   []nebula.Change // what an undo did: a redo takes it back
	Lost    []string        // paths that were changed too, and that undo cannot bring back
	Blind   []nebula.Blind  // commands whose changes could not be seen
	Undone  bool            // an undo was at it: what stands still is what it had to leave
	Held    bool            // the last undo, or redo, had to leave something
	Stuck   bool            // and so had the one before it, and it could do nothing
}

// New is the state before the first event.
func New() *State {
	return &State{Mode: nebula.AgentMode, Seen: map[string]nebula.FileRef{}, Approved: map[string]int64{}, SentBack: map[string]bool{}, Unseen: map[string]int64{}, Machine: Start(), Watch: Watch{Read: 1}}
}

// Apply folds one event in. Unknown and transient events change nothing but the sequence.
func (s *State) Apply(e nebula.Event) {
	if !e.Body.Transient() {
		s.Seq = e.Seq
	}
	switch b := e.Body.(type) {
	case nebula.Started:
		s.start(b)
	case nebula.Submitted:
		s.submit(b)
	case nebula.Replied:
		s.reply(b)
	case nebula.Proposed:
		s.propose(b)
	case nebula.Asked:
		s.Turn.Asked = &b
	case nebula.Answered:
		s.answer(b)
	case nebula.Began:
		s.Turn.Unasked = b.By.Policy()
		s.begin(b)
	case nebula.Finished:
		s.finish(b.Result)
	case nebula.Observed:
		s.observe(b)
	case nebula.Switched:
		s.switched(b)
	case nebula.Moved:
		s.Machine = s.Machine.After(b)
		s.turned(b)
	case nebula.Updated:
		s.Turn.Turns = s.Turn.Turns || b.By == "program" && b.Delta.Goal != nil && Turns(*b.Delta.Goal, s.Items.Goal)
		s.Items = s.Items.With(b.Delta)
		s.Informed = s.Informed || b.By != "program"
	case nebula.Compacted:
		s.compacted(b)
	case nebula.Superseded:
		s.supersede(b)
	case nebula.Planned:
		s.planned(b)
	case nebula.Stepped:
		s.Turn.Planned = s.Turn.Planned || b.Plan != ""
		s.stepped(b)
		s.stepDid(b.Step.Session, b.Changes, b.Lost, b.Blind)
	case nebula.Queued:
		s.Queue = append(s.Queue, b)
	case nebula.Reported:
		s.report(b)
	case nebula.Undone:
		s.undone(b)
	case nebula.Ended:
		s.Turn.Open = false
		s.Evidence.Faced = s.Evidence.Faced || b.Status.Did() || b.Status == nebula.TurnFailed
		s.Evidence.Left, s.Evidence.Tested, s.Evidence.since = nil, nil, false
		s.Evidence.Red, s.Evidence.Known = s.Evidence.red(true), s.Evidence.Tests != nil
		s.Layers, s.Cuts = b.Layers, b.Cuts
		s.Turn.Asked, s.Turn.Pending = nil, nil
		s.release()
	}
	s.Items.PendingGate = s.Machine.Step == Awaiting || s.Turn.Asked != nil && s.Turn.Asked.Question == nil
}

func (s *State) begin(b nebula.Began) {
	if b.Turn > 0 {
		s.Undoing = &b
		s.found(b)
		return
	}
	s.Turn.Started = append(s.Turn.Started, b.Action)
	if p := s.Turn.Pending; p != nil && p.Proposal.Action.ID == b.Action {
		s.Reached = lists.Compact(append(s.Reached, p.Proposal.Beyond()...))
	}
}

func (s *State) start(b nebula.Started) {
	s.Session, s.Dir, s.Tree, s.Lang, s.Top = b.Session, b.Dir, b.Tree, b.Lang, cmp.Or(b.Top, s.Top)
	s.Model, s.Protocol, s.Mode = b.Model, b.Protocol, b.Mode
	s.Approved = map[string]int64{} // an always is for this process
	s.Agreed = ""
	s.Queue = nil // what ran in the background ended with its process
}

func (s *State) submit(b nebula.Submitted) {
	if b.By != "" {
		s.perform(b)
		return
	}
	words := Words(b.Text)
	s.Rules = newest(s.Rules, Rules(words), rulesKept)
	s.unread = append(s.unread, unheard{words, cmp.Or(b.Turn, s.Turn.Number)})
	if ordersCommit(words) {
		s.Commits = cmp.Or(b.Turn, s.Turn.Number)
	}
	s.gather(words)
	s.Stuck = Stuck(words)
	m := nebula.Message{Role: nebula.User, Parts: append(nebula.Text(b.Text), nebula.Pictures(b.Images...)...)}
	if b.Steer {
		s.Turn.Denied = nil // what is said now may allow it
		s.Watch.asked = max(s.Watch.asked, timesAsked(words))
		s.held = append(s.held, incoming{m, true})
		return
	}
	s.Turn = Turn{Number: b.Turn, Open: true, Asks: b.Text}
	if !slices.ContainsFunc(s.List, func(i nebula.Item) bool { return i.Status != nebula.Completed }) {
		s.List = nil
	}
	s.Machine = s.Machine.Utter(true)
	s.Watch = Watch{Read: 1, Context: s.Watch.Context, asked: timesAsked(words)}
	s.hear(incoming{m, true})
}

// An incoming message comes from the person, or from work in the background.
type incoming struct {
	nebula.Message
	person bool
}

func (s *State) hear(h incoming) {
	if h.person {
		s.Said = append(s.Said, len(s.Messages))
	}
	s.Messages = append(s.Messages, h.Message)
}

// perform begins a turn of actions that were given. What they came to joins the conversation; that they were asked for
// is nothing the model was told.
func (s *State) perform(b nebula.Submitted) {
	s.Turn = Turn{Number: b.Turn, Open: true, Asks: b.Text}
	s.Machine = s.Machine.Utter(true)
	s.Watch = Watch{Read: 1, Context: s.Watch.Context}
}

func (s *State) reply(b nebula.Replied) {
	s.Turn.Step, s.Turn.Protocol = b.Step, b.Protocol
	s.Turn.Reply = &b
	if b.Missed != nil {
		s.Misses = append(slices.Clip(s.Misses), *b.Missed)
	}
	s.Turn.Results = nil
	s.Machine = s.Machine.Utter(false)
	read := 1.0
	if b.Intent.Confidence > 0 {
		read = b.Intent.Confidence
	}
	s.Watch = s.Watch.Heard(read)
	if b.By == "" {
		s.Vitals = b.Vitals
		s.Lapses = Lapses(b.Intent, s.Stuck)
		s.spoke(b)
		s.printed(b)
	}
	if d := b.Intent.Decision; d != nil && d.PromptPattern != "" {
		s.Pattern = d.PromptPattern
	}
	s.Turn.Started = nil
	s.Turn.now = nil
	s.Turn.read = lists.Drop(lists.Clone(s.Turn.Unmade), func(what string) bool { return lists.Has(s.Turn.torn, what) })
	s.Actions += len(b.Intent.Actions)
	s.Turn.Usage = s.Turn.Usage.Plus(b.Reply.Usage)
	s.Usage = s.Usage.Plus(b.Reply.Usage)
	if b.Intent.Say != "" {
		s.Turn.Text = b.Intent.Say
	}
}

// spoke counts what acted in another language than the one taught.
func (s *State) spoke(b nebula.Replied) {
	name := b.Intent.Dialect
	switch {
	case len(b.Intent.Actions) == 0:
	case name == "" || name == b.Protocol:
		s.Foreign = Foreign{}
	case name == s.Foreign.Name:
		s.Foreign.Count++
	default:
		s.Foreign = Foreign{name, 1}
	}
}

// printed counts the replies of a model that calls natively, and then writes calls as text.
func (s *State) printed(b nebula.Replied) {
	switch {
	case len(b.Reply.Calls()) > 0:
		s.Turn.Native, s.Printed = true, 0
	case s.Turn.Native && len(b.Intent.Actions) > 0 && !slices.ContainsFunc(b.Intent.Actions, func(a nebula.Action) bool { return a.Inferred }):
		s.Printed++
	}
}

func (s *State) propose(b nebula.Proposed) {
	s.Turn.Pending = &b
	s.Exposed = s.Exposed || Exposes(b)
	if v := b.Verdict; v.Ruling == nebula.Deny && v.Missing && b.Proposal.Ran != "" && forbidden(v) { // the rest of what was done may be kept all the same
		s.lack(&b)
	}
}

func (s *State) finish(r nebula.Result) {
	pending := s.Turn.Pending
	s.looked(r)
	s.Turn.Results = append(s.Turn.Results, r)
	for _, f := range r.Seen {
		s.Seen[f.Path] = f
		s.Aliases.Add(f.Path)
	}
	a := s.action(r.Action)
	if pending != nil && pending.Proposal.Action.ID == r.Action { // a hook or the person may have had it be something else
		a.Args, a.Reason = pending.Proposal.Action.Args, pending.Proposal.Action.Reason
	}
	s.Turn.Lines = append(s.Turn.Lines, line(a, r))
	switch p := s.Turn.Pending; {
	case r.End == nebula.NeedsApproval:
		s.lack(nil)
	case p != nil && len(r.Dropped) > 0:
		if p.Verdict.Missing && r.Tests == nil { // what a test run leaves behind is not what it is for
			s.lack(p)
		}
	case p != nil && r.Status == nebula.Denied && p.Verdict.Missing:
		s.lack(p)
	case p != nil && (r.Status == nebula.Done || r.Status == nebula.Skipped && p.Proposal.Action.ID == r.Action): // or it was only shown
		s.Turn.Lacking = lists.Drop(lists.Clone(s.Turn.Lacking), func(what string) bool { return what == object(p.Proposal) })
	}
	if p := s.Turn.Pending; p != nil && r.Status == nebula.Done && len(p.Proposal.List) > 0 {
		s.List = p.Proposal.List
	}
	s.Turn.Pending = nil
	if r.Decision != nil && r.Decision.PromptPattern != "" {
		s.Pattern = r.Decision.PromptPattern
	}
	s.Watch = s.Watch.Finished(s.action(r.Action), r)
	if s.Watch.Progress || s.Watch.Fresh {
		s.Machine.Recovered = 0 // something else is tried
	}
	s.Evidence = s.Evidence.Finished(s.action(r.Action), r).hushed(s.Evidence, pending, r.Changes)
	if pending != nil && len(r.Changes) > 0 {
		s.Evidence = s.Evidence.weakened(pending.Proposal.Diff, s.Turn.Asks, r.Changes, func(file string) bool { return s.Made(file) != "" })
	}
	s.Turn.unmakes(s.action(r.Action), r)
	s.makes(s.action(r.Action), r)
	s.changed(r.Changes, r.Lost)
	if r.Blind {
		s.blind(r, pending)
	}
}

// action is the open reply's action with that id.
func (s *State) action(id string) nebula.Action {
	if s.Turn.Reply != nil {
		for _, a := range s.Turn.Reply.Intent.Actions {
			if a.ID == id {
				return a
			}
		}
	}
	return nebula.Action{ID: id, Args: []byte("{}")}
}

func (s *State) observe(b nebula.Observed) {
	s.quote(b.Messages)
	s.reran(b.Messages)
	s.Messages = append(s.Messages, b.Messages...)
	for _, r := range s.Turn.Results {
		if r.Again != "" {
			s.SentBack[r.Again] = true
		}
	}
	s.Turn.Reply, s.Turn.Half = nil, b.Said
	s.release()
}

func (s *State) release() {
	for _, h := range s.held {
		s.hear(h)
	}
	s.held = nil
}

func (s *State) switched(b nebula.Switched) {
	if b.Mode != "" {
		s.Mode = b.Mode
	}
	if b.Model != "" {
		s.Model, s.NoTools, s.Window = b.Model, false, 0
	}
	s.NoTools = s.NoTools || b.NoTools
	s.Window = cmp.Or(b.Window, s.Window)
	if b.Protocol != "" {
		s.Protocol, s.Adapted, s.Foreign = b.Protocol, b.Why != "", Foreign{}
		s.Turn.Native, s.Printed = false, 0
	}
	if b.Approve != "" {
		s.Approve = b.Approve
	}
	if s.Effort = cmp.Or(b.Effort, s.Effort); s.Effort == nebula.EffortSet {
		s.Effort = ""
	}
}
