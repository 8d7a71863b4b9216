package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/sqlite"
	"nebula/internal/workspace"
)

func (p *program) undoCommand() *cobra.Command {
	redo := false
	c := &cobra.Command{
		Use:               "undo [ID]",
		Short:             "Take back the file changes of the last turn",
		Long:              "Takes back what the last turn changed: contents, modes, created and deleted files. A file that was changed since is left, and said.\nWithout ID it is the last session of this folder that changed something.",
		Example:           "  nebula undo\n  nebula undo --redo",
		Args:              atMost(1),
		ValidArgsFunction: p.sessionIDs,
		RunE: func(c *cobra.Command, args []string) error {
			return p.undo(c.Context(), args, redo)
		},
	}
	c.Flags().BoolVar(&redo, "redo", false, "bring back what undo took")
	return c
}

func (p *program) undo(ctx context.Context, args []string, redo bool) error {
	s := &session{program: p, given: map[string]string{}}
	var err error
	if s.dir, err = folder(p.at); err != nil {
		return err
	}
	if s.config, err = p.settings(s.dir, nil); err != nil {
		return err
	}
	if !exists(s.config) {
		return fail(exitFailed, "nothing to take back: no session has changed files here")
	}
	if s.store, err = p.open(ctx, s.config); err != nil {
		return err
	}
	defer s.store.Close()
	id, err := s.changed(ctx, args, redo)
	if err != nil {
		return err
	}
	work, err := s.folder()
	if err != nil {
		return err
	}
	defer work.Close()
	made, err := s.takeBack(ctx, work, id, redo)
	for _, c := range made {
		fmt.Fprintf(p.out, "%s %s\n", p.words(undone(c)), c.Path)
	}
	return err
}

// changed is the session whose changes are meant: the named one, or the folder's last one that has any.
func (s *session) changed(ctx context.Context, args []string, redo bool) (string, error) {
	if len(args) == 1 {
		s.id = args[0]
		return s.choose(ctx)
	}
	list, err := s.store.Sessions(ctx, s.dir)
	if err != nil {
		return "", err
	}
	for _, info := range list {
		has, err := touched(ctx, s.store, info.ID, redo)
		if err != nil {
			return "", err
		}
		if has {
			return info.ID, nil
		}
	}
	what := nebula.Say("nothing to take back: no session has changed files here")
	for _, info := range list {
		if taken, err := touched(ctx, s.store, info.ID, true); !redo && err == nil && taken {
			what = nebula.Say("nothing is left to take back; nebula undo --redo brings back what was taken")
			break
		}
	}
	if redo {
		what = nebula.Say("nothing to bring back: nothing was undone here")
	}
	return "", &exit{exitFailed, what}
}

// touched reports whether a session has changes that stand, or that were undone.
func touched(ctx context.Context, store *sqlite.Store, id string, redo bool) (bool, error) {
	standing, taken := map[int]bool{}, map[int]bool{}
	turn := 0
	for e, err := range store.Load(ctx, id) {
		if err != nil {
			return false, err
		}
		switch b := e.Body.(type) {
		case nebula.Submitted:
			turn = b.Turn
		case nebula.Finished:
			if len(b.Result.Changes) > 0 {
				standing[turn] = true
			}
		case nebula.Undone:
			if b.Redo {
				delete(taken, b.Turn)
				standing[b.Turn] = true
			} else {
				delete(standing, b.Turn)
				taken[b.Turn] = true
			}
		}
	}
	if redo {
		return len(taken) > 0, nil
	}
	return len(standing) > 0, nil
}

// takeBack opens the session, has it undo, and gives the changes that this made.
func (s *session) takeBack(ctx context.Context, work *workspace.Dir, id string, redo bool) ([]nebula.Change, error) {
	s.models = &models{config: s.config, env: s.env, say: s.program.words, made: map[string]nebula.Model{}}
	conversation, err := agent.Open(ctx, s.setup(s.models, work, s.code(work), id), id)
	if err != nil {
		return nil, err
	}
	failed := conversation.Send(ctx, nebula.Undo{Redo: redo})
	_ = conversation.Send(ctx, nebula.Close{}) // Wait tells how it ended
	ended := conversation.Wait()
	var made []nebula.Change
	for e := range conversation.Events(ctx, conversation.Opened()) {
		if b, ok := e.Body.(nebula.Undone); ok {
			made = slices.Clone(b.Changes)
		}
	}
	return made, errors.Join(failed, ended)
}

func undone(c nebula.Change) nebula.Words {
	switch c.Kind {
	case "create", "mkdir":
		return nebula.Say("restored")
	case "delete", "rmdir":
		return nebula.Say("removed")
	}
	return nebula.Say("changed back")
}
