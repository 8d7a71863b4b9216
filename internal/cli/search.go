package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/record"
	"nebula/internal/terminal"
)

func (p *program) searchCommand() *cobra.Command {
	s := &searching{program: p}
	c := &cobra.Command{
		Use:     "search WORDS…",
		Short:   "Find what was said and done in all sessions",
		Long:    "Finds the sessions, of every folder, in which all the words stand: in what you asked for, in answers, or in what was done. The case of letters\ndoes not count.",
		Example: "  nebula sessions search rate limit\n  nebula sessions search --here レート制限",
		Args:    between(1, 100, "the words to look for"),
		RunE:    s.run,
	}
	c.Flags().BoolVar(&s.here, "here", false, "only sessions of this folder")
	c.Flags().BoolVar(&s.json, "json", false, "as JSON, one session a line")
	return c
}

// A searching looks through the record. It reads all of it: 100 MB take about a second (BenchmarkSessionsSearch), which no index
// has to be kept for.
type searching struct {
	*program
	here, json bool
}

// A found is a session with the first places of what was looked for.
type found struct {
	nebula.SessionInfo
	Places []hit `json:"places"`
}

// A hit is something that was said or done, with some of the words in it.
type hit struct {
	Seq  int64  `json:"seq"`
	Who  string `json:"who"` // person, model or action
	Text string `json:"text"`
}

// placesMax is how many places of a session are shown.
const placesMax = 3

func (s *searching) run(c *cobra.Command, args []string) error {
	needles := needlesOf(strings.Join(args, " "))
	if len(needles) == 0 {
		return usage("%s needs %s; %s --help shows an example", c.CommandPath(), nebula.Say("the words to look for"), c.CommandPath())
	}
	any := false
	err := s.withStore(c.Context(), func(ctx context.Context, store nebula.Store, dir string) error {
		if !s.here {
			dir = ""
		}
		list, err := store.AllSessions(ctx, dir)
		if err != nil {
			return err
		}
		for _, info := range list {
			places, err := look(ctx, store, info, needles)
			if err != nil {
				return err
			}
			if len(places) == 0 {
				continue
			}
			any = true
			if err := s.write(found{info, places}, needles); err != nil {
				return err
			}
		}
		return nil
	}, func() error { return nil })
	if err == nil && !any {
		_, err = fmt.Fprintln(s.err, s.say("nothing found"))
	}
	return err
}

// needlesOf are the words of a text, to be looked for.
func needlesOf(words string) (needles []phrase.Needle) {
	for word := range strings.FieldsSeq(words) {
		needles = append(needles, phrase.NewNeedle(word))
	}
	return needles
}

// look gives the first places of a session, those with more of the words before others; none where a word is not in it.
func look(ctx context.Context, store nebula.Store, info nebula.SessionInfo, needles []phrase.Needle) ([]hit, error) {
	var places []hit
	missing := lists.Clone(needles)
	best := 0
	d := record.NewDecoder()
	for r, err := range store.Records(ctx, info.ID, 0) {
		if err != nil {
			return nil, err
		}
		if !lists.Has([]string{"submitted", "replied", "asked", "answered", "finished"}, r.Type) {
			continue
		}
		body, err := d.Body(r.Type, r.Data)
		if err != nil { // damage is what the audit tells of
			continue
		}
		who, text := spoken(body)
		n := 0
		for _, needle := range needles {
			if needle.Found(text) {
				n++
			}
		}
		if n == 0 {
			continue
		}
		missing = lists.Drop(missing, func(needle phrase.Needle) bool { return needle.Found(text) })
		if n > best {
			best, places = n, nil
		}
		if n == best && len(places) < placesMax {
			places = append(places, hit{r.Seq, who, text})
		}
	}
	if len(missing) > 0 {
		return nil, nil
	}
	return places, nil
}

// spoken is what an event says, and who says it.
func spoken(b nebula.Body) (who, text string) {
	switch b := b.(type) {
	case nebula.Submitted:
		return "person", b.Text
	case nebula.Replied:
		return "model", b.Intent.Say
	case nebula.Asked:
		if b.Question != nil {
			return "model", b.Question.Text
		}
	case nebula.Answered:
		return "person", b.Text
	case nebula.Finished:
		return "action", b.Result.Summary
	}
	return "", ""
}

func (s *searching) write(f found, needles []phrase.Needle) error {
	if s.json {
		enc := json.NewEncoder(s.out)
		enc.SetEscapeHTML(false)
		return enc.Encode(f)
	}
	bold, dim := "", ""
	if s.colour(s.outTerminal) {
		bold, dim = "\x1b[1m", "\x1b[2m"
	}
	w := &strings.Builder{}
	fmt.Fprintf(w, "%s  %s\n", f.ID, terminal.Paint(dim, when(f.Last)+"  "+phrase.OneLine(f.Dir, 0)))
	for _, p := range f.Places {
		mark := map[string]string{"person": "›", "model": " ", "action": "·"}[p.Who]
		fmt.Fprintf(w, "  %s %s\n", terminal.Paint(dim, mark), around(p.Text, needles, 72, bold))
	}
	_, err := io.WriteString(s.out, w.String())
	return err
}

// around is what stands around the first of the words in a text, in one row of so many columns.
func around(text string, needles []phrase.Needle, width int, bold string) string {
	text = strings.Join(strings.Fields(terminal.Visible(text)), " ")
	from, to := len(text), 0
	for _, n := range needles {
		for at, end := range n.In(text) {
			if at < from {
				from, to = at, end
			}
			break
		}
	}
	if from >= to { // the words stand on either side of the end of a line
		return terminal.Clip(text, width)
	}
	before, word, after := text[:from], text[from:to], text[to:]
	if room := width / 3; terminal.Width(before) > room {
		for terminal.Width(before) > room-1 {
			before = before[len(terminal.First(before)):]
		}
		before = "…" + before
	}
	return before + terminal.Paint(bold, word) + terminal.Clip(after, max(width-terminal.Width(before+word), 1))
}
