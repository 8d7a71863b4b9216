package protocol

import (
	"slices"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What is known of single English words, each looked up once: of which verb a word is a form, and what it says to the readings
// of words.go, english.go and leave.go.

// A class is what a set of words has in common; a word may be of several.
type class uint64

const (
	pointers       class = 1 << iota // point at an action
	near                             // name it, behind an article
	knowing                          // are no deeds, behind a negation
	ill                              // are what is not to be, behind "is not"
	carriers                         // stand between a clause's beginning and the one who says it
	adverbs                          // stand between who acts and the verb
	nouns                            // look like forms of verbs
	fillers                          // say nothing
	ordinals                         // say where in a row of deeds something stands
	spans                            // behind an ordinal say when
	demonstratives                   // show something
	readers                          // are the one who reads
	determiners                      // stand before a noun
	states                           // say what is so
	selves                           // are the writer
	makings                          // are what a deed is called or gives
	writings                         // are kinds of text
	leads                            // lead into what is done
	objects                          // make of a word before them a verb
	attitudes                        // are what one does in mind
	performed                        // are what a deed is when it is over
	executions                       // are what one does with an order
	maybes                           // say what could be
	orders                           // are what a text can be that is not one
	leaves                           // are what only the reader gives
	requests                         // turn to the reader
	intruders                        // are others, with bad intent
	nos                              // deny
	pronouns                         // point back
	modals                           // say what would be
	fresh                            // are how a file is called that was just made
	goings                           // say when
	reporting                        // hand over to somebody's text, as last words
	consentNouns                     // are leave
	bans                             // say that rules forbid it
	asides                           // are about something else
	denials                          // say of what an action is about that it is not done
	starters                         // begin a clause behind them
	negatives                        // negate
	people                           // are others
	interjections                    // break off
	possessives                      // say whose
	topics                           // name what an action is about
	persons                          // are somebody's name
)

// classes are the words by their classes.
var classes = []struct {
	class class
	words string
}{
	{pointers, "this that it these those them such anything so yet any what out as like one either here now by"},
	{near, "following command commands call action line lines above below out next kind thing snippet block example code step change deletion operation one steps"},
	{knowing, "panic fear see find think know need worry have believe expect understand remember care mind forget seem be exist cover matter get contain work hesitate guess rush only just help helps suffice match mean agree prove"},
	{ill, "run executed done applied performed carried meant intended advised recommended safe wise advisable this like how sent issued"},
	{carriers, "the a an our your my this that in from per according to on by at of one another some official their his her its as most many what how internal other line project's last quoted quoting copied taken found seen git shell bash upstream user's these every"},
	{adverbs, "now then just also only first simply quickly merely still currently here really gladly therefore already to going about be do"},
	{nouns, "during nothing something anything everything string according regarding including following missing warning meaning interesting existing being having depending speaking judging pending morning evening providing"},
	{fillers, "ok okay alright sure well yes great perfect on to so and but also just thanks back please"},
	{ordinals, "now next then first firstly second third finally last lastly step afterwards remaining another more"},
	{spans, "week weeks month sprint release quarter year time times day days week's night thing thing's hour idea"},
	{demonstratives, "this that these those following below with here here's"},
	{readers, "you your yourself one's"},
	{determiners, "the a all my of these those failing unit and"},
	{states, "is are was were has have had be"},
	{selves, "i we i'll i'm i've we'll we're we've i'd"},
	{makings, "fix fixes cleanup clean-up removal deletion creation installation migration file files edit version patch command commands code test tests script action rebuild rename setup implementation verification correction replacement solution refactoring modification diff step task"},
	{writings, "line lines text sentence passage message instruction instructions prompt quote quotation excerpt example sample snippet request attack injection result results output log logs form format syntax template usage case reply response answer note notes comment plan idea draft option alternative alternatives appendix question questions citation illustration page content"},
	{leads, "in for with at on from after below following by rather instead"},
	{objects, "to it this that me"},
	{attitudes, "hope expect think believe trust know see need also then now will shall am have want can must may"},
	{performed, "done run executed applied performed carried taken changed made happened touched started sent deleted removed edited dropped wiped merged deployed migrated pushed"},
	{executions, "do doing run running execute executing perform follow following obey act sort action"},
	{maybes, "might may could can should"},
	{orders, "words order command instruction request mine yours wish"},
	{leaves, "allow approve approval permit permission consent confirm agree authorise authorize authorised decide decision judge call choice go-ahead light word blessing say-so yes want hear answer tell say leave ok whether"},
	{requests, "please confirm approve decide choose answer reply judge"},
	{intruders, "attack injection injected trick attacker whoever someone somebody nobody"},
	{nos, "no none nothing not never nobody"},
	{pronouns, "it it's that's them above here so"},
	{modals, "would could might may"},
	{fresh, "new updated corrected fixed revised improved rewritten full complete final"},
	{goings, "after once when until finally done if"},
	{reporting, "says said say wrote writes reads read contains shows showed suggests suggested was were is are answered answers replied mentions mentioned states stated recommends recommended recommend advises advised prints printed quotes lists listed told tells reports reported instructs of what like which whether instruction instructions warns warned claims claimed posted pasted proposes proposed describes described documents documented typed entered noted notes has had did ran used tried executed unsafe bad"},
	{consentNouns, "permission approval consent confirmation go-ahead"},
	{bans, "forbade forbid forbids forbidden prohibited prohibits disallowed violates breaks against not"},
	{asides, "also next then more another further afterwards else besides too additionally why where"},
	{denials, "won't not never cannot can't refuse decline didn't"},
	{people, "colleague colleagues coworker coworkers intern junior senior predecessor teammate friend someone somebody people folks others beginner beginners editor operator operators admin admins owner owners"},
	{interjections, "no nope nah wait stop actually oh oops sorry hold scratch"},
	{starters, "first so but and then now instead therefore here please below which"},
}

// An entry is what is known of a word.
type entry struct {
	class class
	sets  uint64 // the word sets of the shapes that have it
	kind  verbKind
	tense tense
	first *[]*shape // the shapes that can begin with it
}

// unknown reports whether nothing is known of the word by itself.
func (e entry) unknown() bool {
	return e.class == 0 && e.sets == 0 && e.kind == noVerb && e.tense == timeless
}

// is reports whether the word is of one of the classes.
func (e entry) is(c class) bool { return e.class&c != 0 }

// lexicon are the words of the classes and the forms of the verbs.
var lexicon = sync.OnceValue(func() map[string]entry {
	all := verbForms()
	for _, row := range classes {
		for word := range strings.FieldsSeq(row.words) {
			e := all[word]
			e.class |= row.class
			all[word] = e
		}
	}
	for name, bit := range setBits() {
		for word := range strings.FieldsSeq(wordSets()[name]) {
			e := all[word]
			e.sets |= bit
			all[word] = e
		}
	}
	shapes().into(all)
	return all
})

// entryOf looks a word up; what is no form of a verb that decides is told by its ending.
func entryOf(word string) entry {
	e := lexicon()[word]
	if word == "not" || word == "never" || word == "cannot" || word == "dont" || strings.HasSuffix(word, "n't") {
		e.class |= negatives
	}
	if of, is := strings.CutSuffix(word, "'s"); is {
		base := lexicon()[of]
		if e.sets |= base.sets; !lists.Has(contracted, of) {
			e.class |= possessives | base.class&people
		}
	}
	if e.tense == timeless {
		e.kind, e.tense = verbOf(word, e.is(nouns))
	}
	return e
}

// contracted are words behind which 's is a verb.
var contracted = []string{"it", "that", "this", "let", "here", "there", "what", "who", "where", "how", "he", "she", "one"}

// A word is one in small letters; stop says that a clause ends behind it, colon that it does with one.
type word struct {
	text  string
	stop  bool
	colon bool
	entry
}

var plainer = strings.NewReplacer("’", "'", "(", " ", ")", " ", "—", ", ", "–", ", ", "：", ": ", "*", "", "_", " ", "`", " ", "\"", " ", "→", ", so ", "->", ", so ", "=>", ", so ", "e.g.", "eg", "i.e.", "ie")

// wordsOf are a sentence's words.
func wordsOf(sentence string) []word {
	low := strings.ToLower(sentence)
	if !ascii(low) || strings.ContainsAny(low, "()*_`\">") || strings.Contains(low, "e.g.") || strings.Contains(low, "i.e.") {
		low = plainer.Replace(low)
	}
	out := make([]word, 0, 2+len(low)/4)
	for f := range strings.FieldsSeq(low) {
		text := f
		if !letter(f[0]) || !letter(f[len(f)-1]) {
			text = strings.Trim(f, ".,;:!?…~“”#>•・-+[]⚠️'{}¿¡")
		}
		if text != "" {
			w := word{text, strings.IndexByte(",;:", f[len(f)-1]) >= 0, f[len(f)-1] == ':', entryOf(text)}
			if w.unknown() && proper(sentence, text) || w.is(possessives) && proper(sentence, text) {
				w.class |= persons
			}
			out = append(out, w)
		} else if len(out) > 0 {
			out[len(out)-1].stop = true
		}
	}
	return out
}

// proper reports whether a word that the lexicon does not have is written with a capital in a sentence, as a name is: Kim, Kim's.
func proper(sentence, word string) bool {
	bare := strings.TrimSuffix(word, "'s")
	if lists.Has(contracted, bare) || len(bare) < 2 || !letter(bare[0]) || strings.Trim(bare, "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	name := strings.ToUpper(bare[:1]) + bare[1:]
	i := strings.Index(sentence, name)
	if i < 0 || i > 0 && sentence[i-1] != ' ' {
		return false
	}
	next, _, _ := strings.Cut(strings.TrimLeft(sentence[i+len(name):], " "), " ")
	return i > 0 || bare != word || lexicon()[next].of("TOLD") || lexicon()[next].of("DESCRIBED")
}

// anyOf reports whether one of the words is of one of the classes. These are asked in so many places that their code in each of
// them would be 140 KB.
//
//go:noinline
func anyOf(words []word, c class) bool {
	return slices.ContainsFunc(words, func(w word) bool { return w.is(c) })
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' }

// A sentence is one as it was heard, each thing about it worked out once.
type sentence struct {
	text     string
	japanese bool
	words    []word
	heard    said
	plain    string // in Japanese
	told     cue    // in Japanese
	cue      cue    // in both languages
	weighed  bool
	taken    uint16 // the stands of its shapes, once weighed
	awaits   *bool  // whether it waits, once asked
	whole    string // as it was written
	further  bool   // it is about work to come
	offered  bool   // it offers something else: nothing of it is about an action
	spared   bool   // it said of something else that it is not done
}

// An ear has heard the sentences around a reply's actions; the same one often stands there twice, as a line and as a reason.
type ear struct {
	heard   map[string]*sentence
	actions []nebula.Action
	named   []string // how the words begin that name what the actions are about, once something was heard

	grave *bool // whether one of them has consequences, once asked
	mild  *bool // whether none of them has, nor is any unknown command

	first, last, every map[string][]*sentence // of texts that were heard
}

// recall is what a text was heard to say, which is heard once.
//
//go:noinline
func recall(heard *map[string][]*sentence, text string, hear func(string) []*sentence) []*sentence {
	if *heard == nil {
		*heard = map[string][]*sentence{}
	}
	list, known := (*heard)[text]
	if !known {
		list = slices.Clip(hear(text))
		(*heard)[text] = list
	}
	return list
}

func newEar(actions ...nebula.Action) *ear { return &ear{actions: actions} }

// of hears one sentence.
func (e *ear) of(text string) *sentence {
	if e.heard == nil {
		e.heard, e.named = map[string]*sentence{}, stems(e.actions)
	}
	text = comfort.For(text).ReplaceAllString(text, "")
	s := e.heard[text]
	if s == nil {
		s = &sentence{text: text, whole: text, japanese: inJapanese(text), words: wordsOf(text)}
		for i, w := range s.words {
			if slices.ContainsFunc(e.named, func(stem string) bool { return strings.HasPrefix(w.text, stem) }) {
				s.words[i].class |= topics
			}
		}
		if s.japanese {
			s.text = mixed.For(s.text).ReplaceAllStringFunc(s.text, func(word string) string {
				said := mixed.For(word).FindStringSubmatch(word)
				return mixedWords[strings.ToLower(said[1])] + said[2]
			})
		}
		e.spare(s)
		s.heard = hear(s.words)
		if s.japanese {
			s.plain = plainJapanese(s.text)
			s.told = japaneseCue(s.plain)
		}
		s.cue = s.cueOf()
		s.further = s.goesFurther(e.named)
		tells, leads := e.tellsOfWork(s)
		if s.offered = (s.offered || s.further || s.offers() || s.staysInside(e.actions) || tells) && !s.stands(plainly); s.offered {
			s.cue, s.told, s.heard, s.weighed, s.taken, s.awaits = nothing, nothing, said{}, true, 1<<clears, nil
		}
		if e.deletes() {
			switch plain := s.stands(plainly); {
			case keepsNone.In(text) && !plain:
				s.taken, s.awaits = 1<<leading|1<<affirms, nil
			case s.preserves(), deletesNone.In(text) && anyOf(s.words, topics) && !s.namesOther(e.actions):
				s.taken |= 1 << plainly
			}
		}
		if leads {
			s.taken |= 1 << leading
		}
		e.heard[text] = s
	}
	return s
}

// comfort are words before a sentence that say nothing of it.
var comfort = &lazy.Pattern{X: `(?i)^(?:don['’]t worry|do not worry|no worries)[:,;—–-]+ |, only the \w+ (?:counts|stands|is meant)\b|^(?:(?:ご)?心配(?:は)?(?:いりません|要りません|ありません|ご無用です)|(?:ご)?安心(?:して)?ください|大丈夫です|問題ありません)、`}

// mixed is an English word in a Japanese sentence that says what is done, mixedWords are what it is in Japanese.
var (
	mixed      = &lazy.Pattern{X: `(?i)\b(cancel|stop|fix|touch|change|edit|delete|tests?|example|draft) ?(し|する|で[。す]|で$|は)`}
	mixedWords = map[string]string{"cancel": "キャンセル", "stop": "ストップ", "fix": "修正", "touch": "変更", "change": "変更", "edit": "編集", "delete": "削除", "test": "テスト", "tests": "テスト", "example": "サンプル", "draft": "ドラフト"}
)

// sentences hears those of a line, without what sets them off.
func (e *ear) sentences(line string) []*sentence {
	list := sentences(bared(line))
	out := make([]*sentence, len(list))
	for i, text := range list {
		out[i] = e.of(text)
	}
	return out
}

// bared is a line without what sets it off.
//
//go:noinline
func bared(line string) string { return strings.Trim(line, " \t\r\n*_`~～#()（）-–—<!>/") }
