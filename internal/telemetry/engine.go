package telemetry

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// labels are what the engine's own figures may be told apart by. One name has the same labels always: those that are not said are
// empty, and others are left out.
var labels = []string{"namespace", "task_queue", "worker_type", "poller_type", "workflow_type", "activity_type", "operation", "failure_reason", "cause", "status_code"}

// Figures are an engine's own, told apart by what they say. The zero value has no place to keep them.
type Figures struct {
	registry *prometheus.Registry
	said     map[string]string
}

// Engine keeps an engine's own figures.
func (t *Telemetry) Engine() Figures { return Figures{registry: t.registry} }

// With are figures that say more.
func (f Figures) With(said map[string]string) Figures {
	all := make(map[string]string, len(f.said)+len(said))
	for _, from := range []map[string]string{f.said, said} {
		for label, value := range from {
			all[label] = value
		}
	}
	return Figures{f.registry, all}
}

// values are what is said, in the order of labels.
func (f Figures) values() (list []string) {
	for _, label := range labels {
		list = append(list, f.said[label])
	}
	return list
}

// kept is the collector of a name: the one that is kept already, or the one that is given.
func kept[C prometheus.Collector](f Figures, c C) (C, bool) {
	err := f.registry.Register(c)
	if was, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
		c, ok = was.ExistingCollector.(C)
		return c, ok
	}
	return c, err == nil
}

// Count counts something up.
func (f Figures) Count(name string) func(int64) {
	c, ok := kept(f, prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: "Of the engine."}, labels))
	if !ok {
		return func(int64) {}
	}
	one := c.WithLabelValues(f.values()...)
	return func(n int64) { one.Add(float64(max(0, n))) }
}

// Stand says how something stands.
func (f Figures) Stand(name string) func(float64) {
	g, ok := kept(f, prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: "Of the engine."}, labels))
	if !ok {
		return func(float64) {}
	}
	return g.WithLabelValues(f.values()...).Set
}

// Last says how long something lasted.
func (f Figures) Last(name string) func(time.Duration) {
	h, ok := kept(f, prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name + "_seconds", Help: "Of the engine.", Buckets: prometheus.ExponentialBuckets(0.001, 4, 10)}, labels))
	if !ok {
		return func(time.Duration) {}
	}
	one := h.WithLabelValues(f.values()...)
	return func(d time.Duration) { one.Observe(d.Seconds()) }
}
