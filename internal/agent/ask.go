package agent

import (
	"context"
	"errors"
	"fmt"

	"nebula"
	"nebula/internal/prompt"
	"nebula/internal/state"
)

// ask sends the conversation to the model and records what came back.
func (s *Session) ask(ctx context.Context, step int) (nebula.Replied, error) {
	m, err := s.model()
	if err != nil {
		return nebula.Replied{}, err
	}
	p, err := s.setup.Protocol(s.state.Protocol, m.Info())
	if err != nil {
		return nebula.Replied{}, err
	}
	if err := s.measure(ctx, m.Info()); err != nil {
		return nebula.Replied{}, err
	}
	specs := s.specs()
	progress := s.progress()
	built, report, err := s.fitted(ctx, m, prompt.Input{State: s.state, Protocol: p, Tools: s.offered(progress), Window: s.window(m.Info()), Structured: m.Info().Structured,
		Policy: s.policy(), Progress: progress, Jobs: s.jobs(), Advice: s.instructed(), Skills: s.skills, Evidence: s.found(step), Cached: cached(m.Info())})
	if err != nil {
		return nebula.Replied{}, err
	}
	if s.turn.schema != nil {
		built, p = shaped(built, s.turn.schema), words{p}
	}
	built.Effort = s.state.Effort
	s.turn.report = report
	before := s.setup.Prompt.Sent()
	s.turn.fresh += s.setup.Prompt.Fresh(built, report)
	s.show(nebula.Requested{Turn: s.state.Turn.Number, Step: step, Model: s.answers(), Protocol: p.Name(),
		Layers: report.Layers, Cuts: report.Cuts})
	l := &listener{session: s, stop: s.turn.stop}
	if streaming, ok := p.(nebula.Streamer); ok {
		l.decode = func() nebula.StreamDecoder { return streaming.Stream(specs) }
	}
	reply, err := l.listen(ctx, m, built)
	switch {
	case err != nil && (s.spurned(err, m.Info(), built) || s.narrowed(err, m.Info(), report) || s.replaced(ctx, err)):
		return s.ask(ctx, step)
	case err != nil:
		return nebula.Replied{}, errors.Join(err, l.keep(ctx))
	}
	told := reply.Usage
	s.estimate(&reply, report)
	reply.Usage.Cost = m.Info().Cost(reply.Usage)
	in := s.decoded(p, reply, specs)
	l.finish(in, reply.Reasoning() != "")
	replied := nebula.Replied{Turn: s.state.Turn.Number, Step: step, Protocol: p.Name(), Reply: reply, Intent: in,
		Vitals: s.vitals(in, m.Info(), reply.Usage), Model: m.Info().Name, Server: m.Info().Server,
		Missed: s.missed(before, built, m.Info(), told)}
	s.note(replied)
	s.adapt(m.Info())
	if step == 1 { // a server that had to load the model knows its window now
		if err := s.measure(ctx, m.Info()); err != nil {
			return replied, err
		}
	}
	s.turn.refused, err = s.decide(in)
	if err == nil && s.setup.Thresholds.Lost(s.state.Vitals) {
		err = s.recordMoves(s.move(state.Planning, state.LowFocus))
	}
	return replied, err
}

// cached is what a token read from the provider's cache costs against one that is not; 0 where that is not known.
func cached(m nebula.ModelInfo) float64 {
	if m.InputUSD <= 0 {
		return 0
	}
	return m.CachedUSD / m.InputUSD
}

// estimate counts a reply whose server did not, so that budgets hold with every server.
func (s *Session) estimate(r *nebula.Reply, sent prompt.Report) {
	if r.Usage.Input > 0 || s.setup.Prompt.Count == nil { // some tell of the one token with which they began
		return
	}
	count := s.setup.Prompt.Count
	n := count(r.Text()) + count(r.Reasoning())
	for _, c := range r.Calls() {
		n += count(c.Name) + count(c.Arguments)
	}
	r.Usage.Input, r.Usage.Output, r.Usage.Estimated = sent.Total, max(n, r.Usage.Output), true
}

// uselessCompactions is how often in a row making the conversation shorter may fail to make it fit.
const uselessCompactions = 2

// fitted is the request, with the conversation made shorter when it does not fit the model's window.
func (s *Session) fitted(ctx context.Context, m nebula.Model, in prompt.Input) (nebula.Prompt, prompt.Report, error) {
	room := false
	for tried := 0; ; {
		if old, ok := s.setup.Prompt.Supersede(in, room); ok {
			if err := s.record(old); err != nil {
				return nebula.Prompt{}, prompt.Report{}, err
			}
		}
		built, report := s.setup.Prompt.Build(in)
		if report.Fits {
			return built, report, nil
		}
		if !room {
			room = true
			continue
		}
		c, gained := s.setup.Prompt.Compact(in, report)
		if tried == uselessCompactions || !gained {
			return built, report, &nebula.APIError{Kind: "context",
				Text: fmt.Sprintf(s.say(tooLong), report.Total, in.Window, s.state.Model),
				Next: s.say(larger)}
		}
		if tried == 0 {
			s.shortening("auto", "")
		}
		if err := s.record(s.learned(ctx, m, c)); err != nil {
			return built, report, err
		}
		tried++
	}
}
