package tui

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/terminal"
)

// statusLine is the last row: what one must know first, and as much of the rest as fits.
func (a *app) statusLine(d drawer) string {
	v, s := a.view, d.style
	mode := string(a.modeNow())
	badge := s.good
	if a.modeNow() == nebula.PlanMode {
		badge = s.accent
	}
	left := terminal.Paint(s.invert+badge, " "+d.words.mode(mode)+" ")
	model, protocol := v.model, v.protocol
	if v.started.Session == "" {
		model, protocol = a.wanted.Model, a.wanted.Protocol
	}
	left += " " + terminal.Clip(terminal.Visible(model), max(d.width-terminal.Bare(left)-1, 1))
	room := d.width - terminal.Bare(left)
	for _, part := range a.figures(d, protocol) {
		if w := terminal.Bare(part) + 3; w <= room {
			left += terminal.Paint(s.dim, " · ") + part
			room -= w
		}
	}
	if help := d.words.HelpKey; room > terminal.Width(help) {
		left += strings.Repeat(" ", room-terminal.Width(help)) + terminal.Paint(s.dim, help)
	}
	return left
}

// figures are the parts of the status line, the weightiest first.
func (a *app) figures(d drawer, protocol string) []string {
	v, s := a.view, d.style
	var parts []string
	dim := func(text string) {
		if text != "" {
			parts = append(parts, terminal.Paint(s.dim, terminal.Visible(text)))
		}
	}
	if v.context > 0 {
		parts = append(parts, a.contextBar(d))
	}
	if v.step != "" {
		step := strings.ToLower(string(v.step))
		if v.status != "" {
			step += "/" + strings.ToLower(string(v.status))
		}
		dim(step)
	}
	if v.usage.Cost > 0 {
		dim(fmt.Sprintf("$%.3f", v.usage.Cost))
	}
	if n := v.usage.Input + v.usage.Output; n > 0 {
		dim(terminal.Count(n) + " tok")
	}
	if text := vitals(v.vitals); text != "" {
		style := s.dim
		if low(v.vitals) {
			style = s.warn
		}
		parts = append(parts, terminal.Paint(style, text))
	}
	dim(protocol)
	if v.approve != "" && v.approve != "ask" {
		parts = append(parts, terminal.Paint(s.warn, d.words.Approve+": "+v.approve))
	}
	return parts
}

// contextBar shows how much of the model's window is used.
func (a *app) contextBar(d drawer) string {
	used := terminal.Count(a.view.context)
	if a.options.About == nil {
		return terminal.Paint(d.style.dim, used)
	}
	if a.about.Name == "" || a.aboutFor != a.view.model {
		a.about, a.aboutFor = a.options.About(a.view.model), a.view.model
	}
	window := a.about.Window
	if window <= 0 {
		return terminal.Paint(d.style.dim, used)
	}
	share := min(float64(a.view.context)/float64(window), 1)
	style := d.style.dim
	switch {
	case share > 0.9:
		style = d.style.bad
	case share > 0.7:
		style = d.style.warn
	}
	full := int(share*6 + 0.5)
	return terminal.Paint(style, strings.Repeat("█", full)+strings.Repeat("░", 6-full)+fmt.Sprintf(" %d%%", int(share*100+0.5)))
}

// vitals are the model's own report: confidence, mood, focus, stamina.
func vitals(v nebula.Vitals) string {
	var parts []string
	for _, p := range []struct {
		name string
		of   *float64
	}{{"c", v.Confidence}, {"m", v.Mood}, {"f", v.Focus}, {"s", v.Stamina}} {
		if p.of != nil {
			parts = append(parts, fmt.Sprintf("%s%.0f", p.name, *p.of*100))
		}
	}
	return strings.Join(parts, " ")
}

func low(v nebula.Vitals) bool {
	for _, p := range []*float64{v.Confidence, v.Focus, v.Stamina} {
		if p != nil && *p < 0.4 {
			return true
		}
	}
	return false
}
