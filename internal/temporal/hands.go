package temporal

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/telemetry"
)

// hands are the activities, and whom they tell how they went.
type hands struct {
	*fleet.Hands
	told *telemetry.Telemetry
}

func (h hands) register(w worker.ActivityRegistry) {
	as := func(name string, f any) { w.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: name}) }
	as(beginName, beating(h.told, beginName, h.Begin))
	as(doName, beating(h.told, doName, h.do))
	as(mergeName, beating(h.told, mergeName, h.Merge))
	as(publishName, beating(h.told, publishName, h.Publish))
	as(noteName, beating(h.told, noteName, func(ctx context.Context, n fleet.Note) (struct{}, error) { return struct{}{}, h.Note(ctx, n) }))
}

// do carries a job out; its span says what it came to, with what the record says took time in it.
func (h hands) do(ctx context.Context, j fleet.Job) (fleet.Done, error) {
	began := time.Now()
	d, err := h.Do(ctx, j)
	span := trace.SpanFromContext(ctx)
	span.SetAttributes(attribute.String("nebula.plan", j.Order.Plan), attribute.String("nebula.step", j.Step), attribute.String("nebula.session", d.Session),
		attribute.String("nebula.status", d.Status), attribute.String("vcs.ref.head.revision", d.Commit), attribute.Float64("nebula.cost_usd", d.Usage.Cost))
	if d.Session != "" && span.IsRecording() {
		_ = h.told.Session(ctx, h.Store.Load(ctx, d.Session), began) // what cannot be read is missing from the spans alone
	}
	return d, err
}

// beating tells the server that it is under way, as long as it is, and operators how it went. What is refused is not tried again.
func beating[In, Out any](told *telemetry.Telemetry, name string, do func(context.Context, In) (Out, error)) func(context.Context, In) (Out, error) {
	return func(ctx context.Context, in In) (Out, error) {
		ended := make(chan struct{})
		var beats sync.WaitGroup
		beats.Go(func() {
			tick := time.NewTicker(heartbeat)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					activity.RecordHeartbeat(ctx)
				case <-ended:
					return
				}
			}
		})
		tells := told.Job(name)
		out, err := do(ctx, in)
		close(ended)
		beats.Wait()
		tells(outcome(out, err))
		if r, ok := errors.AsType[fleet.Refused](err); ok {
			err = temporal.NewNonRetryableApplicationError(string(r), "refused", nil)
		}
		if ctx.Err() != nil && err != nil {
			err = ctx.Err()
		}
		return out, err
	}
}

// outcome is how a job ended, for operators.
func outcome(out any, err error) (status string, asks bool, cost nebula.Usage) {
	_, no := errors.AsType[fleet.Refused](err)
	d, _ := out.(fleet.Done)
	switch {
	case no:
		return "refused", false, cost
	case err != nil:
		return "error", false, cost
	case d.Status != "":
		return d.Status, d.Ask != nil, d.Usage
	}
	return string(nebula.Completed), false, cost
}

// tell has the engine tell operators what it does: its figures, and spans from the person's word to the commit.
func tell(o *client.Options, told *telemetry.Telemetry) error {
	o.MetricsHandler = figures{told.Engine()}
	tracer := told.Tracer()
	if tracer == nil {
		return nil
	}
	traced, err := opentelemetry.NewTracingInterceptor(opentelemetry.TracerOptions{Tracer: tracer, DisableQueryTracing: true, AllowInvalidParentSpans: true})
	o.Interceptors = append(o.Interceptors, interceptor.ClientInterceptor(traced))
	return err
}

// figures are the engine's own.
type figures struct{ telemetry.Figures }

// WithTags implements client.MetricsHandler.
func (f figures) WithTags(said map[string]string) client.MetricsHandler { return figures{f.With(said)} }

// Counter implements client.MetricsHandler.
func (f figures) Counter(name string) client.MetricsCounter { return counter(f.Count(name)) }

// Gauge implements client.MetricsHandler.
func (f figures) Gauge(name string) client.MetricsGauge { return gauge(f.Stand(name)) }

// Timer implements client.MetricsHandler.
func (f figures) Timer(name string) client.MetricsTimer { return timer(f.Last(name)) }

type (
	counter func(int64)
	gauge   func(float64)
	timer   func(time.Duration)
)

// Inc implements client.MetricsCounter.
func (c counter) Inc(n int64) { c(n) }

// Update implements client.MetricsGauge.
func (g gauge) Update(v float64) { g(v) }

// Record implements client.MetricsTimer.
func (t timer) Record(d time.Duration) { t(d) }

// healthy says whether what a worker needs answers: the engine, and the record.
func (e *engine) healthy(s fleet.Shift) func(context.Context) error {
	return func(ctx context.Context) error {
		if _, err := e.client.CheckHealth(ctx, &client.CheckHealthRequest{}); err != nil {
			return nebula.Errorf("Temporal does not answer: %w", err)
		}
		if _, err := s.Hands.Store.Totals(ctx); err != nil {
			return nebula.Errorf("the record does not answer: %w", err)
		}
		return nil
	}
}
