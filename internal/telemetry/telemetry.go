// Package telemetry is what a worker tells whoever operates it: figures for Prometheus, spans for OpenTelemetry, and whether it
// takes work. Neither holds a text of a conversation, the name of a file, or a key. nebula-fleet alone links it.
package telemetry

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"nebula"
)

// A Telemetry gathers. The figures are there for as long as the process is; spans go out where somebody named an address for them.
type Telemetry struct {
	registry *prometheus.Registry
	spans    *sdktrace.TracerProvider // nil where nobody takes them

	running        *prometheus.GaugeVec
	jobs           *prometheus.CounterVec
	seconds        *prometheus.HistogramVec
	tokens         *prometheus.CounterVec
	dollars, asked prometheus.Counter
}

// service is what spans say they are from, where OTEL_SERVICE_NAME does not say otherwise.
const service = "nebula-fleet"

// Open begins to gather. Where spans go stands in env, as OpenTelemetry names it: OTEL_EXPORTER_OTLP_ENDPOINT, or _TRACES_ENDPOINT
// for the whole address, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME. Without an address there are none.
func Open(ctx context.Context, env func(name string) string) (*Telemetry, error) {
	t := &Telemetry{
		registry: prometheus.NewRegistry(),
		running:  prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "nebula_jobs_running", Help: "Jobs that are under way, by what they are."}, []string{"job"}),
		jobs:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "nebula_jobs_total", Help: "Jobs that ended, by what they are and how they ended."}, []string{"job", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "nebula_job_duration_seconds", Help: "How long jobs took, by what they are.",
			Buckets: []float64{0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 4 * 3600}}, []string{"job"}),
		tokens:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "nebula_tokens_total", Help: "Tokens of steps that ended: input, cached (part of it) and output."}, []string{"kind"}),
		dollars: prometheus.NewCounter(prometheus.CounterOpts{Name: "nebula_cost_usd_total", Help: "What the models of steps that ended cost, in US dollars."}),
		asked:   prometheus.NewCounter(prometheus.CounterOpts{Name: "nebula_questions_total", Help: "Times that a step stopped for a person's answer."}),
	}
	t.registry.MustRegister(t.running, t.jobs, t.seconds, t.tokens, t.dollars, t.asked,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return t, t.export(ctx, env)
}

// export has spans sent to where env says.
func (t *Telemetry) export(ctx context.Context, env func(name string) string) error {
	const exporter = "OTEL_EXPORTER_OTLP_"
	address := env(exporter + "TRACES_ENDPOINT")
	if base := env(exporter + "ENDPOINT"); address == "" && base != "" {
		address = strings.TrimSuffix(base, "/") + "/v1/traces"
	}
	if address == "" {
		return nil
	}
	if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nebula.Errorf("%s names no address for traces that begins with http:// or https://", exporter+"ENDPOINT")
	}
	headers := map[string]string{}
	for pair := range strings.SplitSeq(env(exporter+"HEADERS"), ",") {
		name, value, ok := strings.Cut(pair, "=")
		if value, err := url.PathUnescape(strings.TrimSpace(value)); ok && err == nil {
			headers[strings.TrimSpace(name)] = value
		}
	}
	out, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(address), otlptracehttp.WithHeaders(headers))
	if err != nil {
		return nebula.Errorf("traces cannot be sent to %s: %w", address, err)
	}
	name := env("OTEL_SERVICE_NAME")
	if name == "" {
		name = service
	}
	t.spans = sdktrace.NewTracerProvider(sdktrace.WithBatcher(out, sdktrace.WithBatchTimeout(time.Second)),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", name))))
	return nil
}

// Tracer makes spans; nil where nobody takes them.
func (t *Telemetry) Tracer() trace.Tracer {
	if t.spans == nil {
		return nil
	}
	return t.spans.Tracer(service)
}

// Close sends what was not sent yet.
func (t *Telemetry) Close() {
	if t.spans != nil {
		within, done := context.WithTimeout(context.Background(), 5*time.Second)
		defer done()
		_ = t.spans.Shutdown(within) // whoever takes them is away: the work is done all the same
	}
}

// Job says that one begins. What it gives back says how it ended, and what that cost.
func (t *Telemetry) Job(job string) (ended func(outcome string, asks bool, cost nebula.Usage)) {
	began := time.Now()
	t.running.WithLabelValues(job).Inc()
	return func(outcome string, asks bool, cost nebula.Usage) {
		t.running.WithLabelValues(job).Dec()
		t.jobs.WithLabelValues(job, outcome).Inc()
		t.seconds.WithLabelValues(job).Observe(time.Since(began).Seconds())
		for kind, n := range map[string]int{"input": cost.Input, "cached": cost.Cached, "output": cost.Output} {
			t.tokens.WithLabelValues(kind).Add(float64(max(0, n)))
		}
		t.dollars.Add(max(0, cost.Cost))
		if asks {
			t.asked.Inc()
		}
	}
}

// Serve answers at an address until the context ends: /metrics, and /healthz with 200 or, with the reason, 503. Ready is called
// once it listens, with where.
func (t *Telemetry) Serve(ctx context.Context, address string, healthy func(context.Context) error, ready func(at string)) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nebula.Errorf("nothing can listen at %s: %w", address, err)
	}
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", promhttp.HandlerFor(t.registry, promhttp.HandlerOpts{}))
	routes.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		within, done := context.WithTimeout(r.Context(), 5*time.Second)
		defer done()
		if err := healthy(within); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	})
	s := &http.Server{Handler: routes, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	ended := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer ended()
	ready(l.Addr().String())
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
