package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/workspace"
)

// Background lets the commands of a session go on in the background: the tool that runs commands can be asked for it, and one
// more is there while there is something for it.
func Background(tools []nebula.Tool, jobs *workspace.Jobs) []nebula.Tool {
	tools = lists.Clone(tools)
	for i, t := range tools {
		if shell, ok := t.(*executeShell); ok {
			own := *shell
			own.o.Jobs = jobs
			tools[i] = &own
			tools = append(tools, &backgroundJob{own.o})
			break
		}
	}
	return tools
}

// beside reads how a command is to go on in the background, if it is.
func beside(word json.RawMessage) (background, terminal bool) {
	switch text := strings.ToLower(strings.Trim(string(word), `"`)); text {
	case "", "false", "no", "null", "0":
		return false, false
	default:
		return true, lists.Has([]string{"tty", "pty", "terminal"}, text)
	}
}

// inBackground proposes that a command goes on in the background.
func (t *executeShell) inBackground(c workspace.Command, p nebula.Proposal, lang string) (nebula.Proposal, error) {
	p.Risks = append(p.Risks, nebula.Background)
	if files := lists.Drop(t.dir.Telling(), func(file string) bool { return t.o.Secret == nil || !t.o.Secret(file) }); len(files) > 0 {
		p.Risks = append(p.Risks, string(nebula.NewCode(nebula.Keeps, some(files, 3))))
	}
	p.Blind = true
	p.Summary = said(lang, "run in the background: %s", c.Line)
	p.Do = func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
		j, err := t.o.Jobs.Start(r.Grant, c)
		if err != nil {
			return nebula.Result{}, err
		}
		j.Await(ctx, nil, atFirst)
		text := worded(lang, "Runs in the background as job %d.", j.ID)
		out := nebula.Result{Status: nebula.Done, Blind: true, Confined: j.Held.String(), Summary: said(lang, "job %d in the background", j.ID)}
		if !j.Running() {
			out.Status, out.Summary = jobStatus(j), jobLine(j, lang)
		}
		out.Text = text + "\n" + jobText(j, t.o.Output, lang)
		return out, nil
	}
	return p, nil
}

// atFirst is how long a command in the background is looked at when it begins: what cannot begin ends at once.
const atFirst = 700 * time.Millisecond

// jobText is how a job stands, and what it wrote since it was last told of.
func jobText(j *workspace.Job, most int, lang string) string {
	data, before := j.Read(most)
	text := jobLine(j, lang)
	if before > 0 {
		text += "\n" + worded(lang, "[%s before this left out]", phrase.Bytes(before))
	}
	if len(data) == 0 {
		return text + "\n" + worded(lang, "(no new output)")
	}
	return text + "\n" + strings.TrimRight(legible(data), "\n")
}

// jobLine is one line of how a job stands.
func jobLine(j *workspace.Job, lang string) string {
	return phrase.Told(lang, phrase.Said(jobStands(j)))
}

func jobStands(j *workspace.Job) nebula.Words {
	var status nebula.Words
	e := j.Exit()
	switch {
	case j.Running():
		status = running(j.Serves()...)
	case e.Stopped:
		status = nebula.Say("stopped")
	case e.Exceeded != "":
		status = nebula.Say("Ended: %s.", nebula.Say(exceeded[e.Exceeded]))
	case len(e.Aside) > 0:
		status = nebula.Say("%s%s", nebula.Say("ended, exit %d", e.Code),
			nebula.Say("; put aside, since commands may not make it (if you made it meanwhile, rename it back): %s", some(e.Aside, 5)))
	default:
		status = nebula.Say("ended, exit %d", e.Code)
	}
	return jobIs(nebula.Say("job %d", j.ID), j.Says(), status)
}

func running(urls ...string) nebula.Words {
	return nebula.Say("%s%s", nebula.Say("running"), strings.Join(append([]string{""}, urls...), ", "))
}

func jobIs(job nebula.Words, says string, status nebula.Words) nebula.Words {
	return nebula.Say("%s (%s): %s", job, clipped(says, 60), status)
}

