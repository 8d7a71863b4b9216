package cli

import (
	"cmp"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/record"
	"nebula/internal/share"
)

// An export writes a session down for others.
type export struct {
	*program
	html, markdown             bool
	withoutPaths, withoutFiles bool
}

func (p *program) exportCommand() *cobra.Command {
	e := &export{program: p}
	c := &cobra.Command{
		Use: "export ID", Short: "Write a session's events as JSON, one a line, or the conversation as a page", Args: exactly(1, "a session's ID"), RunE: e.run,
		Example: "  nebula sessions export 20260102 --html > session.html",
	}
	c.Flags().BoolVar(&e.html, "html", false, "one page of HTML that loads nothing")
	c.Flags().BoolVar(&e.markdown, "markdown", false, "Markdown")
	c.Flags().BoolVar(&e.withoutPaths, "without-paths", false, "with --html or --markdown: write the folder as . and your home as ~")
	c.Flags().BoolVar(&e.withoutFiles, "without-contents", false, "with --html or --markdown: leave out what files and commands hold")
	return c
}

func (e *export) run(c *cobra.Command, args []string) error {
	switch {
	case e.html && e.markdown:
		return usage("--html and --markdown exclude each other; give one of them")
	case (e.withoutPaths || e.withoutFiles) && !e.html && !e.markdown:
		return usage("what is exported for programs is whole; --without-paths and --without-contents need --html or --markdown")
	}
	return e.withSession(c.Context(), args[0], func(store nebula.Store, info nebula.SessionInfo) error {
		if !e.html && !e.markdown {
			return record.Export(c.Context(), store, info.ID, e.out)
		}
		config, err := e.settings(info.Dir, nil)
		if err != nil {
			return err
		}
		seen, err := share.Read(store.Load(c.Context(), info.ID), config.Lang)
		if err != nil {
			return err
		}
		keys := e.redactor(config)
		o := share.Options{
			Lang: config.Lang, Title: cmp.Or(info.Title, info.ID), About: []string{info.ID + " · " + when(info.Started) + " · " + info.Model, info.Dir},
			Contents: !e.withoutFiles, Clean: func(text string) string { return e.unplaced(keys.Text(text), info.Dir) },
		}
		written := share.HTML
		if e.markdown {
			written = share.Markdown
		}
		_, err = io.WriteString(e.out, written(seen, o))
		return err
	})
}

// unplaced is a text without the paths that tell whose it is, where that is wanted.
func (e *export) unplaced(text, dir string) string {
	if !e.withoutPaths {
		return text
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, dir+string(os.PathSeparator), ""), dir, ".")
	if home := e.env("HOME"); len(home) > 1 {
		text = strings.ReplaceAll(text, home, "~")
	}
	return text
}
