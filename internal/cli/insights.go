package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/gate"
	"nebula/internal/insight"
	"nebula/internal/lists"
	"nebula/internal/terminal"
)

func (p *program) insightsCommand() *cobra.Command {
	accept, output := 0, "text"
	c := &cobra.Command{
		Use:   "insights",
		Short: "Tell what the record says could be set better",
		Long: "Looks at the sessions of this folder and at how the models wrote, and proposes settings, rules and notes, each with its figures: tests that are\n" +
			"always run the same way, edits and commands that you always allow, a protocol or a model that costs more than another, commands and requests that always fail. Nothing is\n" +
			"changed before you accept it, and nothing is sent anywhere. In a terminal it asks which to accept.",
		Example: "  nebula insights\n  nebula insights --accept 1",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := choice("output", output, []string{"text", "json"}); err != nil {
				return err
			}
			return p.insights(c.Context(), accept, output)
		},
	}
	c.Flags().IntVar(&accept, "accept", 0, "accept the one with the number `N`")
	oneOf(c, &output, "output", "o", "text", "what goes to standard output", "text", "json")
	return c
}

func (p *program) insights(ctx context.Context, accept int, output string) error {
	none := func() error {
		if output == "json" {
			return p.insightsAsJSON(nil)
		}
		if accept != 0 {
			return usage("there is no number %d", accept)
		}
		_, err := fmt.Fprintln(p.err, p.say("nothing that the record speaks for; it has to show the same several times"))
		return err
	}
	return p.withStore(ctx, func(ctx context.Context, store nebula.Store, dir string) error {
		found, err := p.insight(ctx, store, dir)
		if err != nil {
			return err
		}
		switch {
		case len(found) == 0:
			return none()
		case accept < 0 || accept > len(found):
			return usage("there is no number %d", accept)
		case accept > 0:
			return p.accept(ctx, store, dir, found[accept-1])
		case output == "json":
			return p.insightsAsJSON(found)
		}
		return p.offer(ctx, store, dir, found)
	}, none)
}

// insight reads the folder's sessions and looks.
func (p *program) insight(ctx context.Context, store nebula.Store, dir string) ([]insight.Insight, error) {
	list, err := store.AllSessions(ctx, dir)
	if err != nil {
		return nil, err
	}
	var r insight.Reader
	for _, s := range list {
		for e, err := range store.Load(ctx, s.ID) {
			if err != nil {
				break // what is damaged says nothing; others tell of it
			}
			r.Take(s.ID, e)
		}
	}
	spoken, err := store.Spoken(ctx, "", "")
	if err != nil {
		return nil, err
	}
	s, rules, err := p.ruled()
	if err != nil {
		return nil, err
	}
	memory, err := store.Memory(ctx, dir, "")
	if err != nil {
		return nil, err
	}
	found := r.Found(spoken, func(key string) string {
		v, _ := s.config.Value(key)
		if key == "approve" && strings.HasPrefix(v.Source, "default") {
			return "" // it asks wherever there is a person, and who reads this may be a program
		}
		return v.Text
	}, rules)
	return lists.Drop(found, func(f insight.Insight) bool {
		return slices.ContainsFunc(memory.Notes, func(n nebula.Note) bool { return n.Text == p.words(f.Note) })
	}), nil
}

// offer shows what was found, and in a terminal takes the numbers of what is accepted, each by itself.
func (p *program) offer(ctx context.Context, store nebula.Store, dir string, found []insight.Insight) error {
	for i, f := range found {
		fmt.Fprintf(p.out, "%d  %s\n   %s\n   %s\n", i+1, p.words(f.Says), terminal.OneRow(p.words(f.Evidence)), terminal.OneRow(p.does(f)))
	}
	if !p.inTerminal || !p.outTerminal {
		return nil
	}
	lines := bufio.NewScanner(p.in)
	next := func() (string, error) {
		lines.Scan()
		return lines.Text(), lines.Err()
	}
	if in, ok := p.in.(*os.File); ok && len(found) < 10 { // then one key is the whole answer
		next = func() (string, error) { return pressed(in, p.out) }
	}
	for {
		fmt.Fprint(p.out, p.say("accept a number, or Enter to leave: "))
		typed, err := next()
		if typed = strings.TrimSpace(typed); err != nil || typed == "" {
			return err
		}
		n, err := strconv.Atoi(typed)
		if err != nil || n < 1 || n > len(found) {
			continue
		}
		if err := p.accept(ctx, store, dir, found[n-1]); err != nil {
			return err
		}
	}
}

// pressed is one key of a terminal; what controls it, as Enter and Ctrl+C, is none.
func pressed(in *os.File, out io.Writer) (string, error) {
	was, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return "", err
	}
	key := make([]byte, 1)
	n, err := in.Read(key)
	if err = errors.Join(err, term.Restore(int(in.Fd()), was)); n == 0 || key[0] < ' ' {
		key = nil
	}
	fmt.Fprintf(out, "%s\n", key)
	return string(key), err
}

// does is what accepting comes to.
func (p *program) does(f insight.Insight) string {
	switch {
	case f.Rule != nil:
		return p.say("a rule of this folder, as nebula rules shows it: %s", f.Rule.String())
	case f.Key != "":
		return "nebula config set " + f.Key + " " + strconv.Quote(f.Value)
	}
	return "nebula memory add " + strconv.Quote(p.words(f.Note))
}

func (p *program) insightsAsJSON(found []insight.Insight) error {
	type written struct {
		Says     string     `json:"says"`
		Evidence string     `json:"evidence"`
		Key      string     `json:"key,omitempty"`
		Value    string     `json:"value,omitempty"`
		Rule     *gate.Rule `json:"rule,omitempty"`
		Note     string     `json:"note,omitempty"`
	}
	list := []written{}
	for _, f := range found {
		list = append(list, written{p.words(f.Says), p.words(f.Evidence), f.Key, f.Value, f.Rule, p.words(f.Note)})
	}
	return json.NewEncoder(p.out).Encode(list)
}

// accept sets what was proposed, allows it from now on, or remembers it for the folder.
func (p *program) accept(ctx context.Context, store nebula.Store, dir string, f insight.Insight) error {
	switch {
	case f.Rule != nil:
		s, _, err := p.ruled()
		if err != nil {
			return err
		}
		return s.rulebook().Add(*f.Rule)
	case f.Key == "":
		note := p.words(f.Note)
		if err := fitting(note); err != nil {
			return err
		}
		return store.Remember(ctx, dir, note)
	}
	home, err := config.FindHome(p.env)
	if err != nil {
		return usage("%v", err)
	}
	return errors.Join(p.putBack(), setting(home, f.Key, f.Value))
}
