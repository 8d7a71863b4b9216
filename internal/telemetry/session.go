package telemetry

import (
	"context"
	"iter"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"nebula"
)

// A stretch is something in a session that took time.
type stretch struct {
	name       string
	began, end time.Time
	said       []attribute.KeyValue
	failed     bool
}

// Session makes spans below the one in ctx of what a session's record says happened since then: each request to a model, and each
// action that was carried out. What was said, written or run is not in them. It costs nothing where nobody takes spans.
func (t *Telemetry) Session(ctx context.Context, events iter.Seq2[nebula.Event, error], since time.Time) error {
	tracer := t.Tracer()
	if tracer == nil {
		return nil
	}
	list, err := stretches(events, since)
	for _, s := range list {
		_, span := tracer.Start(ctx, s.name, trace.WithTimestamp(s.began), trace.WithAttributes(s.said...), trace.WithSpanKind(trace.SpanKindInternal))
		if s.failed {
			span.SetStatus(codes.Error, "")
		}
		span.End(trace.WithTimestamp(s.end))
	}
	return err
}

// stretches folds a session's events. A request begins where what it follows was recorded.
func stretches(events iter.Seq2[nebula.Event, error], since time.Time) (list []stretch, err error) {
	var before time.Time
	began := map[string]nebula.Event{}
	for e, err := range events {
		if err != nil {
			return list, err
		}
		switch b := e.Body.(type) {
		case nebula.Replied:
			u := b.Reply.Usage
			list = append(list, stretch{name: "chat " + b.Model, began: before, end: e.At, said: []attribute.KeyValue{
				attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.request.model", b.Model), attribute.String("nebula.protocol", b.Protocol),
				attribute.Int("gen_ai.usage.input_tokens", u.Input), attribute.Int("gen_ai.usage.output_tokens", u.Output), attribute.Float64("nebula.cost_usd", u.Cost)}})
		case nebula.Began:
			began[b.Action] = e
		case nebula.Finished:
			r := b.Result
			from, ok := began[r.Action]
			if delete(began, r.Action); !ok {
				break
			}
			s := stretch{name: "execute_tool " + r.Tool, began: from.At, end: e.At, failed: r.Status == nebula.Failed, said: []attribute.KeyValue{
				attribute.String("gen_ai.operation.name", "execute_tool"), attribute.String("gen_ai.tool.name", r.Tool), attribute.String("nebula.status", string(r.Status)), attribute.Int("nebula.changed", len(r.Changes))}}
			if r.Exit != nil {
				s.said = append(s.said, attribute.Int("process.exit.code", *r.Exit))
			}
			list = append(list, s)
		}
		before = e.At
	}
	kept := list[:0]
	for _, s := range list {
		if !s.began.Before(since) {
			kept = append(kept, s)
		}
	}
	return kept, nil
}
