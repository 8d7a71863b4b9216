package lsp

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nebula/internal/helper"
	"nebula/internal/lists"
)

// A server is one that runs. What it knows of is brought up to date by one at a time.
type server struct {
	o        Options
	program  *helper.Program
	wire     *wire
	idle     *time.Timer
	turn     chan struct{} // holds a value while somebody works with it
	greeted  chan struct{} // closed when it has answered who it is; nil while nobody asked
	missed   int           // answers in a row that did not come in time
	docs     map[string]opened
	restarts int

	news chan news // whoever has taken it may use it
}

// news is what it said by itself.
type news struct {
	wrong map[string][]diagnostic
	said  map[string]int // how often it said something of a file
	heard chan struct{}  // closed, and made anew, when it says something
}

// with does something with what it said.
//
//go:noinline
func (s *server) with(do func(*news)) {
	n := <-s.news
	do(&n)
	s.news <- n
}

type doc struct {
	Edit
	language string
}

type opened struct {
	version int
	text    string
}

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type diagnostic struct {
	Range    span   `json:"range"`
	Severity int    `json:"severity"`
	Message  string `json:"message"`
}

type object = map[string]any

func newServer(o Options, p *helper.Program) *server {
	s := &server{o: o, program: p, turn: make(chan struct{}, 1), docs: map[string]opened{}, news: make(chan news, 1)}
	s.news <- news{map[string][]diagnostic{}, map[string]int{}, make(chan struct{})}
	s.wire = newWire(p.Out, p.In, s.hear)
	s.idle = time.AfterFunc(o.Rest, s.close)
	return s
}

// close ends it, and returns at once.
func (s *server) close() {
	s.idle.Stop()
	go s.program.Stop()
}

//go:noinline
func (s *server) alive() bool {
	select {
	case <-s.wire.gone:
		return false
	case <-s.program.Ended:
		return false
	default:
		return true
	}
}

// take waits for its turn.
func (s *server) take(ctx context.Context) bool {
	select {
	case s.turn <- struct{}{}:
		s.idle.Reset(s.o.Rest)
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *server) give() { <-s.turn }

// hear keeps what it finds wrong. What it asks for is answered with nothing: it has no settings, and changes no files.
func (s *server) hear(method string, params json.RawMessage) any {
	switch method {
	case "textDocument/publishDiagnostics":
		var in struct {
			URI         string       `json:"uri"`
			Diagnostics []diagnostic `json:"diagnostics"`
		}
		if json.Unmarshal(params, &in) != nil {
			return nil
		}
		at := s.file(in.URI)
		s.with(func(n *news) {
			n.wrong[at] = in.Diagnostics
			n.said[at]++
			close(n.heard)
			n.heard = make(chan struct{})
		})
	case "workspace/configuration":
		var in struct {
			Items []json.RawMessage `json:"items"`
		}
		_ = json.Unmarshal(params, &in)
		return make([]object, len(in.Items))
	case "workspace/applyEdit":
		return object{"applied": false}
	}
	return nil
}

// file is the path that an address stands for: below the folder where it is in it.
func (s *server) file(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return uri
	}
	if rel, err := filepath.Rel(s.o.Dir, filepath.FromSlash(u.Path)); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return u.Path
}

func (s *server) uri(file string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(s.o.Dir, filepath.FromSlash(file)))}).String()
}

// greet says who asks, once, and waits for the answer.
func (s *server) greet(ctx context.Context) bool {
	if s.greeted == nil {
		s.greeted = make(chan struct{})
		go s.introduce(s.greeted)
	}
	select {
	case <-s.greeted:
		return true
	case <-s.wire.gone:
		return false
	case <-ctx.Done():
		return false
	}
}

// introduce says who asks. It ends with the server.
func (s *server) introduce(done chan struct{}) {
	root := s.uri(".")
	err := s.wire.ask(context.Background(), "initialize", object{
		"processId": nil, "rootUri": root, "rootPath": s.o.Dir,
		"workspaceFolders": []object{{"uri": root, "name": filepath.Base(s.o.Dir)}},
		"capabilities": object{
			"textDocument": object{
				"synchronization": object{}, "publishDiagnostics": object{"versionSupport": true},
				"definition": object{}, "references": object{}, "rename": object{},
			},
			"workspace": object{"configuration": true, "workspaceFolders": true},
		},
	}, nil)
	if err == nil && s.wire.tell("initialized", object{}) == nil {
		close(done)
	}
}

// bring has it know a file with a text; nil closes it. It reports whether that is new to it.
func (s *server) bring(d doc, text []byte) (fresh bool) {
	was, known := s.docs[d.Path]
	uri := s.uri(d.Path)
	switch {
	case text == nil && known:
		delete(s.docs, d.Path)
		_ = s.wire.tell("textDocument/didClose", object{"textDocument": object{"uri": uri}})
		return true
	case text == nil || known && was.text == string(text):
		return false
	case known:
		s.docs[d.Path] = opened{was.version + 1, string(text)}
		_ = s.wire.tell("textDocument/didChange", object{
			"textDocument": object{"uri": uri, "version": was.version + 1}, "contentChanges": []object{{"text": string(text)}}})
	default:
		s.docs[d.Path] = opened{1, string(text)}
		_ = s.wire.tell("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": d.language, "version": 1, "text": string(text)}})
	}
	return true
}

// mostOpen bounds the files that it keeps open.
const mostOpen = 40

