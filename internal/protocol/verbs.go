package protocol

import "strings"

// A verbKind says what a verb's subject does with an action.
type verbKind uint8

const (
	noVerb    verbKind = iota
	works              // does it: what a tool can do
	reports            // speaks of it
	withholds          // keeps from it
	waits              // for the reader's leave
)

// cue is what a writer says of the action who says to do a verb of the kind.
func (k verbKind) cue() cue { return [...]cue{nothing, nothing, example, refusal, pending}[k] }

// A tense is the form of a verb.
type tense uint8

const (
	timeless tense = iota
	present        // write
	third          // writes
	going          // writing
	before         // wrote, written
)

// verbs are the verbs that decide, by their plain forms.
var verbs = [...]string{
	works: "act,attempt,add,address,adapt,adjust,apply,append,begin,build,bump,carry,change,check,clean,clear,commit,compile,complete,configure,continue,convert,copy,correct,create,cut,define,delete,deploy,disable,do,drop,edit,enable,execute,extend,extract,fetch,finish,finalize,fix,format,generate,get,give,go,handle,implement,import,improve,initialize,inline,insert,inspect,install," +
		"introduce,invoke,look,make,mend,merge,migrate,modify,move,nuke,open,overwrite,patch,perform,persist,place,prepare,proceed,push,put,read,rebuild,re-run,redo,refactor,regenerate,reformat,remove,rename,repair,replace,rerun,resolve,restart,restore,retry,revert,rewrite,run,save,scaffold,search,set,simplify,split,start,store,strip,swap,switch,take,test,tidy,tighten,trigger,try,turn,tweak,undo,update,upgrade,use,verify,wire,wrap,write,wipe",
	reports:   "advise,assume,cite,compare,consider,contemplate,contrast,debate,demonstrate,describe,discuss,explain,guess,illustrate,imagine,mean,mention,note,outline,paste,picture,plan,point,present,pretend,propose,quote,recall,recommend,remind,repeat,say,share,show,sketch,suggest,suppose,tell,treat,weigh,wonder",
	withholds: "abstain,avoid,decline,defer,disregard,exclude,forbid,hesitate,hold,ignore,leave,object,omit,oppose,pass,postpone,prohibit,refrain,refuse,reject,resist,skip,spare,veto,withhold",
	waits:     "ask,await,wait",
}

// pasts are irregular forms of the past, of verbs that decide and of others.
var pasts = map[string]verbKind{
	"wrote": works, "written": works, "ran": works, "did": works, "done": works, "made": works, "built": works, "took": works, "went": works, "began": works, "got": works, "gave": works, "said": reports, "told": reports, "meant": reports, "thought": reports,
	"left": withholds, "held": withholds, "forbade": withholds, "forbidden": withholds,
	"was": noVerb, "were": noVerb, "had": noVerb, "came": noVerb, "saw": noVerb, "found": noVerb, "sent": noVerb, "kept": noVerb, "broke": noVerb, "knew": noVerb, "stood": noVerb, "felt": noVerb, "stuck": noVerb, "brought": noVerb,
}

// verbForms are the forms of the verbs that decide, and of some others.
func verbForms() map[string]entry {
	all := map[string]entry{}
	for kind, list := range verbs {
		for verb := range strings.SplitSeq(list, ",") {
			if verb == "" {
				continue
			}
			stem := strings.TrimSuffix(verb, "e")
			double := verb + verb[len(verb)-1:]
			soft := strings.TrimSuffix(verb, "y") + "i"
			for _, s := range []string{verb + "s", verb + "es", soft + "es"} {
				all[s] = entry{kind: verbKind(kind), tense: third}
			}
			for _, s := range []string{verb + "ing", stem + "ing", double + "ing"} {
				all[s] = entry{kind: verbKind(kind), tense: going}
			}
			for _, s := range []string{verb + "ed", stem + "ed", double + "ed", soft + "ed"} {
				all[s] = entry{kind: verbKind(kind), tense: before}
			}
			all[verb] = entry{kind: verbKind(kind), tense: present}
		}
	}
	for word, kind := range pasts {
		all[word] = entry{kind: kind, tense: before}
	}
	return all
}

// verbOf tells the kind and form of a word that the lexicon has no verb for: by its last part, or by its ending.
func verbOf(word string, noun bool) (verbKind, tense) {
	if i := strings.LastIndexByte(word, '-'); i > 0 { // re-running
		if e := lexicon()[word[i+1:]]; e.tense != timeless {
			return e.kind, e.tense
		}
	}
	switch {
	case strings.HasSuffix(word, "ing") && len(word) > 5 && !noun:
		return noVerb, going
	case strings.HasSuffix(word, "ed") && !strings.HasSuffix(word, "eed") && len(word) > 4:
		return noVerb, before
	}
	return noVerb, timeless
}
