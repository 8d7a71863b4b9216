package gate

import (
	"fmt"
	"slices"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Says is what a policy means, in the words of lang. The zero policy asks.
func Says(a Approve, lang string) string {
	i := max(0, slices.Index(Choices(), string(a)))
	return phrase.In(lang, policies[i].en)
}

// OnView is what a policy means for commands that run on a view of the folder, in the words of lang; empty where none do.
func OnView(a Approve, lang string) string {
	switch a {
	case All:
		return ""
	case Edits:
		return phrase.In(lang, "commands run on a view of the folder, and what they change is kept as edits are")
	case None:
		return phrase.In(lang, "commands run on a view of the folder, and what they change is dropped")
	}
	return phrase.In(lang, "commands run on a view of the folder, and what they change is asked about as edits are")
}

// policies are all there are, as they are offered: how much each lets run, and what it means in words.
var policies = [...]struct {
	name  Approve
	loose int
	en    string
}{
	{Ask, 1, "asks before it acts"},
	{Edits, 2, "edits without asking"},
	{All, 3, "acts without asking"},
	{None, 0, "refuses what needs approval"},
}

// Choices are the names of the policies.
//
//go:noinline
func Choices() (names []string) {
	for _, p := range policies {
		names = append(names, string(p.name))
	}
	return names
}

// Stricter reports whether a policy lets less run than another.
func (a Approve) Stricter(than Approve) bool { return a.loose() < than.loose() }

//go:noinline
func (a Approve) loose() int { return policies[max(0, slices.Index(Choices(), string(a)))].loose }

// Why is a verdict's reason in the words of lang.
func Why(v nebula.Verdict, lang string) string {
	why, known := say(v.Why, lang)
	if v.Missing && known { // what a record from before codes holds says so itself
		nobody, _ := say("nobody", lang)
		return fmt.Sprintf(nobody, why)
	}
	return why
}

// SayAll says dangers, or what stands in the points that a person decides on, in the words of lang.
//
//go:noinline
func SayAll(codes []nebula.Code, lang string) (said []string) {
	for _, c := range codes {
		said = append(said, Say(c, lang))
	}
	return said
}

// Given is what must have been read before a yes: what it gives beyond what every command may, each permission for itself,
// and why the risk is high. Where no danger is high by itself, those are all that make it so together.
func Given(p nebula.Proposal, v nebula.Verdict) (found []nebula.Code) {
	high := func(c nebula.Code) bool { return v.Risk == High && rowOf(c).weight == High }
	alone := slices.ContainsFunc(v.Risks, high)
	for _, r := range p.Risks {
		if c := nebula.Code(r); c == Unconfined || nebula.Beside(c) {
			found = append(found, c)
		}
	}
	for _, c := range v.Risks {
		if !lists.Has(found, c) && (high(c) || v.Risk == High && !alone && rowOf(c).weight == Medium) {
			found = append(found, c)
		}
	}
	return found
}

// Say says a danger in lang. What no catalogue knows, as in a record from before codes, is its own words.
//
//go:noinline
func Say(c nebula.Code, lang string) string {
	said, _ := say(c, lang)
	return said
}

//go:noinline
func say(c nebula.Code, lang string) (said string, known bool) {
	if said, known = phrase.Say(lang, "gate", inEnglish(), c); !known {
		return string(c), false
	}
	return said, true
}
