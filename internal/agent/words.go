package agent

import (
	"nebula"
	"nebula/internal/phrase"
)

// A sentence is something the session says to the model, in English.
type sentence string

// endings are the ways in which an action comes to no good end.
var endings = map[nebula.Status]sentence{
	nebula.Failed: "failed", nebula.Denied: "denied", nebula.Skipped: "skipped", nebula.Interrupted: "interrupted",
}

// The sentences.
const (
	refused        = sentence("Refused, nothing was done")
	refusedBefore  = sentence("the person refused just this already in this turn, however it is written. Do something else, or ask")
	turnStopped    = sentence("The person stopped the turn; this was not done.")
	dependsOn      = sentence("Not done: it depends on %s, which ended as %s.")
	behindQuestion = sentence("Not done: it stands behind the question of %s, whose answer you had not read. Read it, then do this only if it still holds.")
	behindFailure  = sentence("Not done: it destroys something, and %s before it in this reply ended as %s. See to that first, then do this if it is still right.")
	withoutChange  = sentence("Not done: it was to run with the change of %s, which was refused.")
	onOldFile      = sentence("Not done: it was to run with the %s of %s, which failed, so the file is not what it was to be. Make that change, then run this.")
	readWithout    = sentence("[%s has no argument %s; it was done without]")
	lastWord       = sentence("This turn ends here (%s); nothing more is carried out in it. Report to the person now, in words alone: what is done, what is not, and what should come next.")
	turnOver       = sentence("Not done: the turn had come to its end.")
	worn           = sentence("Little is left of what this turn may use (%d %% is used). Finish what matters most, and report what is done and what is not.")
	replyCut       = sentence("the reply reached the longest that this model writes; \"go on\" continues it")
	tooMany        = sentence("the reply has %d actions, more than the %d that one may have, so nothing of it was done. Take fewer, smaller steps.")
	ranInstead     = sentence("The person had this run instead: %s")
	noCommandHere  = sentence("only the command of a question that shows one can be changed")
	changedSince   = sentence("Not done: the file, the command or the mode changed after the question was shown. Look again and propose it anew.")
	noAnswer       = sentence("Nobody answered.")
	endedBefore    = sentence("Not done: nebula ended before it.")
	cutChanged     = sentence("nebula ended while this ran: %s. It had changed: %s. Undo takes that back.")
	endedDuring    = sentence("nebula ended while this ran; whether it took effect is not known. Check before doing it again.")
	stoppedBefore  = sentence("Stopped by the person.")
	endedAfter     = sentence("Done: nebula ended before it could say so.")
	couldNotRead   = sentence("This could not be read as actions. Write it again in the format you were taught, with the same contents:")
	stoppedHere    = sentence("[stopped here by the person]")
	formAtFault    = sentence("Not done: nobody is there to ask, and your form was the cause, since this had to be guessed from the reply. Write:")
	placeAtFault   = sentence("Not done: nobody is there to ask, and what stands around this action reads as if it were only shown, put off or asked about. If you do it, write it again with nothing around it but a line directly above that says that you do it now; else go on without it.")
	sameAsAbove    = sentence("The same as the result of %s %s above, in this reply.")
	noReason       = sentence("no reason given; asked for was: %s")
	proveIt        = sentence("Not accepted as done: %s. Run the tests, or a command that shows that it works. If that cannot be done, say so to the person in a line that begins with `Unverified:` and why.")
	notProven      = sentence("Ended without evidence: %s.")
	nothingMade    = sentence("Not accepted as done: the last change of %s failed, and was not made, or not all of it. Make it, or say to the person that it was not made.")
	nothingDone    = sentence("You say that something is done, or that you do it, and nothing was: this turn has changed no file and run nothing. Do it now by actions, or say to the person that it was not done.")
	onlySaid       = sentence("The model says that it did something, but in this turn nothing was changed and nothing was run.")
	unmade         = sentence("The last change of %s failed: it was not made, or not all of it.")
	stepBack       = sentence("You repeat yourself. Step back: say what you know, what you expected, and plan anew before the next action.")
	notAllKept     = sentence("Not all of the state was kept; cut was: %s. A line holds %d characters, an entry %d; there are at most %d constraints, %d steps of the plan and %d open questions.")
	lowConfidence  = sentence("Confidence is low (failures in a row that were there before: %d). Nothing is forbidden by it. What helps: read what the last error says and the files that it names, then take one small step that you can check.")
	lowMood        = sentence("Mood is low (test runs in a row that failed in the same way: %d). Nothing is forbidden by it. What helps: read the failing test and the code that it runs, and look for another cause than the one assumed so far.")
	circling       = sentence("%s came to the same %d times now, with nothing new in between. Doing it again brings nothing: do something else, or say to the person what you lack.")
	choices        = sentence("Stopped: %s. You can say how to go on, give a hint, switch the model, or undo this turn.")
	stillFails     = sentence("it still fails after %d attempts")
	noTool         = sentence("There is no tool %q.")
	keyHidden      = sentence("Not done: a key stands here that you are not shown. Name the environment variable that holds it instead.")
	nothingAsked   = sentence("Nothing was asked.")
	unsigned       = sentence("nobody gave that answer: say who does")
	noLonger       = sentence("nothing waits for that answer any more")
	noUndo         = sentence("nothing to take back: no turn of this session changed files")
	noRedo         = sentence("nothing to bring back: no undone turn")
	allUndone      = sentence("nothing is left to take back; a redo brings back what was taken")
	cannotUndo     = sentence("this session cannot take changes back")
	underWay       = sentence("a turn is under way; stop it first")
	somebodyThere  = sentence("Approval: %s (%s). The person can answer.")
	nobodyThere    = sentence("Approval: %s (%s). Nobody is there to answer: what would be asked about is refused, so decide yourself.")
	noTurn         = sentence("nothing is under way that this could join")
	noShell        = sentence("no command can be run here")
	noMode         = sentence("no mode %q; there are plan and agent")
	noPolicy       = sentence("no approval policy %q; there are ask, edits, all and none")
	onlyPlans      = sentence("nothing is carried out in plan mode; switch to agent mode first")
	tooLong        = sentence("the conversation needs %d tokens and does not fit the window of %d tokens of %s")
	narrower       = sentence("the server takes %d tokens for %s, not the %d that were assumed; the conversation is made to fit (to keep this: nebula config set models.%s.window %d)")
	larger         = sentence("switch to a model with a larger window or begin a new session")
	timeUp         = sentence("stopped: the time limit was reached")
	stepsUp        = sentence("stopped after %d steps (the limit)")
	tokensUp       = sentence("stopped after %d tokens (the limit is %d)")
	costUp         = sentence("stopped after $%.4f (the limit is $%.4f)")
	unreadable     = sentence("the model's replies could not be read; try another model or --protocol")
	keepsAnswering = sentence("%d replies in a row were written in %s")
	printsCalls    = sentence("%d replies in a row wrote their calls as text")
	takesNoTools   = sentence("%s was sent tools and refused: %s")
	outOfDate      = sentence("Changed since you read them, read them again before relying on them: %s")
	outOfSight     = sentence("No longer there, although you read them: %s")
	apiFailed      = sentence("%s; %s")
	goOn           = sentence("Go on.")
)

func (s *Session) say(p sentence) string { return phrase.In(s.state.Lang, string(p)) }
