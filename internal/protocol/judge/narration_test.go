package judge

import (
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// narrated are the actions that what models tell of their work stands beside, by their letters in the table.
var narrated = map[string][4]string{"E": bare("1"), "D": bare("2"), "T": bare("3"), "C": bare("4"), "R": deeds["D"]}

// bare is a deed of a row without what stands around it.
func bare(n string) [4]string {
	d := rowDeeds[n]
	d[2] = strings.TrimSuffix(d[2], "\n")
	d[3] = strings.TrimSuffix(strings.TrimPrefix(d[3], "🦆▶️["), "]◀️🦆\n")
	return d
}

// narrations calls do with each sentence that the table makes: where it stands, its deed's letter, and the sentence.
func narrations(t *testing.T, do func(where, deed, sentence string)) {
	t.Helper()
	phrases := map[string][]string{}
	for _, line := range rows(t, "narration") {
		head, frame, is := strings.Cut(strings.ReplaceAll(line, `\n`, "\n"), "|")
		if !is {
			f := strings.SplitN(line, " ", 3)
			phrases[f[0]+f[1]] = append(phrases[f[0]+f[1]], f[2])
			continue
		}
		where, slot, _ := strings.Cut(head, " ")
		for _, deed := range []string{"E", "D", "T", "C", "R"} {
			said := phrases[deed+slot]
			if slot == "-" {
				said = []string{""}
			}
			for _, phrase := range said {
				s := strings.ReplaceAll(frame, "{"+slot+"}", phrase)
				if s[0] < 0x80 {
					s = strings.ToUpper(s[:1]) + s[1:]
				}
				do(where, deed, s)
			}
		}
	}
}

// TestWhatModelsTellOfTheirWorkHoldsNothing reads what models say before and behind their actions and as their reasons, made of frames and
// phrases that were written without a look at the reading, in all languages: of a hundred one may be asked about.
func TestWhatModelsTellOfTheirWorkHoldsNothing(t *testing.T) {
	tools := nebulatest.Specs()
	all, held, i := 0, map[string]byLanguage{"E": {}, "D": {}, "T": {}, "C": {}, "R": {}}, 0
	of := map[string]int{}
	sum := byLanguage{}
	narrations(t, func(where, deed, sentence string) {
		i++
		if testing.Short() && i%5 > 0 {
			return
		}
		all++
		of[deed]++
		for _, l := range languages() {
			if runs(l.decode(besideDeed(l.Name(), where, narrated[deed], sentence, i%2 == 1), tools), tools) {
				continue
			}
			sum[l.Name()]++
			held[deed][l.Name()]++
			t.Logf("%s %s %s: %s", l.Name(), where, deed, sentence)
		}
	})
	t.Logf("of %d held:%s", all, sum)
	for deed, n := range held {
		t.Logf("%s: of %d:%s", deed, of[deed], n)
	}
	for _, l := range languages() {
		if 100*sum[l.Name()] > all {
			t.Errorf("%s holds %d of %d", l.Name(), sum[l.Name()], all)
		}
	}
}