// renew tells it of files that were changed by others since.
func (s *server) renew(but []doc) {
	for file, was := range s.docs {
		if slices.ContainsFunc(but, func(d doc) bool { return d.Path == file }) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(s.o.Dir, filepath.FromSlash(file)))
		switch {
		case err != nil || len(s.docs) > mostOpen:
			s.bring(doc{Edit: Edit{Path: file}}, nil)
		case string(data) != was.text:
			s.bring(doc{Edit: Edit{Path: file}}, data)
		}
	}
}

// quiet is how long a server says nothing more when it has said all.
const quiet = 400 * time.Millisecond

// settled waits until it has said something of every file, and then no more for a while; false where it did not in time.
func (s *server) settled(ctx context.Context, files []string, since map[string]int) bool {
	for {
		var heard chan struct{}
		all := false
		s.with(func(n *news) {
			heard, all = n.heard, !slices.ContainsFunc(files, func(f string) bool { return n.said[f] == since[f] })
		})
		rest := time.NewTimer(quiet)
		if !all {
			rest.Stop()
		}
		select {
		case <-heard:
			rest.Stop()
		case <-rest.C:
			return true
		case <-s.wire.gone:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// counts is how often it has said something of each file.
func (s *server) counts(files []string) map[string]int {
	all := map[string]int{}
	s.with(func(n *news) {
		for _, f := range files {
			all[f] = n.said[f]
		}
	})
	return all
}

// know has it know texts and waits for what it says of them.
func (s *server) know(ctx context.Context, docs []doc, text func(doc) []byte) bool {
	var names []string
	for _, d := range docs {
		names = append(names, d.Path)
	}
	since := s.counts(names)
	var waits []string
	for _, d := range docs {
		if s.bring(d, text(d)) && text(d) != nil {
			waits = append(waits, d.Path)
		}
	}
	return len(waits) == 0 || s.settled(ctx, waits, since)
}

// mostMissed is after how many misses a server is waited for no shorter than before: half as long after each.
const mostMissed = 5

// fresh is what it finds wrong after a change and did not find before. Where it does not answer in time it knows the change all
// the same, and answers sooner the next time.
func (s *server) fresh(ctx context.Context, docs []doc) []Problem {
	if !s.take(ctx) {
		return nil
	}
	defer s.give()
	patience := s.o.Usual
	if len(s.docs) == 0 {
		patience = s.o.First
	}
	within, stop := context.WithTimeout(ctx, patience>>min(s.missed, mostMissed))
	defer stop()
	s.missed++
	if !s.greet(within) {
		return nil
	}
	s.renew(docs)
	known := s.know(within, docs, func(d doc) []byte { return d.Before })
	before := s.errors()
	if after := s.know(within, docs, func(d doc) []byte { return d.After }); !known || !after {
		return nil
	}
	s.missed = 0
	return s.added(before)
}

// wrong is what it finds wrong now, by file.
//
//go:noinline
func (s *server) wrong() (all map[string][]diagnostic) {
	s.with(func(n *news) { all = maps.Clone(n.wrong) })
	return all
}

// errors counts what it finds wrong, whatever line it stands on.
func (s *server) errors() map[string]int {
	all := map[string]int{}
	for file, list := range s.wrong() {
		for _, d := range list {
			if d.Severity <= 1 {
				all[file+"\n"+d.Message]++
			}
		}
	}
	return all
}

// Bounds of what is said of a change.
const (
	mostSaid    = 10
	longestText = 300
)

// added is what it finds wrong beyond what it found before, in the folder.
func (s *server) added(before map[string]int) (found []Problem) {
	for file, list := range s.wrong() {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			continue
		}
		for _, d := range list {
			key := file + "\n" + d.Message
			if before[key]--; d.Severity > 1 || before[key] >= 0 {
				continue
			}
			text := strings.Join(strings.Fields(d.Message), " ")
			if r := []rune(text); len(r) > longestText {
				text = string(r[:longestText-1]) + "…"
			}
			found = append(found, Problem{file, d.Range.Start.Line + 1, text})
		}
	}
	lists.Sort(found, func(a, b Problem) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return found[:min(len(found), mostSaid)]
}

// places asks where what stands at a place of a file is defined or used.
func (s *server) places(ctx context.Context, definition bool, d doc, line, column int) (places []Place, ok bool) {
	within, stop := context.WithTimeout(ctx, s.o.First+s.o.Usual)
	defer stop()
	if !s.take(within) {
		return nil, false
	}
	defer s.give()
	if !s.greet(within) {
		return nil, false
	}
	s.renew([]doc{d})
	s.know(within, []doc{d}, func(d doc) []byte { return d.After })
	method, params := "textDocument/references", object{"context": object{"includeDeclaration": true}}
	if definition {
		method, params = "textDocument/definition", object{}
	}
	params["textDocument"], params["position"] = object{"uri": s.uri(d.Path)}, position{line, column}
	var raw json.RawMessage
	if s.wire.ask(within, method, params, &raw) != nil {
		return nil, false
	}
	var list []struct {
		URI   string `json:"uri"`
		Range span   `json:"range"`
	}
	if json.Unmarshal(raw, &list) != nil { // one place stands without a list
		if json.Unmarshal([]byte("["+string(raw)+"]"), &list) != nil {
			return nil, false
		}
	}
	for _, l := range list {
		if l.URI != "" {
			places = append(places, Place{s.file(l.URI), l.Range.Start.Line + 1})
		}
	}
	return places, true
}
