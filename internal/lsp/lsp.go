// Package lsp asks language servers what they make of a change, and where a name is used and defined. A server is a program of
// somebody else that is found, never linked: it is started when it is first needed, in a box, and ends when nobody needs it for a
// while. Where there is none, or it does not answer in time, nothing is said.
package lsp

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"nebula/internal/helper"
)

// Options are what servers are used with.
type Options struct {
	Dir    string                                        // the folder, whole
	Find   func(name string) string                      // where a program is; empty where it is not
	Launch func(command []string) (helper.Launch, error) // how it is started; an error where it may not be
	First  time.Duration                                 // how long the first answer of a server is waited for, 8 seconds
	Usual  time.Duration                                 // how long others are, 4 seconds
	Rest   time.Duration                                 // after which a server that nobody uses is ended, 10 minutes
}

// A kind is a server for some languages.
type kind struct {
	name      string
	programs  [][]string        // its command, in the order in which they are tried
	languages map[string]string // what the protocol calls a language, by the endings of its files
}

// kinds are the servers that are known.
var kinds = []kind{
	{"gopls", [][]string{{"gopls"}}, map[string]string{".go": "go"}},
	{"typescript", [][]string{{"typescript-language-server", "--stdio"}}, map[string]string{
		".ts": "typescript", ".tsx": "typescriptreact", ".mts": "typescript", ".cts": "typescript", ".js": "javascript", ".jsx": "javascriptreact", ".mjs": "javascript", ".cjs": "javascript"}},
	{"python", [][]string{{"pyright-langserver", "--stdio"}, {"basedpyright-langserver", "--stdio"}, {"pylsp"}}, map[string]string{".py": "python", ".pyi": "python"}},
	{"rust", [][]string{{"rust-analyzer"}}, map[string]string{".rs": "rust"}},
	{"clangd", [][]string{{"clangd", "--log=error"}}, map[string]string{".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hpp": "cpp"}},
	{"ruby", [][]string{{"ruby-lsp"}, {"solargraph", "stdio"}}, map[string]string{".rb": "ruby"}},
	{"zig", [][]string{{"zls"}}, map[string]string{".zig": "zig"}},
}

// A Hub is the servers of a folder.
type Hub struct {
	o       Options
	servers chan map[string]*server // by kind, nil for one that there is none of; whoever has taken the map may use it. It is nil at the end
	began   []string                // programs that were started, as long as nobody has asked; with the map
}

// New makes the hub. Nothing is started or looked for.
func New(o Options) *Hub {
	if o.First == 0 {
		o.First = 8 * time.Second
	}
	if o.Usual == 0 {
		o.Usual = 4 * time.Second
	}
	if o.Rest == 0 {
		o.Rest = 10 * time.Minute
	}
	h := &Hub{o: o, servers: make(chan map[string]*server, 1)}
	h.servers <- map[string]*server{}
	return h
}

// Close ends all servers, and returns when they have ended.
func (h *Hub) Close() {
	servers := <-h.servers
	h.servers <- nil
	var all sync.WaitGroup
	for _, s := range servers {
		if s != nil {
			all.Go(func() {
				s.idle.Stop()
				s.program.Stop()
			})
		}
	}
	all.Wait()
}

