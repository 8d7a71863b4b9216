package judge

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol/dialect"
)

// The stages of reading (Sym-Ops §7.2): as written, after repairs that leave one meaning, with a guess that is asked about, and
// after the model was told what could not be read and wrote it again.
var stages = []string{"strict", "repaired", "inferred", "corrected"}

// reached are how many replies that mean an action are understood by the end of each stage, of all there are.
type reached struct {
	by [4]int
	of int
}

func (r reached) percent(stage int) float64 {
	return 100 * float64(r.by[stage]) / float64(max(1, r.of))
}

func (r reached) plus(stage int) reached {
	r.of++
	for i := stage; i < len(r.by); i++ {
		r.by[i]++
	}
	return r
}

// stage is the first at which a judged reply is understood as one of its readings: how many stages there are where it never is.
func stage(t testing.TB, j judgement) int {
	l, specs := named(t, j.Protocol), nebulatest.Specs()
	in := l.decode(j.reply(), specs)
	readings, _, _ := j.readings(t)
	reads := func(in nebula.Intent) bool {
		return slices.ContainsFunc(readings, func(d []deed) bool { return same(in, d) })
	}
	sure := in
	sure.Actions = slices.Clone(in.Actions)
	for i := range sure.Actions {
		sure.Actions[i].Inferred = false
	}
	switch {
	case j.verdict == exact && in.Strategy == nebula.Strict && reads(in):
		return 0
	case j.verdict == exact && (in.Strategy == nebula.Strict || in.Strategy == nebula.Repaired):
		return 1
	case j.verdict == exact || reads(sure):
		return 2
	case j.verdict != asked:
		return len(stages)
	}
	for _, deeds := range readings { // it is asked about or sent back, and its model writes what it meant
		after := l.decode(l.write(meant(deeds), specs), specs)
		if same(after, deeds) && (len(in.Problems) == 0 || dialect.Tolerant(l.Protocol).(nebula.Corrector).Same(j.reply(), in, after) == nil) {
			return 3
		}
	}
	return len(stages)
}

// meant are the actions of a reading, as their model meant them.
func meant(deeds []deed) (in nebula.Intent) {
	for _, d := range deeds {
		args := map[string]any{}
		for name, v := range d.Args {
			if name == "cmd" {
				name = "command"
			}
			args[name] = v
		}
		data, _ := json.Marshal(args) // it came from JSON
		in.Actions = append(in.Actions, nebula.Action{Tool: d.Tool, Args: data})
	}
	return in
}

// gather counts the judged replies that act, by protocol.
func gather(all map[string]reached, judged []judgement) {
	for _, j := range judged {
		if slices.ContainsFunc(j.Accept, func(a json.RawMessage) bool { return a[0] == '[' }) {
			all[j.Protocol] = all[j.Protocol].plus(j.stage)
		}
	}
}

// staged is a row of the page on protocols.
var staged = regexp.MustCompile(`(?m)^\| (\w+) \| (\d+) % \| (\d+) % \| (\d+) % \| (\d+) % \|$`)

// most is how many points a figure of the page may be off: single cases come and go.
const most = 5

// published holds the page on protocols to the stages that were measured.
func published(t *testing.T, all map[string]reached) {
	page, err := os.ReadFile("../../../docs/protocols.md")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	for _, row := range staged.FindAllStringSubmatch(string(page), -1) {
		said[row[1]] = row[2:]
	}
	for _, l := range languages() {
		r, row, far := all[l.Name()], "| "+l.Name()+" |", len(said[l.Name()]) == 0
		for i := range stages {
			row += fmt.Sprintf(" %.0f %% |", r.percent(i))
			if !far {
				n, _ := strconv.Atoi(said[l.Name()][i])
				far = math.Abs(r.percent(i)-float64(n)) > most
			}
		}
		if t.Logf("%s of %d", row, r.of); far {
			t.Errorf("docs/protocols.md says something else of the stages of reading; the row is\n%s", row)
		}
	}
}

// BenchmarkStages reads and judges the same replies, and says how far each stage comes.
func BenchmarkStages(b *testing.B) {
	all := map[string]reached{}
	for b.Loop() {
		clear(all)
		gather(all, judgeAll(b, load(b, "cases")))
		gather(all, judgeAll(b, load(b, "replies")))
	}
	for _, l := range languages() {
		for i, stage := range stages {
			b.ReportMetric(all[l.Name()].percent(i), "%_"+l.Name()+"_"+stage)
		}
	}
}