//go:noinline
func clipped(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

//go:noinline
func jobStatus(j *workspace.Job) nebula.Status {
	if e := j.Exit(); e.Code != 0 && !e.Stopped {
		return nebula.Failed
	}
	return nebula.Done
}

// backgroundJob reads, feeds and stops commands in the background.
type backgroundJob struct{ o Options }

// Usable reports whether there is one.
func (t *backgroundJob) Usable() bool { return len(t.o.Jobs.List()) > 0 }

// Spec implements nebula.Tool.
func (t *backgroundJob) Spec() nebula.ToolSpec {
	input := payload("input", "for it to read")
	input.Required = false
	return nebula.ToolSpec{
		Name: "backgroundJob", Aliases: []string{"background_job"},
		Description: "A job's new output; or feed or stop it.",
		Params: []nebula.Param{param("id", "integer", false, ""), param("until", "string", false, "regexp to wait for"), param("timeout", "number", false, "seconds"),
			input, param("stop", "boolean", false, "")},
		Effect: nebula.Execute, Plans: true,
	}
}

// Propose implements nebula.Tool.
func (t *backgroundJob) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		ID      int
		Until   string
		Timeout float64
		Input   string
		Stop    bool
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	list := t.o.Jobs.List()
	if len(list) == 0 {
		return nebula.Proposal{}, mistake("Nothing runs in the background.", "executeShell with background begins something.")
	}
	if in.ID == 0 && len(list) == 1 {
		in.ID = list[0].ID
	}
	if in.ID == 0 {
		text := Listed(t.o.Jobs, v.Lang)
		return nebula.Proposal{Effect: nebula.Read, Summary: said(v.Lang, "commands in the background"), Do: func(context.Context, nebula.Run) (nebula.Result, error) {
			return nebula.Result{Text: text}, nil
		}}, nil
	}
	j := t.o.Jobs.Find(in.ID)
	if j == nil {
		m := nebula.Wrong("", "There is no job %d.", in.ID)
		m.Hint = allJobs(t.o.Jobs)
		return nebula.Proposal{}, m
	}
	until, err := pattern(in.Until)
	if err != nil {
		return nebula.Proposal{}, err
	}
	wait, err := t.o.limit(cmp.Or(in.Timeout, waitsFor))
	if err != nil {
		return nebula.Proposal{}, err
	}
	p := turnTo(j, in.Stop, in.Input, v.Lang)
	p.Do = func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
		switch {
		case in.Stop:
			j.Stop()
		case in.Input != "":
			if err := j.Feed(r.Grant, in.Input); err != nil {
				return nebula.Result{}, err
			}
		}
		switch {
		case until != nil:
			j.Await(ctx, until, wait)
		case in.Input != "":
			j.Await(ctx, nil, atFirst)
		}
		out := nebula.Result{Status: nebula.Done, Text: jobText(j, t.o.Output, v.Lang), Summary: jobLine(j, v.Lang), Blind: in.Input != ""}
		if !j.Running() {
			out.Status = jobStatus(j)
		}
		return out, nil
	}
	return p, nil
}

// turnTo says what is done with a job, which changes something only where it is fed.
func turnTo(j *workspace.Job, stop bool, input, lang string) nebula.Proposal {
	switch {
	case stop:
		return nebula.Proposal{Effect: nebula.Read, Summary: said(lang, "stop job %d", j.ID)}
	case input != "":
		return nebula.Proposal{
			Effect: nebula.Execute, Command: input, Blind: true, Summary: said(lang, "give job %d something to read", j.ID),
			Risks: []string{string(nebula.NewCode(nebula.Feeds, clipped(j.Says(), 80)))},
		}
	}
	return nebula.Proposal{Effect: nebula.Read, Summary: said(lang, "look at job %d", j.ID)}
}

// waitsFor is how many seconds something is waited for that a job is to write.
const waitsFor = 30

func pattern(text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		re, err = regexp.Compile(regexp.QuoteMeta(text)) // meant as it stands
	}
	return re, err
}

