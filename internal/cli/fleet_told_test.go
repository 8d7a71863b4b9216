//go:build unix

package cli

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/nebulatest"
)

// A stretch is what a collector keeps of a span.
type stretch struct {
	trace, id, parent, name string
	said                    map[string]string
}

// A collector takes spans as programs for OpenTelemetry do.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	raw   []byte
	spans []stretch
}

func collect(t *testing.T) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Authorization") != "Bearer a b" {
			t.Errorf("at %s came %d bytes with %q", r.URL.Path, len(data), r.Header.Get("Authorization"))
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.raw = append(c.raw, data...)
		for _, resource := range within(data)[1] { // the numbers are those of the protocol's messages
			for _, scope := range within(resource)[2] {
				for _, one := range within(scope)[2] {
					c.spans = append(c.spans, spanOf(within(one)))
				}
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

func spanOf(fields map[uint64][][]byte) stretch {
	first := func(n uint64) string { return string(bytes.Join(fields[n][:min(1, len(fields[n]))], nil)) }
	s := stretch{trace: first(1), id: first(2), parent: first(4), name: first(5), said: map[string]string{}}
	for _, attribute := range fields[9] {
		pair := within(attribute)
		if len(pair[1]) == 1 && len(pair[2]) == 1 {
			s.said[string(pair[1][0])] = string(bytes.Join(within(pair[2][0])[1], nil))
		}
	}
	return s
}

// within are the fields of a message in Protocol Buffers that have a length, by their numbers.
func within(message []byte) map[uint64][][]byte {
	fields := map[uint64][][]byte{}
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if message = message[max(n, 0):]; n <= 0 {
			break
		}
		skip := map[uint64]int{1: 8, 5: 4}[tag&7]
		if tag&7 == 0 || tag&7 == 2 {
			value, n := binary.Uvarint(message)
			if message = message[max(n, 0):]; tag&7 == 2 {
				skip = int(min(value, uint64(len(message))))
				fields[tag>>3] = append(fields[tag>>3], message[:skip])
			}
		}
		message = message[min(skip, len(message)):]
	}
	return fields
}

// trees are the names of spans, each with those above it, of the trace that holds a span of some name; who is whose.
func (c *collector) trees(of string) (paths []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	trace, by := "", map[string]stretch{}
	for _, s := range c.spans {
		by[s.id] = s
		if s.name == of {
			trace = s.trace
		}
	}
	for _, s := range c.spans {
		if s.trace != trace {
			continue
		}
		path := s.name
		for up, ok := by[s.parent]; ok; up, ok = by[up.parent] {
			path = up.name + " > " + path
		}
		for _, key := range []string{"nebula.step", "nebula.status", "vcs.ref.head.revision"} {
			if value := s.said[key]; value != "" {
				path += " " + strings.TrimPrefix(key, "nebula.") + "=" + value
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
	for end := time.Now().Add(30 * time.Second); !strings.Contains(text, `nebula_job_duration_seconds_count{job="do"} 3`) && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		_, text = fetched(listen + "/metrics") // the last job is counted behind the word that it ended
	}
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
