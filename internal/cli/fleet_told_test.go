//go:build unix

package cli

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/nebulatest"
)

// A collector takes spans as programs for OpenTelemetry do.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	raw   []byte
	spans []*tracepb.Span
}

func collect(t *testing.T) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		var all tracepb.TracesData // the request of the protocol has the same shape
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Authorization") != "Bearer a b" || proto.Unmarshal(data, &all) != nil {
			t.Errorf("at %s came %d bytes with %q", r.URL.Path, len(data), r.Header.Get("Authorization"))
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.raw = append(c.raw, data...)
		for _, resource := range all.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// trees are the names of spans, each with those above it, of the trace that holds a span of some name; who is whose.
func (c *collector) trees(of string) (paths []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var trace []byte
	by := map[string]*tracepb.Span{}
	for _, s := range c.spans {
		by[hex.EncodeToString(s.SpanId)] = s
		if s.Name == of {
			trace = s.TraceId
		}
	}
	for _, s := range c.spans {
		if !bytes.Equal(s.TraceId, trace) {
			continue
		}
		path := s.Name
		for up := by[hex.EncodeToString(s.ParentSpanId)]; up != nil; up = by[hex.EncodeToString(up.ParentSpanId)] {
			path = up.Name + " > " + path
		}
		for _, a := range s.Attributes {
			if a.Key == "nebula.step" || a.Key == "nebula.status" || a.Key == "vcs.ref.head.revision" && a.Value.GetStringValue() != "" {
				path += " " + strings.TrimPrefix(a.Key, "nebula.") + "=" + a.Value.GetStringValue()
			}
		}
		paths = append(paths, path)
	}
	return paths
}

func fetched(address string) (int, string) {
	r, err := http.Get("http://" + address)
	if err != nil {
		return 0, err.Error()
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return r.StatusCode, string(text) + fmt.Sprint(err)
}

// operated: whoever operates workers sees whether they take work, what they did and cost, and a step's way from the person's word to
// its commit – and no word of what it was about.
func operated(t *testing.T, y *yard) {
	y.temporal = nebulatest.NewTemporal(t) // that is killed
	spans, listen := collect(t), fmt.Sprintf("127.0.0.1:%d", nebulatest.Port(t))
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", spans.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20a%20b")
	id := y.plan("a", "b>other.txt: a")
	kill := y.worker("--listen", listen)
	run := strings.TrimSpace(y.says(0, "plan", "run", id, "--on", "temporal", "--queue", y.queue))
	y.until(run, func(s fleet.State) bool { return s.Status == fleet.Waits })
	y.says(0, "fleet", "answer", run, "b", "yes")
	s := y.until(run, func(s fleet.State) bool { return s.Status == string(nebula.Completed) })
	if code, text := fetched(listen + "/healthz"); code != http.StatusOK {
		t.Errorf("healthz: %d %s", code, text)
	}
	_, text := fetched(listen + "/metrics")
	for _, line := range []string{`nebula_jobs_total{job="do",outcome="completed"} 2`, `nebula_jobs_total{job="do",outcome="waits"} 1`, `nebula_questions_total 1`, `nebula_jobs_running{job="do"} 0`,
		`nebula_job_duration_seconds_count{job="do"} 3`, `nebula_tokens_total{kind="input"} `, "nebula_cost_usd_total ", "temporal_activity_execution_latency_seconds_count{activity_type=\"do\"", "go_goroutines "} {
		if !strings.Contains(text, "\n"+line) {
			t.Errorf("the figures lack %s", line)
		}
	}
	var paths string
	do := "StartWorkflow:nebula.plan > RunWorkflow:nebula.plan > StartActivity:do > RunActivity:do"
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if paths = strings.Join(spans.trees("StartWorkflow:nebula.plan"), "\n") + "\n"; strings.Contains(paths, do+" > execute_tool writeFile status=done\n") && strings.Contains(paths, "RunActivity:publish\n") {
			break
		}
	}
	for _, path := range []string{do + " step=a status=completed vcs.ref.head.revision=", do + " step=b status=waits", do + " > chat ", do + " > execute_tool writeFile status=done\n"} {
		if !strings.Contains(paths, "\n"+path) && !strings.HasPrefix(paths, path) {
			t.Errorf("no span %s in\n%s", path, paths)
		}
	}
	for _, word := range []string{"make file", "other.txt", "of a.txt", y.folder, "long enough", "stored histories"} {
		if bytes.Contains(spans.raw, []byte(word)) || strings.Contains(text, word) {
			t.Errorf("operators are told %q", word)
		}
	}
	if !strings.Contains(paths, s.Steps[0].Commit) {
		t.Errorf("no span names the commit %s of the first step", s.Steps[0].Commit)
	}
	y.temporal.Kill()
	if code, text := fetched(listen + "/healthz"); code != http.StatusServiceUnavailable || !strings.Contains(text, "Temporal") {
		t.Errorf("without Temporal, healthz: %d %s", code, text)
	}
	kill()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "nowhere")
	if out, _ := y.command("worker").CombinedOutput(); !strings.Contains(string(out), "names no address for traces") {
		t.Errorf("an address that is none: %s", out)
	}
}
