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
	refused         = sentence("Refused, this was not done")
	planWaits       = sentence("The plan waits for approval; nothing of it was done.")
	keyNotSent      = sentence("a key in the request is not sent: the model reads only how it begins")
	personRefused   = sentence("the person refused it")
	nobodyHears     = sentence("nobody is there to answer")
	askedBecause    = sentence("%s, and this is asked about: %s")
	changedAgainst  = sentence("[This changed %s, although the person said: “%s”. Say so, and offer to take it back]")
	putBackAgainst  = sentence("[This changed %s (%d in all), although the person said: “%s”. It was put back as it was: do not change it in another way]")
	sparedOf        = sentence("[Not kept: %s]")
	refusedBefore   = sentence("the person refused just this already in this turn, however it is written. Do something else, or ask")
	turnStopped     = sentence("The person stopped the turn; this was not done.")
	dependsOn       = sentence("Not done: it depends on %s, which ended as %s.")
	oneQuestion     = sentence("Not asked: one question at a time. Ask this one in a later reply, if the answer does not settle it.")
	behindQuestion  = sentence("Not done: it stands behind the question of %s, whose answer you had not read. Read it, then do this only if it still holds.")
	behindFailure   = sentence("Not done: it destroys something, and %s before it in this reply ended as %s. See to that first, then do this if it is still right.")
	withoutChange   = sentence("Not done: it was to run with the change of %s, which was refused.")
	onOldFile       = sentence("Not done: it was to run with the %s of %s, which failed, so the file is not what it was to be. Make that change, then run this.")
	readWithout     = sentence("[%s has no argument %s; it was done without]")
	lastWord        = sentence("This turn ends here (%s); nothing more is carried out in it. Report to the person now, in words alone: what is done, what is not, and what should come next.")
	turnOver        = sentence("Not done: the turn had come to its end.")
	worn            = sentence("Little is left of what this turn may use (%d %% is used). Finish what matters most, and report what is done and what is not.")
	replyWithheld   = sentence("the provider's filter ended the reply; say it in other words, or choose another model with /model or --model")
	endedOtherwise  = sentence("the server ended the reply as %q, which may not be its end; \"go on\" continues it")
	callsNothing    = sentence("Your reply ended as one that calls a tool, and no call came with it. If one was meant, make it now. If not, say just that: your answer stands.")
	neverCalled     = sentence("The reply ended as one that calls a tool, and no call came with it.")
	replyCut        = sentence("the reply reached the longest that this model writes; \"go on\" continues it")
	tooMany         = sentence("the reply has %d actions, more than the %d that one may have, so nothing of it was done. Take fewer, smaller steps.")
	ranInstead      = sentence("The person had this run instead: %s")
	changedFirst    = sentence("The person wrote the change otherwise before allowing it. This is what was made of it; read the file again before you change it further: %s")
	noCommandHere   = sentence("only a command, or the change of one text, can be written otherwise")
	changedSince    = sentence("Not done: the file, the command or the mode changed after the question was shown. Look again and propose it anew.")
	noAnswer        = sentence("Nobody answered.")
	endedBefore     = sentence("Not done: nebula ended before it.")
	cutChanged      = sentence("nebula ended while this ran: %s. It had changed: %s. Undo takes that back.")
	cutUnsure       = sentence("nebula ended while this ran: %s. It is not sure who changed these, or what they were, and they stay: %s.")
	madeInPart      = sentence("Before that, this was changed, and it stands: %s.")
	endedDuring     = sentence("nebula ended while this ran; whether it took effect is not known. Check before doing it again.")
	endedOnView     = sentence("nebula ended while this ran, or before what it did was kept: the folder has nothing of it. It can be run again.")
	stoppedBefore   = sentence("Stopped by the person.")
	endedAfter      = sentence("Done: nebula ended before it could say so.")
	couldNotRead    = sentence("This could not be read as actions. Write it again in the format you were taught, with the same contents:")
	endedBy         = sentence("Stopped: nebula was ended by %s, not by the person.")
	stoppedHere     = sentence("[stopped here by the person]")
	brokeOffHere    = sentence("[the reply broke off here]")
	halfKept        = sentence("the reply broke off, and what came of it is kept as unfinished; \"go on\" continues it")
	formAtFault     = sentence("Not done: nobody is there to ask, and your form was the cause, since this had to be guessed from the reply. Write:")
	shownOnly       = sentence("Not done: an explanation was asked for, and this is what your reply shows.")
	cutAtFault      = sentence("Not done: nobody is there to ask, and your reply ended inside the content, behind %s: its last line -- is missing. Write:")
	placeAtFault    = sentence("Not done: nobody is there to ask, and what stands around this action reads as if it were only shown, put off or asked about. If you do it, write it again with nothing around it but a line directly above that says that you do it now; else go on without it.")
	wordsAtFault    = sentence("Not done: nobody is there to ask, and these words of yours say that it waits, is only shown, or is not meant:\n> %s\nIf it is to be done, call it again without them; else go on without it.")
	sameAsAbove     = sentence("The same as the result of %s %s above, in this reply.")
	noReason        = sentence("no reason given; asked for was: %s")
	proveIt         = sentence("Not accepted as done: %s. Run the tests, or a command that shows that it works. If that cannot be done, say so to the person in a line that begins with `Unverified:` and why.")
	onlyBuilt       = sentence("%s is said to work, and was only built or looked over since it was changed")
	noneBefore      = sentence("what fails is named, and no test ran before the change that could show that it failed then")
	notProven       = sentence("Ended without evidence: %s.")
	testsFail       = sentence("The task is not done: the last test run failed, as the answer says.")
	noCommands      = sentence("; not tested, because commands are refused (--approve %s)")
	nothingMade     = sentence("Not accepted as done: the last change of %s failed, and was not made, or not all of it. Make it, or say to the person that it was not made.")
	eachPart        = sentence("Before this is done: nothing that was changed or run has to do with this part of the request:\n- %s\nChanged: %s. Do what lacks, or say why it stands as it is. If nothing lacks, say just that: your report stands.")
	nothingDone     = sentence("The request asks for a change, or you say that something is done or that you do it, and nothing was: this turn has changed no file and run nothing. Do it now by actions, or say to the person that it was not done, and why.")
	notCalled       = sentence("Nothing was done: what your reply shows changes nothing by itself. If it was to be done, write it now as you were taught:\n%s\nIf you only meant to show it, say so in a line.")
	notBrought      = sentence("%s names what is not there or may not be read, so the model is not told of it: %s")
	leftOut         = sentence("%s: the model is told the first %d of its %d lines; budget.advice is how much has room")
	givesWay        = sentence("%s is read, and %s beside it is not; write %s into it, or move what counts there")
	onlySaid        = sentence("In this turn nothing was changed and nothing was run.")
	notShown        = sentence("Not accepted as done: you say “%s”, and nothing in the record shows it. Do it now by actions, or say to the person what was not done.")
	onlyClaimed     = sentence("The answer says “%s”, and nothing in the record shows it.")
	neverRan        = sentence("The answer speaks of %s, which did not run in this turn.")
	madeToFit       = sentence("The tests pass, and what %s expects was changed in this turn, which the answer does not say.")
	inventedResult  = sentence("What the answer shows as the result of a tool is the model's own text: %s")
	nothingRead     = sentence("Not accepted as done: the last call of %s could not be read, and was not carried out. Make it again, or say to the person that it was not done.")
	notRead         = sentence("The last call of %s could not be read: it was not carried out.")
	notMade         = sentence("The last change of %s failed: it was not made, or not all of it.")
	stepBack        = sentence("You repeat yourself. Step back: say what you know, what you expected, and plan anew before the next action.")
	notAllKept      = sentence("Not all of the state was kept; cut was: %s. A line holds %d characters, an entry %d; there are at most %d constraints, %d steps of the plan and %d open questions.")
	lowConfidence   = sentence("Confidence is low (failures in a row that were there before: %d). Nothing is forbidden by it. What helps: read what the last error says and the files that it names, then take one small step that you can check.")
	lowMood         = sentence("Mood is low (test runs in a row that failed in the same way: %d). Nothing is forbidden by it. What helps: read the failing test and the code that it runs, and look for another cause than the one assumed so far.")
	passedAgain     = sentence("%s passed %d times now, with nothing changed in between: that it passes is shown. If it might not always pass, one run can repeat it (`go test -count=20`); otherwise go on, or say to the person what came out.")
	circling        = sentence("%s came to the same %d times now, with nothing new in between. Doing it again brings nothing: do something else, or say to the person what you lack.")
	choices         = sentence("Stopped: %s. You can say how to go on, give a hint, switch the model, or undo this turn.")
	stillFails      = sentence("it still fails after %d attempts")
	noTool          = sentence("There is no tool %q.")
	keyHidden       = sentence("Not done: a key stands here that you are not shown. Name the environment variable that holds it instead.")
	nothingAsked    = sentence("Nothing was asked.")
	unsigned        = sentence("nobody gave that answer: say who does")
	noLonger        = sentence("nothing waits for that answer any more")
	noUndo          = sentence("nothing to take back: no turn of this session changed files")
	noRedo          = sentence("nothing to bring back: no undone turn")
	allUndone       = sentence("nothing is left to take back; a redo brings back what was taken")
	cannotUndo      = sentence("this session cannot take changes back")
	noneLeft        = sentence("nothing is left to shorten: the conversation takes %d tokens")
	atTheEnd        = sentence("The conversation is shortened when this turn has come to its end.")
	hookFailed      = sentence("a hook of %s gave no answer: %s (%s): %s")
	hookChanged     = sentence("[a hook had it done otherwise, with these arguments: %s]")
	serverBegan     = sentence("the language's server runs in a box and is asked about changes: %s")
	hookInstead     = sentence("a hook of yours or of the folder put it in the place of %s")
	hookSays        = sentence("[a hook says: %s]")
	underWay        = sentence("a turn is under way; stop it first")
	somebodyThere   = sentence("Approval: %s (%s). The person can answer.")
	nobodyThere     = sentence("Approval: %s (%s). Nobody is there to answer: what would be asked about is refused, so decide yourself.")
	noTurn          = sentence("nothing is under way that this could join")
	notKept         = sentence("it holds for this session only, since it could not be kept: %s")
	noJobs          = sentence("nothing can run in the background here")
	noShell         = sentence("no command can be run here")
	noMode          = sentence("no mode %q; there are plan and agent")
	noEffort        = sentence("no effort %q; there are auto, off, low, medium, high and max")
	noPolicy        = sentence("no approval policy %q; there are ask, edits, all and none")
	onlyPlans       = sentence("nothing is carried out in plan mode; switch to agent mode first")
	tooLong         = sentence("the conversation needs %d tokens and does not fit the window of %d tokens of %s")
	narrower        = sentence("the server takes %d tokens for %s, not the %d that were assumed; the conversation is made to fit (to keep this: nebula config set models.%s.window %d)")
	fewerLines      = sentence("%s had %d lines and has %d now: the model gave it so again when it was told what would be lost (nebula undo takes it back)")
	cannotAnswer    = sentence("%s cannot answer in the place of %s: %s")
	answersInstead  = sentence("%s answers in the place of %s for %d minutes: %s")
	larger          = sentence("switch to a model with a larger window or begin a new session")
	timeUp          = sentence("stopped: the time limit was reached")
	stepsUp         = sentence("stopped after %d steps (the limit)")
	tokensUp        = sentence("stopped after %d tokens (the limit is %d)")
	newUp           = sentence("stopped after %d tokens that the model had not read before (the limit is %d)")
	costUp          = sentence("stopped after $%.4f (the limit is $%.4f)")
	saysNothing     = sentence("the model has said nothing for %s in the middle of its reply; it is still waited for")
	onlyThought     = sentence("the model thought and then said nothing, again and again; try a lower --effort, a larger models.NAME.max_output, or another model")
	nothingSaid     = sentence("the model's replies were empty, again and again; try another model or --protocol")
	unreadable      = sentence("the model's replies could not be read; try another model or --protocol")
	keepsAnswering  = sentence("%d replies in a row were written in %s")
	printsCalls     = sentence("%d replies in a row wrote their calls as text")
	takesNoTools    = sentence("%s was sent tools and refused: %s")
	outOfDate       = sentence("Changed since you read them, read them again before relying on them: %s")
	outOfSight      = sentence("No longer there, although you read them: %s")
	movedTo         = sentence("%s (it is %s now)")
	apiFailed       = sentence("%s; %s")
	goOn            = sentence("Go on.")
	noneFits        = sentence("nothing that it changed is named %s")
	nothingToChoose = sentence("only of what a command did can some be kept")
	doneBeyond      = sentence("what it did outside of the folder, at %s, is done: it was not dropped, and undo does not cover it")
	andBeyond       = sentence("; done outside of the folder, and not undone: %s")
	endedBeyond     = sentence("nebula ended while this was tried, or before what it did was kept: the folder has nothing of it. What it did outside of the folder, at %s, is not known and not undone. Check before doing it again.")
	keptBeyond      = sentence("%s What it did outside of the folder, at %s, is not undone.")
	undoneBeyond    = sentence("%s; what commands did outside of the folder, at %s, is not undone")
	nothingToTry    = sentence("only a command that a view of the folder can hold can be tried first")
)

// warns and informs are notes for the person, which every reader's language says.
//
//go:noinline
func (s *Session) warns(p sentence, args ...any) nebula.Noted { return s.tells("warning", p, args...) }

//go:noinline
func (s *Session) informs(p sentence, args ...any) nebula.Noted { return s.tells("info", p, args...) }

func (s *Session) tells(level string, p sentence, args ...any) nebula.Noted {
	return s.noted(level, phrase.Note(string(p), args...))
}

// saying is a sentence in the person's language.
func (s *Session) saying(w nebula.Words) string { return phrase.Told(s.state.Lang, phrase.Said(w)) }

// noted is a code for the person, with what it says in the session's language.
//
//go:noinline
func (s *Session) noted(level string, c nebula.Code) nebula.Noted {
	return nebula.Noted{Level: level, Text: phrase.Told(s.state.Lang, c), Code: c}
}

// because is a change of the session that the program makes, with why.
func (s *Session) because(b nebula.Switched, p sentence, args ...any) nebula.Switched {
	b.WhyCode = phrase.Note(string(p), args...)
	b.Why = phrase.Told(s.state.Lang, b.WhyCode)
	return b
}

//go:noinline
func (s *Session) say(p sentence) string { return phrase.In(s.state.Lang, string(p)) }
