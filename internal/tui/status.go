package tui

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// statusLine is the last row: what one must know first, and as much of the rest as fits.
func (a *app) statusLine(d drawer) string {
	v, s := a.view, d.style
	badge := s.good
	if a.modeNow() == nebula.PlanMode {
		badge = s.accent
	}
	left := terminal.Paint(s.invert+badge, " "+d.words.mode(string(a.modeNow()))+" ")
	model := v.Model
	if v.Started.Session == "" {
		model = a.wanted.Model
	}
	left += " " + a.policy(d) + terminal.Paint(s.dim, " ·")
	if d.width-terminal.Bare(left) < 8 {
		return terminal.Break(left, d.width)[0]
	}
	left += " " + terminal.Clip(terminal.Visible(model), max(d.width-terminal.Bare(left)-1, 1))
	room := d.width - terminal.Bare(left)
	keys := d.words.HelpKey
	if d.width >= sideWidth && a.gate == nil {
		keys = d.words.PolicyKey + " · " + keys
	}
	help := terminal.Width(keys) + 2
	parts, weighty := a.figures(d)
	for i, part := range parts {
		w := terminal.Bare(part) + terminal.Width(" · ")
		if i >= weighty && w+help > room || w > room {
			continue
		}
		left += terminal.Paint(s.dim, " · ") + part
		room -= w
	}
	if room >= help {
		left += strings.Repeat(" ", room-help+2) + terminal.Paint(s.dim, keys)
	}
	return left
}

// policy says what runs without being asked, louder the more that is.
func (a *app) policy(d drawer) string {
	style, says := d.style.dim, d.words.Policies[0]
	switch gate.Approve(a.policyNow()) {
	case gate.Edits:
		style, says = d.style.warn, d.words.Policies[1]
	case gate.All:
		style, says = d.style.bold+d.style.bad, d.words.Policies[2]
	case gate.None:
		says = d.words.Policies[3]
	}
	return terminal.Paint(style, says)
}

// folderShown is the folder, and the branch of its repository.
func (a *app) folderShown() string {
	if a.folder.Branch != "" {
		return a.project() + terminal.OneRow(" ("+a.folder.Branch+")")
	}
	return a.project()
}

// figures are the parts of the status line, the weightiest first; so many of them are worth more than the way to the help.
func (a *app) figures(d drawer) (parts []string, weighty int) {
	v, s := a.view, d.style
	weighty = 1
	put := func(style, text string) {
		if text != "" {
			parts = append(parts, terminal.Paint(style, terminal.Visible(text)))
		}
	}
	if v.Context > 0 {
		switch {
		case d.width < 40:
			parts = append(parts, a.contextBar(d, "", 0))
		case d.width < 60:
			parts = append(parts, a.contextBar(d, "", 6))
		default:
			parts = append(parts, a.contextBar(d, d.words.Context+" ", 6))
		}
	}
	switch text, calls := d.words.stepLabel(v.Step, v.Status, v.Busy); {
	case v.Ask != nil && v.Ask.Question == nil:
		put(s.warn, d.words.StageApproval)
	case calls:
		put(s.warn, text)
	default:
		put(s.dim, text)
	}
	if worst := lowest(v.Vitals, a.options.Marks); worst >= 0 {
		put(s.warn, d.words.Low[worst]+" "+vitalBars(v.Vitals))
		weighty = len(parts)
	}
	put(s.dim, a.folderShown())
	if v.Usage.Cost > 0 {
		put(s.dim, transcript.Dollars(v.Usage.Cost))
	}
	if n := v.Usage.Input + v.Usage.Output; n > 0 {
		put(s.dim, fmt.Sprintf(d.words.TokensUsed, phrase.Count(n)))
	}
	protocol := v.Protocol
	if v.Started.Session == "" {
		protocol = a.wanted.Protocol
	}
	if protocol != "auto" { // what finds its way by itself is no news
		put(s.dim, protocol)
	}
	if effort := cmp.Or(string(a.wanted.Effort), v.Effort); effort != "" && effort != string(nebula.EffortSet) {
		put(s.dim, effort)
	}
	return parts, weighty
}

