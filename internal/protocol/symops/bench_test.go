package symops

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// replies are the corpus's replies of one set.
func replies(tb testing.TB, set string) []string {
	files, err := filepath.Glob("testdata/corpus/" + set + "/*.txt")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no corpus: %v", err)
	}
	var out []string
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, string(raw))
	}
	return out
}

// benchmarkParse measures the language alone, benchmarkDecode the whole way to an intent.
func benchmarkParse(b *testing.B, texts []string) {
	benchmarkSet(b, texts, func(t string) { Parse(t, nebulatest.Specs()) })
}

func benchmarkDecode(b *testing.B, texts []string) {
	tools := nebulatest.Specs()
	benchmarkSet(b, texts, func(t string) { Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(t)}, tools) })
}

func benchmarkSet(b *testing.B, texts []string, read func(string)) {
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, t := range texts {
			read(t)
		}
	}
}

// strictly are the replies that need no repair.
func strictly(b *testing.B) (out []string) {
	for _, r := range replies(b, "natural") {
		if d := Parse(r, nebulatest.Specs()); len(d.Repairs) == 0 && d.Say == "" {
			out = append(out, r)
		}
	}
	return out
}

func BenchmarkNatural(b *testing.B)      { benchmarkParse(b, replies(b, "natural")) }
func BenchmarkWeak(b *testing.B)         { benchmarkParse(b, replies(b, "weak")) }
func BenchmarkStrict(b *testing.B)       { benchmarkParse(b, strictly(b)) }
func BenchmarkDecode(b *testing.B)       { benchmarkDecode(b, replies(b, "natural")) }
func BenchmarkDecodeWeak(b *testing.B)   { benchmarkDecode(b, replies(b, "weak")) }
func BenchmarkDecodeStrict(b *testing.B) { benchmarkDecode(b, strictly(b)) }

func BenchmarkStream(b *testing.B) {
	texts := replies(b, "natural")
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	b.SetBytes(int64(size))
	tools := nebulatest.Specs()
	for b.Loop() {
		for _, t := range texts {
			s := Protocol{}.Stream(tools)
			for len(t) > 0 {
				n := min(20, len(t))
				s.Feed(t[:n])
				t = t[n:]
			}
			s.Close()
		}
	}
}

// extremes are replies of a size that only a mistake or an attack makes.
func extremes() map[string]string {
	const size = 10 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	many := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	return map[string]string{
		"one line":         fill("x"),
		"one thought":      "~ " + fill("y z "),
		"one action":       "$ run @ " + fill("y > z "),
		"one create":       "$ create @ " + fill("a > b@ "),
		"one label":        "Thought: " + fill("\"x\": "),
		"one JSON string":  `{"action": "create", "path": "a", "content": "` + fill(`x\n`) + `"}`,
		"open JSON":        fill("{\"action\": \"create\", \"path\": \"a\", \"content\": \"\n"),
		"deep JSON":        fill(`{"action":`),
		"deep JSON lines":  fill("{\"action\":\n"),
		"open tags":        fill("<create path=\"a\">\n"),
		"delimiters":       fill("--\n"),
		"delimiters prose": "$ create @ a\n" + fill("--\nx\n"),
		"fences":           fill("```\n"),
		"labelled fences":  fill("```go\n"),
		"actions":          many("$ run @ echo %d\n", 100_000),
		"creates":          many("$ create @ f%d.txt\n--\nx\n--\n", 100_000),
		"loose creates":    "hello there\n" + many("$ create @ f%d.txt\n--\nx\n--\n", 100_000),
		"missing closes":   many("$ create @ f%d.txt\n--\nx\n\n", 100_000),
		"weak actions":     many("create f%d.txt\n", 100_000),
		"same action":      fill("$ create @ a.txt\n--\nx\n--\n"),
		"questions":        fill("? a\n  1. b\n"),
		"JSON actions":     "{\"actions\": [" + many(`{"run": "echo %d"},`, 100_000) + "]}",
		"many paths":       "$ create @ " + many("f%d.txt, ", 100_000) + "x.txt\n--\nx\n--\n",
		"dependency chain": many("$ create @ f%[1]d.txt > g%[1]d.txt\n--\nx\n--\n", 50_000),
		"empty lines":      fill("\n"),
		"spaces":           fill(" "),
		"quotes":           fill("> $ run @ x\n"),
		"entities":         fill("&lt;&gt; "),
		"think":            fill("<think>\n"),
		"think ends":       "x\n" + fill("</think> x\n"),
		"labels":           fill("Action: create\nPath: a.py\n"),
		"scalars":          fill("content: |\n"),
		"stars":            fill("**"),
		"numbers":          fill("1. "),
		"vitals":           fill("#c0.1 "),
		"hash words":       fill("#c 0.1 | "),
		"vitals words":     fill("confidence: 0.8, "),
		"wide symbols":     fill("～"),
		"not text":         fill("\xff\x00"),
		"options":          "? x\n" + fill("  1. b\n"),
		"search blocks":    "$ edit @ a\n--\n" + fill("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n") + "--\n",
	}
}

func BenchmarkExtremes(b *testing.B) {
	for name, text := range extremes() {
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Parse(text, nebulatest.Specs())
			}
		})
	}
}