// Running are the names of the servers that run.
func (h *Hub) Running() (names []string) {
	servers := <-h.servers
	defer func() { h.servers <- servers }()
	for name, s := range servers {
		if s != nil && s.alive() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Began are the programs of the servers that were started since it was last asked.
func (h *Hub) Began() (programs []string) {
	servers := <-h.servers
	defer func() { h.servers <- servers }()
	programs, h.began = h.began, nil
	return programs
}

// of is the server for a file, started where it does not run; nil where there is none.
func (h *Hub) of(file string) (s *server, language string) {
	at := slices.IndexFunc(kinds, func(k kind) bool { return k.languages[path.Ext(file)] != "" })
	if at < 0 {
		return nil, ""
	}
	k := kinds[at]
	servers := <-h.servers
	defer func() { h.servers <- servers }()
	if servers == nil {
		return nil, ""
	}
	s, tried := servers[k.name]
	if tried && (s == nil || s.alive()) {
		return s, k.languages[path.Ext(file)]
	}
	if s = h.start(k); s != nil && tried {
		s.restarts = servers[k.name].restarts + 1
	}
	if s != nil && s.restarts > mostRestarts {
		s.close()
		s = nil
	}
	servers[k.name] = s
	return s, k.languages[path.Ext(file)]
}

// mostRestarts is how often a server that ended by itself is begun again.
const mostRestarts = 3

func (h *Hub) start(k kind) *server {
	for _, command := range k.programs {
		at := h.o.Find(command[0])
		if at == "" {
			continue
		}
		launch, err := h.o.Launch(append([]string{at}, command[1:]...))
		if err != nil {
			return nil
		}
		p, err := helper.Start(launch)
		if err != nil {
			return nil
		}
		h.began = append(h.began, at)
		return newServer(h.o, p)
	}
	return nil
}

// Find looks for programs where the person's are, and then where the folder keeps its own, which run in a box as its tests do.
func Find(dir string, look func(string) (string, error)) func(string) string {
	return func(name string) string {
		if at, err := look(name); err == nil && filepath.IsAbs(at) && !within(dir, at) {
			return at
		}
		return own(dir, name)
	}
}

// own is a program that the folder keeps.
func own(dir, name string) string {
	at := filepath.Join(dir, "node_modules", ".bin", name)
	if info, err := os.Stat(at); err == nil && !info.IsDir() {
		return at
	}
	return ""
}

// Own are the commands of the servers that would be started from what the folder keeps: nothing of it runs unless the person
// agreed.
func Own(dir string, look func(string) (string, error)) (commands [][]string) {
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".bin")); err != nil {
		return nil
	}
	find := Find(dir, look)
	for _, k := range kinds {
		for _, program := range k.programs {
			at := find(program[0])
			if at != "" && at == own(dir, program[0]) {
				commands = append(commands, append([]string{at}, program[1:]...))
			}
			if at != "" {
				break
			}
		}
	}
	return commands
}

// within reports whether a path leads into a folder.
func within(dir, path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// An Edit is a file before and after a change; nil where it did not exist.
type Edit struct {
	Path          string // below the folder, with slashes
	Before, After []byte
}

// Fresh is what servers find wrong since the edits, a line each, that they did not find before; empty where they find nothing,
// or say nothing in time.
func (h *Hub) Fresh(ctx context.Context, edits []Edit) (found []Problem) {
	by := map[*server][]doc{}
	for _, e := range edits {
		if s, language := h.of(e.Path); s != nil {
			by[s] = append(by[s], doc{e, language})
		}
	}
	for s, docs := range by {
		found = append(found, s.fresh(ctx, docs)...)
	}
	return found
}

// A Problem is what a server finds wrong.
type Problem struct {
	Path string
	Line int // from 1
	Text string
}

// A Place is where something stands.
type Place struct {
	Path string
	Line int // from 1
}

// Places asks where a name on a line of a file is defined or used, as the server that runs knows it; ok is false where none
// does.
func (h *Hub) Places(ctx context.Context, definition bool, file string, text []byte, line int, name string) (places []Place, ok bool) {
	s, language := h.of(file)
	if s == nil {
		return nil, false
	}
	lines := strings.Split(string(text), "\n")
	if line < 1 || line > len(lines) {
		return nil, false
	}
	at := strings.Index(lines[line-1], name)
	if at < 0 {
		return nil, false
	}
	return s.places(ctx, definition, doc{Edit{file, text, text}, language}, line-1, units(lines[line-1][:at]))
}

// units counts a text as the protocol does: in units of UTF-16.
func units(text string) (n int) {
	for _, r := range text {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}