// contextBar shows how much of the model's window is used, behind a name and in a bar of so many columns.
func (a *app) contextBar(d drawer, name string, columns int) string {
	used := fmt.Sprintf(d.words.TokensUsed, phrase.Count(a.view.Context))
	window := a.modelInfo().Window
	if window <= 0 {
		return terminal.Paint(d.style.dim, used)
	}
	share := min(float64(a.view.Context)/float64(window), 1)
	style := d.style.dim
	switch {
	case share > 0.9:
		style = d.style.bad
	case share > 0.7:
		style = d.style.warn
	}
	if columns > 0 {
		name += bar(share, columns) + " "
	}
	return terminal.Paint(style, name+fmt.Sprintf("%d%%", int(share*100+0.5)))
}

// bar shows a share of something, from 0 to 1.
func bar(share float64, columns int) string {
	full := int(min(max(share, 0), 1)*float64(columns) + 0.5)
	return stroke("█", full) + stroke("░", columns-full)
}

// vitalsOf are the model's own report: confidence, mood, focus, stamina; nil for what it does not tell.
func vitalsOf(v nebula.Vitals) [4]*float64 {
	return [4]*float64{v.Confidence, v.Mood, v.Focus, v.Stamina}
}

// vitalBars are the vitals as four small columns, in their order.
func vitalBars(v nebula.Vitals) string {
	var b strings.Builder
	known := false
	for _, of := range vitalsOf(v) {
		if of == nil {
			b.WriteByte('.')
			continue
		}
		known = true
		b.WriteString(glyph(vitalSteps[int(min(max(*of, 0), 1)*6+0.5)]))
	}
	if !known {
		return ""
	}
	return b.String()
}

var vitalSteps = [...]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇"}

// lowest is the vital that one should know about; -1 for none.
func lowest(v, marks nebula.Vitals) int {
	worst, least := -1, 1.0
	for i, of := range vitalsOf(v) {
		if of != nil && i != 1 && *of < least && *of < mark(marks, i) { // a mood alone calls for nothing
			worst, least = i, *of
		}
	}
	return worst
}

// usualMarks are below which vitals are low where no setting says it.
var usualMarks = [...]float64{0.5, 0.4, 0.45, 0.1}

//go:noinline
func mark(marks nebula.Vitals, i int) float64 {
	if set := vitalsOf(marks)[i]; set != nil {
		return *set
	}
	return usualMarks[i]
}

// stepLabel says in words where the work stands, and whether that calls for the person.
func (w words) stepLabel(step nebula.Step, status nebula.StepStatus, busy bool) (text string, calls bool) {
	switch step {
	case "PLANNING":
		text = w.StagePlanning
	case "EXECUTION":
		text = w.StageWorking
	case "REVIEW":
		text = w.StageChecking
	case "AWAITING_APPROVAL":
		return w.StageApproval, true
	case "DONE":
		text = w.StageDone
	}
	switch {
	case status == "REQUIRES_USER_INPUT":
		return w.StageInput, true
	case !busy && step != "DONE":
		return "", false // nothing goes on
	case status == "ERROR":
		return strings.TrimSpace(text + " " + w.StageError), false
	}
	return text, false
}

// policyNow is what runs without being asked now.
//
//go:noinline
func (a *app) policyNow() string {
	if a.view.Started.Session == "" {
		return cmp.Or(a.wanted.Approve, a.folder.Approve)
	}
	return cmp.Or(a.view.Approve, a.folder.Approve)
}

// modelInfo is what is known of the session's model. What was not asked yet is asked beside the loop.
func (a *app) modelInfo() nebula.ModelInfo {
	if name := a.view.Model; a.aboutFor != name && a.options.Host != nil {
		a.about, a.aboutFor = nebula.ModelInfo{Name: name}, name
		a.apart(func(ctx context.Context) func() {
			info, err := a.options.Host.Model(ctx, name)
			return func() {
				if err == nil && a.aboutFor == name {
					a.about = info
				}
			}
		})
	}
	return a.about
}

// status shows where the session stands: what is known here at once, and what the session says of itself when it came.
func (a *app) status() {
	a.page = &reading{title: a.words.StatusTitle, rows: a.statusRows}
	if a.options.Host == nil || a.link == nil {
		return
	}
	p, session := a.page, a.view.Started.Session
	a.apart(func(ctx context.Context) func() {
		text, err := a.options.Host.Status(ctx, session)
		return func() {
			if err != nil {
				a.failed(err)
			}
			p.lines = strings.Split(strings.TrimRight(a.words.plainly(terminal.Visible(text)), "\n"), "\n")
		}
	})
}