// Listed are all jobs, a line each, and those of the folder that were detached.
func Listed(jobs *workspace.Jobs, lang string) string {
	return phrase.Told(lang, phrase.Said(allJobs(jobs)))
}

func allJobs(jobs *workspace.Jobs) nebula.Words {
	var lines []any
	for _, j := range jobs.List() {
		lines = append(lines, jobStands(j))
	}
	for _, d := range jobs.Detached() {
		lines = append(lines, apartStands(d))
	}
	return nebula.Say(strings.TrimSuffix(strings.Repeat("%s\n", len(lines)), "\n"), lines...)
}

// apartStands is one line of how a job stands that was detached.
func apartStands(d *workspace.Detached) nebula.Words {
	status := nebula.Say("stopped")
	if d.Running() {
		var urls []string
		for _, s := range d.Serves {
			urls = append(urls, "http://"+s.To)
		}
		status = running(urls...)
	} else if d.Ended {
		status = nebula.Say("ended, exit %d", d.Code)
	}
	return jobIs(nebula.Say("job %d, detached", d.ID), d.Says(), status)
}

// A JobControl is what a session and the person are told of jobs.
type JobControl struct{ *workspace.Jobs }

// Told is what the next request says of jobs: those that run, and those that ended or wrote what was waited for and were not
// looked at since.
func (d JobControl) Told(lang string) string {
	var lines []string
	for _, j := range d.List() {
		fresh, found, ended := j.Fresh()
		if !j.Running() && !ended {
			continue
		}
		line := jobLine(j, lang)
		if fresh > 0 {
			line += worded(lang, ", %s new (backgroundJob reads it)", phrase.Bytes(fresh))
		}
		if found != "" {
			line += worded(lang, "; what you wait for came: %s", clipped(strings.TrimSpace(legible([]byte(found))), 200))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Do does what the person asks.
func (d JobControl) Do(c nebula.Job) (nebula.Words, error) {
	list, apart := d.List(), d.Detached()
	if len(list)+len(apart) == 0 {
		return nebula.Words{}, nebula.Errorf("nothing runs in the background")
	}
	if c.ID == 0 && !c.Stop && !c.Detach {
		return allJobs(d.Jobs), nil
	}
	if c.ID == 0 && len(list) == 1 {
		c.ID = list[0].ID
	}
	if i := slices.IndexFunc(apart, func(o *workspace.Detached) bool { return o.ID == c.ID }); i >= 0 {
		return d.about(apart[i], c)
	}
	j := d.Find(c.ID)
	switch {
	case j == nil:
		return nebula.Words{}, nebula.Errorf("there is no job %d; /jobs lists them", c.ID)
	case c.Stop && j.Running():
		go j.Stop() // its end is told
		return nebula.Say("job %d is told to end", j.ID), nil
	case c.Detach:
		a, err := j.Detach()
		if err != nil {
			return nebula.Words{}, err
		}
		return nebula.Say("It goes on when nebula ends, as job %d: /jobs shows it, also later, and /jobs stop %d ends it. What it makes that commands may not make is not put aside any more.", a.ID, a.ID), nil
	}
	return wrote(jobStands(j), j.Tail(tailShown)), nil
}

// about does what the person asks about a job that was detached.
func (d JobControl) about(a *workspace.Detached, c nebula.Job) (nebula.Words, error) {
	switch {
	case c.Detach:
		return nebula.Words{}, nebula.Errorf("it is detached")
	case c.Stop:
		if err := a.Stop(); err != nil {
			return nebula.Words{}, err
		}
		return nebula.Say("%s: %s", nebula.Say("job %d, detached", a.ID), nebula.Say("stopped")), nil
	}
	return wrote(apartStands(a), d.TailOf(a, tailShown)), nil
}

// tailShown is how much of what a job wrote the person is shown at once.
const tailShown = 4 << 10

func wrote(stands nebula.Words, tail []byte) nebula.Words {
	return nebula.Say("%s\n%s", stands, strings.TrimRight(legible(tail), "\n"))
}

// Notice is what the person is told when a job ended, or serves something.
func Notice(j *workspace.Job) nebula.Words { return nebula.Say("background: %s", jobStands(j)) }
