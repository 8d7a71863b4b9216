package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/index"
	"nebula/internal/model"
	"nebula/internal/workspace"
)

// settling is how long a session is open before its folder is gone through: one that is over sooner pays nothing.
const settling = time.Second

// code is the index of the folder. Nothing is opened before it is asked.
func (s *session) code(work *workspace.Dir) *index.Index {
	code := index.New(work, index.File(s.config.Home.Record, s.dir))
	code.Spare(protection(s.config.Protection).Secret)
	if v, ok := s.config.Value("embeddings"); ok && v.Text != "" {
		code.Embed(index.Embedding{Name: v.Text, Embed: func(ctx context.Context, texts []string) ([][]float32, error) {
			at, _, err := resolve(s.config, s.env, s.words, v.Text)
			if err != nil {
				return nil, err
			}
			return model.Embed(ctx, at, texts)
		}})
	}
	return code
}

// evidence looks up what a request is about. A recording has to be asked the same again, whatever the folder is like by
// then: it goes without.
//
//go:noinline
func (s *session) evidence(code *index.Index) func(string, bool) string {
	most := s.config.Budget.Evidence
	if s.record != "" || s.replay != "" || most == 0 || s.broad != "" {
		return nil
	}
	return func(request string, first bool) string { return code.Evidence(request, first, most, model.Estimate) }
}

// broad says of a folder that it is no project's: everything of the person's, or of the machine's, lies in it. Such a
// folder is gone through only when somebody searches it.
func (p *program) broad(dir string) string {
	home, err := os.UserHomeDir()
	if err == nil {
		home, err = filepath.EvalSymlinks(home)
	}
	rel, relErr := filepath.Rel(dir, home)
	switch {
	case dir == filepath.Dir(dir):
		return p.say("%s is the root of the file system: nothing is looked at here before it is asked for. Start nebula in a project's folder, or name it with -C", dir)
	case err == nil && relErr == nil && rel == ".":
		return p.say("%s is your home folder: nothing is looked at here before it is asked for. Start nebula in a project's folder, or name it with -C", dir)
	case err == nil && relErr == nil && filepath.IsLocal(rel):
		return p.say("%s holds your home folder: nothing is looked at here before it is asked for. Start nebula in a project's folder, or name it with -C", dir)
	}
	return ""
}

// outlook is what a plan has to know of the folder.
//
//go:noinline
func (s *session) outlook(code *index.Index) func(string) string {
	most := s.config.Budget.Map
	if s.record != "" || s.replay != "" || most == 0 || s.broad != "" {
		return nil
	}
	return func(goal string) string { return code.Outlook(context.Background(), goal, most, model.Estimate) }
}

// resting is how old a change must be before its time tells it from the next.
const resting = time.Second

// stale compares what was read with what is there now. A file whose size and time stay the same is read once.
func stale(work *workspace.Dir) func([]nebula.FileRef) []nebula.FileRef {
	type known struct {
		size int64
		time time.Time
		hash string
	}
	had := map[string]known{}
	return func(refs []nebula.FileRef) (changed []nebula.FileRef) {
		paths := make([]string, len(refs))
		for i, ref := range refs {
			paths[i] = ref.Path
		}
		for i, e := range work.Glance(paths) {
			ref := refs[i]
			var err error
			if e.Path == "" {
				e, err = work.Stat(ref.Path)
			}
			if errors.Is(err, fs.ErrNotExist) {
				changed = append(changed, nebula.FileRef{Path: ref.Path})
				continue
			}
			k := had[ref.Path]
			if err == nil && (k.hash == "" || k.size != e.Size || !k.time.Equal(e.ModTime)) {
				var data []byte
				data, _, err = work.Read(ref.Path, 0)
				k = known{e.Size, e.ModTime, nebula.Hash(data)}
			}
			if err != nil {
				continue // it cannot be told
			}
			if time.Since(e.ModTime) > resting {
				had[ref.Path] = k
			}
			if k.hash != ref.Hash {
				if work.Open(ref.Path, ref.Hash) {
					continue // not saved
				}
				changed = append(changed, nebula.FileRef{Path: ref.Path, Hash: k.hash})
			}
		}
		return changed
	}
}