// statusRows are the weightiest figures with their meaning. The session's own words stand below them; where it has none,
// more figures do.
func (a *app) statusRows(d drawer) []string {
	v, w, s := a.view, d.words, d.style
	wide := 0
	for _, name := range append([]string{w.Context, w.Tokens, w.Cost, w.Session, w.Folder, w.Mode, w.Model, w.Protocol, w.Approve, w.Step}, w.VitalNames...) {
		wide = max(wide, terminal.Width(name))
	}
	var rows []string
	row := func(name, value string) {
		if value != "" {
			name = terminal.Paint(s.dim, name+strings.Repeat(" ", max(wide+2-terminal.Width(name), 0)))
			rows = append(rows, terminal.Break(name+value, d.width)...)
		}
	}
	stage, _ := w.stepLabel(v.Step, v.Status, true)
	row(w.Step, stage)
	row(w.Mode, w.mode(string(a.modeNow()))+" · "+w.Policy(a.policyNow()))
	if v.Context > 0 {
		row(w.Context, a.contextBar(d, "", 12)+terminal.Paint(s.dim, " · "+fmt.Sprintf(w.TokensUsed, phrase.Count(v.Context))))
	}
	for i, of := range vitalsOf(v.Vitals) {
		if of != nil {
			style := s.dim
			if *of < mark(a.options.Marks, i) {
				style = s.warn
			}
			row(w.VitalNames[i], terminal.Paint(style, bar(*of, 6))+fmt.Sprintf(" %d%%", int(*of*100+0.5))+terminal.Paint(s.dim, "  "+w.VitalMeans[i]))
		}
	}
	if a.options.Host == nil {
		row(w.Tokens, fmt.Sprintf(w.TokenFigures, phrase.Count(v.Usage.Input), phrase.Count(v.Usage.Cached), phrase.Count(v.Usage.Output)))
		row(w.Cost, transcript.Dollars(v.Usage.Cost))
		row(w.Session, v.Started.Session)
		row(w.Folder, terminal.Visible(v.Started.Dir))
		row(w.Model, terminal.Visible(v.Model))
		row(w.Protocol, v.Protocol)
		rows = append(rows, fixedItems(w, v.Fixed)...)
	}
	return append(rows, "")
}

// labelled sets "name: value" lines in two columns.
func (d drawer) labelled(lines []string) []string {
	wide := 0
	for _, l := range lines {
		if name, _, ok := label(l); ok {
			wide = max(wide, min(terminal.Width(name), d.width/3))
		}
	}
	var rows []string
	before := "" // the name of a list, which stands beside its first line
	for _, l := range lines {
		name, value, ok := label(l)
		if !ok {
			name, value, before = before, strings.TrimPrefix(l, "  "), ""
		} else if value == "" {
			before = name
			continue
		}
		lead := terminal.Clip(name, wide)
		lead += strings.Repeat(" ", wide+2-terminal.Width(lead))
		for i, r := range terminal.Wrap(value, max(d.width-wide-2, 8)) {
			if i > 0 {
				lead = strings.Repeat(" ", wide+2)
			}
			rows = append(rows, terminal.Paint(d.style.dim, lead)+r)
		}
	}
	return rows
}

// plainly says in words what the session's text says in the names of steps.
func (w words) plainly(text string) string {
	return strings.NewReplacer("PLANNING", w.StagePlanning, "EXECUTION", w.StageWorking, "REVIEW", w.StageChecking, "AWAITING_APPROVAL", w.StageApproval,
		"DONE", w.StageDone, " · IN_PROGRESS", "", " · SUCCESS", "", "REQUIRES_USER_INPUT", w.StageInput, " · ERROR", " "+w.StageError).Replace(text)
}

func label(line string) (name, value string, ok bool) {
	if strings.HasPrefix(line, " ") {
		return "", line, false
	}
	name, value, ok = strings.Cut(line, ":")
	return name, strings.TrimPrefix(value, " "), ok
}
