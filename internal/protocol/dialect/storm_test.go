package dialect

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

// TestStorm decodes mutations of real and made-up replies with every protocol, millions of them: no panic, no span out
// of range, no arguments that are not JSON. It is short here; NEBULA_STORM=N asks for N executions, and goes on from a
// random place. What breaks is printed and belongs into a case file.
func TestStorm(t *testing.T) {
	executions, seed := 4000, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("NEBULA_STORM")); err == nil {
		executions, seed = n, uint64(time.Now().UnixNano())
	}
	seeds := stormSeeds(t)
	tools := nebulatest.Specs()
	random := rand.New(rand.NewPCG(seed, 0))
	began := time.Now()
	for done := 0; done < executions; {
		text := mutate(random, seeds)
		for _, row := range language.All() {
			p := row.Protocol
			calm(t, p, text, tools)
			done++
		}
		if done%4_000_000 == 0 {
			runtime.GC()
			fmt.Printf("%d executions, %.0f a second\n", done, float64(done)/time.Since(began).Seconds())
		}
	}
}

// calm checks one decoding without building anything from it.
func calm(t *testing.T, p nebula.Protocol, text string, tools []nebula.ToolSpec) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%s: %v\n%q", p.Name(), r, text)
		}
	}()
	r := nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}
	if p.Name() == "toolcall" {
		r.Parts = nebula.PartsOf("", text, nebula.Call{ID: "c", Name: "writeFile", Arguments: text})
	}
	for _, a := range p.Decode(r, tools).Actions {
		if a.Src.Start < 0 || a.Src.End > len(text) || a.Src.Start > a.Src.End {
			t.Fatalf("%s: span %+v of %d bytes\n%q", p.Name(), a.Src, len(text), text)
		}
		if len(a.Args) < 2 || a.Args[0] != '{' || a.Args[len(a.Args)-1] != '}' {
			t.Fatalf("%s: arguments %q\n%q", p.Name(), a.Args, text)
		}
	}
}

// stormSeeds are short pieces of replies in every language.
func stormSeeds(t *testing.T) []string {
	t.Helper()
	seeds := nebulatest.Texts()
	for _, pattern := range []string{"../symops/testdata/corpus/*/*.txt", "../symops/testdata/cases/*.txtar", "testdata/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				continue // a folder
			}
			seeds = append(seeds, string(data))
		}
	}
	return seeds
}

// tokens are what the languages are made of.
var tokens = []string{
	"$ ", "@ ", "~ ", "--\n", "---\n", "\n--", "> ", "? ", "! ", "#c0.5 ", "```\n", "```json\n", "~~~", "\n", "\r\n", "\t", " ", "create", "edit", "run", "test", "delete",
	"🦆▶️[", "]◀️🦆", "🦆▶[[", "T:", "F:", "{{F:", "}}", "|", ":", "{", "}", "[", "]", "\"", "'", "\\", "\\u", ",", "null", "<think>", "</think>", "<tool_call>", "</tool_call>",
	"<function=", "<invoke name=", "[TOOL_CALLS]", "actions:", "- type:", "\"operation\":", "\"args\":", "＄", "＠", "－－", "～", "　", "\x00", "\xff", "\xe3\x81", "&lt;", "“", "**", "1. ", "### ",
}

func mutate(r *rand.Rand, seeds []string) string {
	piece := func() string {
		s := seeds[r.IntN(len(seeds))]
		if s == "" {
			return s
		}
		from := r.IntN(len(s))
		return s[from:min(len(s), from+r.IntN(160))]
	}
	b := []byte(piece())
	for range r.IntN(8) {
		at := 0
		if len(b) > 0 {
			at = r.IntN(len(b))
		}
		switch r.IntN(5) {
		case 0:
			b = append(b[:at:at], append([]byte(tokens[r.IntN(len(tokens))]), b[at:]...)...)
		case 1:
			b = append(b[:at:at], append([]byte(piece()), b[at:]...)...)
		case 2:
			b = append(b[:at:at], b[min(len(b), at+r.IntN(20)):]...)
		case 3:
			if len(b) > 0 {
				b[at] = byte(r.UintN(256))
			}
		case 4:
			b = append(b, tokens[r.IntN(len(tokens))]...)
		}
	}
	if len(b) > 600 {
		b = b[:600]
	}
	return string(b)
}
