package nebula

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
)

// Ruling is what policy says of a proposal. The zero Ruling asks.
type Ruling string

// The rulings.
const (
	AskFirst Ruling = ""
	Allow    Ruling = "allow"
	Deny     Ruling = "deny"
)

// A Verdict is policy's word on a proposal and why.
type Verdict struct {
	Ruling Ruling `json:"ruling"`
	Why    Code   `json:"why,omitempty"`  // the rule that decided, for people and the audit log
	Risk   string `json:"risk,omitempty"` // low, medium, high
	Risks  []Code `json:"risks,omitempty"`
	// Missing says that it was denied only because nobody was there to allow it.
	Missing bool `json:"missing,omitempty"`
}

// A Decider is who decided something: the person, a policy, or what else answered in the person's place. The zero one is
// nobody: what a person has to allow it does not allow.
type Decider string

// Who decides besides the policies and what is named for itself.
const (
	Nobody  Decider = "nobody" // as the record says it: nobody was there
	Person  Decider = "person"
	Stop    Decider = "stopped" // the turn was stopped before there was an answer
	Restart Decider = "restart" // nebula ended before there was one
)

// None reports whether nobody decided.
func (d Decider) None() bool { return d == "" || d == Nobody }

// policy is what the name of a policy's decision begins with.
const policy = "policy: "

// ByPolicy is the decision of the rule that why tells.
func ByPolicy(why string) Decider { return Decider(policy + why) }

// Policy reports whether a rule decided, and no person was asked.
//
//go:noinline
func (d Decider) Policy() bool { return strings.HasPrefix(string(d), policy) }

// A Grant lets one proposal act once: it is bound to the action, its targets with the contents that were shown, and
// the exact command. The nil and the zero Grant let nothing act. Grants are made by the agent only, after a verdict
// or the person's answer, and for what a person does on the command line without an agent.
type Grant struct {
	ID     string
	By     Decider // "policy: …", or the person
	action string
	digest string
	hashes map[string]string
	effect Effect
	stage  atomic.Int32 // fresh, open, spent
}

// ErrNoGrant is what a change without a fitting grant gets.
var ErrNoGrant = errors.New("no grant for this change")

// NewGrant binds a grant to a proposal as it was shown.
func NewGrant(id string, by Decider, p Proposal) *Grant {
	hashes := make(map[string]string, len(p.Targets))
	for _, t := range p.Targets {
		hashes[t.Path] = t.Hash
	}
	return &Grant{ID: id, By: by, action: p.Action.ID, digest: Digest(p), hashes: hashes, effect: p.Effect}
}

// Digest names everything about a proposal that a person decides on.
func Digest(p Proposal) string {
	b, _ := json.Marshal(struct {
		Tool, ID      string
		Args          json.RawMessage
		Effect        Effect
		Targets       []Target
		Diff, Command string
		Risks         []string `json:",omitempty"`
		Viewed        bool     `json:",omitempty"`
		Ran           string   `json:",omitempty"`
		Remote        *Remote  `json:",omitempty"`
		Plan          string   `json:",omitempty"`
	}{p.Action.Tool, p.Action.ID, p.Action.Args, p.Effect, p.Targets, p.Diff, p.Command, p.Risks, p.Viewed, p.Ran, p.Remote, p.Plan})
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

const (
	fresh int32 = iota
	open
	spent
)

// Open lets the grant act for p. It succeeds once, and only for the proposal that the grant was made for.
func (g *Grant) Open(p Proposal) error {
	if g == nil || g.digest == "" || g.action != p.Action.ID || g.digest != Digest(p) {
		return ErrNoGrant
	}
	if !g.stage.CompareAndSwap(fresh, open) {
		return fmt.Errorf("%w: grant %s was used already", ErrNoGrant, g.ID)
	}
	return nil
}

// Close ends the grant: from here on nothing acts on it.
func (g *Grant) Close() {
	if g != nil {
		g.stage.Store(spent)
	}
}

// Covers reports whether the open grant reaches a file, and the content hash that was shown for it. A workspace asks
// this at the moment of a change and refuses when the file's content is another by then.
//
//go:noinline
func (g *Grant) Covers(path string) (hash string, ok bool) {
	if g == nil || g.effect != Write || g.stage.Load() != open {
		return "", false
	}
	hash, ok = g.hashes[path]
	return hash, ok
}

// Runs reports whether the open grant lets commands run.
func (g *Grant) Runs() bool { return g != nil && g.effect == Execute && g.stage.Load() == open }

// Remembers reports whether the open grant lets something be remembered or forgotten.
func (g *Grant) Remembers() bool { return g != nil && g.effect == Memory && g.stage.Load() == open }

// OfGit reports whether a path is one that git keeps its record in, and not its settings: every commit changes some.
func OfGit(path string) bool {
	path, inside := strings.CutPrefix(path, ".git/")
	name, _, _ := strings.Cut(path, "/")
	return inside && name != "config" && name != "hooks" && name != "info" && name != "modules"
}