// A file that is gone is looked for among so many of its kind, where they are no longer than that.
const (
	movedAmong = 500
	movedBytes = 1 << 20
)

// moved looks once for a file that is gone, by its content, among those of its kind.
func moved(work *workspace.Dir) func(nebula.FileRef) string {
	known := map[string]string{}
	return func(gone nebula.FileRef) string {
		key := gone.Path + " " + gone.Hash
		if to, looked := known[key]; looked || gone.Hash == "" || gone.Hash == nebula.Hash(nil) {
			if _, err := work.Stat(to); to == "" || err != nil {
				return ""
			}
			return to
		}
		known[key] = ""
		n := 0
		for e, err := range work.List(context.Background(), workspace.Walk{Recursive: true, Pattern: "*" + path.Ext(gone.Path)}) {
			if err != nil || !e.Mode.IsRegular() || e.Size > movedBytes {
				continue
			}
			if n++; n > movedAmong {
				break
			}
			if data, _, err := work.Read(e.Path, movedBytes); err == nil && nebula.Hash(data) == gone.Hash {
				known[key] = e.Path
				break
			}
		}
		return known[key]
	}
}

func (p *program) mapCommand() *cobra.Command {
	m := &mapping{session: &session{program: p}}
	c := &cobra.Command{
		Use:   "map [REQUEST…]",
		Short: "Print the files that everything refers to, with what they define",
		Long: "Prints the map of this folder that a request carries: the files that the others refer to most, those first that the\n" +
			"request is about, with their signatures, in at most --tokens tokens.",
		Example: "  nebula map\n  nebula map \"add a priority to todos\" --tokens 2000",
		Args:    cobra.ArbitraryArgs,
		RunE:    m.run,
	}
	c.Flags().IntVar(&m.tokens, "tokens", 1000, "`N`: the map is at most this long")
	oneOf(c, &m.output, "output", "o", "text", "what goes to standard output", "text", "json")
	return c
}

// mapping is the map command with its flags.
type mapping struct {
	*session
	tokens int
	output string
}

func (m *mapping) run(c *cobra.Command, args []string) error {
	if err := choice("output", m.output, []string{"text", "json"}); err != nil {
		return err
	}
	if m.tokens < 1 {
		return usage("--tokens %d: give a number of 1 or more", m.tokens)
	}
	if err := m.settle(c); err != nil {
		return err
	}
	if most := m.config.Budget.Map; most > 0 && !c.Flags().Changed("tokens") {
		m.tokens = most
	}
	work, err := workspace.Open(m.session.dir, nil, m.own()...)
	if err != nil {
		return fail(exitNoFolder, "%w", err)
	}
	defer work.Close()
	if err := m.widen(work); err != nil {
		return err
	}
	code := m.code(work)
	defer code.Close()
	return m.print(c.Context(), code, strings.Join(args, " "))
}

// making is how long the command waits for a first index.
const making = 10 * time.Minute

func (m *mapping) print(ctx context.Context, code *index.Index, request string) error {
	if _, err := code.Refresh(ctx, making); err != nil {
		return fail(exitRecord, "%w", err)
	}
	files, age, err := code.Map(ctx, request)
	if err != nil {
		return fail(exitRecord, "%w", err)
	}
	if age.Notice.Format != "" {
		m.warn("%s", age.Notice)
	}
	layers, err := code.Layers(request)
	if err != nil {
		return fail(exitRecord, "%w", err)
	}
	if m.output == "json" {
		return json.NewEncoder(m.out).Encode(struct {
			Files  []index.Sketch `json:"files"`
			Layers index.Layers   `json:"layers"`
		}{files, layers})
	}
	if len(files) == 0 {
		_, err := fmt.Fprintln(m.err, m.say("no code in this folder"))
		return err
	}
	head := ""
	if text := m.words(layers.Words()); text != "" {
		head = text + "\n\n"
	}
	_, err = fmt.Fprint(m.out, head, index.Fit(files, m.tokens-model.Estimate(head), model.Estimate))
	return err
}
