package workspace

import (
	"context"
	"errors"
	"path"
	"syscall"

	"nebula"
)

// Restore takes changes back, the last first, to the byte and the mode, and returns the changes that it made: given to
// Restore, they bring everything back again. The grant has to cover every path with what stands there now. All is
// checked before anything changes; where a file is not as the change left it, Restore fails with [ErrStale]. When a
// step fails all the same, those before it are undone; made is then what could not be undone.
//
// A directory that a change made stays, unreported, when it holds something else by now.
func (d *Dir) Restore(ctx context.Context, g *nebula.Grant, changes []nebula.Change) (made []nebula.Change, err error) {
	done, err := d.alone(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := d.present(); err != nil {
		return nil, err
	}
	if err := d.restorable(ctx, g, changes); err != nil {
		return nil, err
	}
	for i := len(changes) - 1; i >= 0; i-- {
		c := changes[i]
		was, stays, err := d.revert(ctx, c, granted(ctx, g, c.Path, d))
		if err != nil {
			return d.retreat(ctx, made, err)
		}
		if !stays {
			made = append(made, was)
		}
	}
	return made, nil
}

// retreat undoes the steps of a Restore that could not be finished.
func (d *Dir) retreat(ctx context.Context, made []nebula.Change, cause error) ([]nebula.Change, error) {
	ctx = context.WithoutCancel(ctx)
	for len(made) > 0 {
		last := made[len(made)-1]
		if _, _, err := d.revert(ctx, last, untilDone(ctx)); err != nil {
			return made, nebula.Errorf("%w; %d of the files are restored and stay so: %w", cause, len(made), err)
		}
		made = made[:len(made)-1]
	}
	return nil, cause
}

// restorable goes through the changes, the last first, as they would be taken back, without touching anything.
func (d *Dir) restorable(ctx context.Context, g *nebula.Grant, changes []nebula.Change) error {
	seen := make(map[string]state, len(changes))
	for i := len(changes) - 1; i >= 0; i-- {
		c := changes[i]
		rel, err := d.Clean(c.Path)
		if err != nil {
			return err
		}
		before, after := ends(c)
		now, ok := seen[rel]
		if !ok {
			if now, err = d.current(g, rel, seen); err != nil {
				return err
			}
		}
		if !now.equal(after) {
			return nebula.Errorf("%q %w: nothing was taken back; save or remove your version and try again", rel, ErrStale)
		}
		if before.hash != "" {
			if _, err := d.kept(ctx, rel, before.hash); err != nil {
				return err
			}
		}
		seen[rel] = before
	}
	return nil
}

// current is what stands at a path that a Restore touches, if the grant covers it. Below a directory or in place of a
// link that the Restore itself brings back there is nothing yet.
func (d *Dir) current(g *nebula.Grant, rel string, seen map[string]state) (state, error) {
	shown, ok := g.Covers(rel)
	switch {
	case !ok:
		return state{}, nebula.Errorf("%q: %w", rel, nebula.ErrNoGrant)
	case d.Protected(rel):
		return state{}, untouchable(rel)
	}
	for up := path.Dir(rel); up != "."; up = path.Dir(up) {
		if s, ok := seen[up]; ok && s.dir() {
			if e, err := d.Stat(up); err != nil || !e.Dir {
				return state{}, nil
			}
		}
	}
	s, err := d.find(rel, false)
	if err != nil {
		return state{}, err
	}
	defer s.close()
	if s.path != rel && len(s.rest) == 0 && path.Dir(s.path) != path.Dir(rel) {
		return state{}, nebula.Errorf("%q %w: it is reached through a link now", rel, ErrStale)
	}
	if len(s.rest) > 0 {
		return state{}, nil
	}
	now, err := d.look(s)
	if err == nil && now.hash != shown && !(now.link() && d.behind(rel) == shown) {
		err = stale(rel)
	}
	return now, err
}

func (d *Dir) kept(ctx context.Context, rel, hash string) ([]byte, error) {
	data, err := d.keep.Content(ctx, hash)
	if err == nil && nebula.Hash(data) != hash {
		err = errors.New("it is damaged")
	}
	if err != nil {
		return nil, nebula.Errorf("%q: the content it had before is not in the record: %w", rel, err)
	}
	return data, nil
}

// revert takes one change back. It reports that a directory stays because it is not empty.
func (d *Dir) revert(ctx context.Context, c nebula.Change, last func() error) (made nebula.Change, stays bool, err error) {
	rel, err := d.Clean(c.Path)
	if err != nil {
		return nebula.Change{}, false, err
	}
	s, err := d.find(rel, false)
	if err != nil {
		return nebula.Change{}, false, err
	}
	defer s.close()
	if err := d.changeable(rel, s); err != nil && s.stat.exists() {
		return nebula.Change{}, false, err
	}
	was, err := d.look(s)
	if err != nil {
		return nebula.Change{}, false, err
	}
	before, after := ends(c)
	if !was.equal(after) || len(s.rest) > 0 {
		return nebula.Change{}, false, stale(rel)
	}
	if before.hash != "" {
		if before.data, err = d.kept(ctx, rel, before.hash); err != nil {
			return nebula.Change{}, false, err
		}
	}
	made, err = d.carry(ctx, s, was, before, last)
	if was.dir() && !before.exists() && (errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.EEXIST)) {
		return nebula.Change{}, true, nil
	}
	return made, false, err
}
