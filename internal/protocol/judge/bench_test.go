package judge

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// BenchmarkReading reads replies through the door that the agent uses, to the end: with what settles how sure a reading is. Ordinary
// are replies as they are taught, of a few actions and thoughts; long ones hold a whole source file; weak ones are the judged cases;
// line is one line of 8 MB in a content. It says how long one reply takes beside the rate.
func BenchmarkReading(b *testing.B) {
	file, err := os.ReadFile("../place.go")
	if err != nil {
		b.Fatal(err)
	}
	specs := nebulatest.Specs()
	ordinary := ordinaryIntents(b)
	content := func(text string) []nebula.Intent {
		args, _ := json.Marshal(map[string]string{"path": "a.go", "content": text}) // strings always marshal
		return []nebula.Intent{{Thoughts: []string{"The file is written anew."}, Actions: []nebula.Action{{Tool: "writeFile", Args: args, Reason: "It is written anew."}}}}
	}
	for _, l := range languages() {
		weak := func() (list []nebula.Reply) {
			for _, c := range load(b, "cases") {
				if c.Protocol == l.Name() {
					list = append(list, c.reply())
				}
			}
			return list
		}
		for _, set := range []struct {
			name    string
			replies func() []nebula.Reply
		}{
			{"ordinary", func() []nebula.Reply { return asTaught(l, ordinary, specs) }},
			{"long", func() []nebula.Reply { return asTaught(l, content(string(file)), specs) }},
			{"line", func() []nebula.Reply { return asTaught(l, content(strings.Repeat("x y z ", 8<<20/6)+"\n"), specs) }},
			{"weak", weak},
		} {
			b.Run(l.Name()+"/"+set.name, func(b *testing.B) {
				size, replies := 0, set.replies()
				for _, r := range replies {
					size += len(r.Text())
					for _, call := range r.Calls() {
						size += len(call.Arguments)
					}
				}
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					for _, r := range replies {
						l.decode(r, specs)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(replies)), "µs/reply")
			})
		}
	}
}

// ordinaryIntents are what the natural replies of the corpus mean.
func ordinaryIntents(b *testing.B) (all []nebula.Intent) {
	files, err := filepath.Glob("../symops/testdata/corpus/natural/*.txt")
	if err != nil || len(files) == 0 {
		b.Fatalf("no corpus: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		in := named(b, "symops").decode(nebula.Reply{Parts: nebula.Text(string(text)), Finish: "stop"}, nebulatest.Specs())
		all = append(all, in)
	}
	return all
}

// asTaught are intents as a model writes them that was taught a language.
func asTaught(l language, intents []nebula.Intent, specs []nebula.ToolSpec) (list []nebula.Reply) {
	for _, in := range intents {
		r := l.write(in, specs)
		r.Finish = "stop"
		list = append(list, r)
	}
	return list
}
