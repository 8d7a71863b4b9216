package workspace

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"nebula"
)

// replace makes next of what stands at a spot, provided that it is still was. last is asked immediately before the
// change becomes visible. When replace fails, what was there is there still.
func (d *Dir) replace(s spot, was, next state, last func() error) error {
	d.sweep(s)
	d.guild.note(path.Dir(s.path))
	switch {
	case next.dir() && was.dir():
		return d.chmod(s, next, last)
	case next.dir():
		return d.makeDir(s, next, last)
	case !next.exists() && was.dir():
		return d.dropDir(s, next.lazy, last)
	case !next.exists():
		return d.drop(s, was, next.lazy, last)
	case was.dir():
		return nebula.Errorf("%q is a directory: it cannot become a file", s.path)
	}
	temp, err := d.writeTemp(s, was, next)
	if err != nil {
		return err
	}
	if err := last(); err != nil {
		d.sweepUp(s, temp)
		return err
	}
	return d.move(s, temp, was, next.lazy)
}

// writeTemp writes next beside the spot.
func (d *Dir) writeTemp(s spot, was, next state) (temp string, err error) {
	d.guild.note(path.Dir(s.path))
	temp = tempName(d.guild.tag)
	if err := d.fill(s, temp, was, next); err != nil {
		d.sweepUp(s, temp)
		return "", d.fault(s.path, err)
	}
	return temp, nil
}

// move moves what was written beside the spot there.
func (d *Dir) move(s spot, temp string, was state, lazy bool) error {
	if err := d.put(s, temp, was); err != nil {
		if !errors.Is(err, errStranded) {
			d.sweepUp(s, temp)
		}
		return err
	}
	return d.settle(s, lazy)
}

// errStranded is of a change under whose temporary name somebody else's work stands.
var errStranded = errors.New("it could not be put back")

func (d *Dir) settle(s spot, lazy bool) error {
	if lazy {
		return nil
	}
	if err := s.dir.sync(); err != nil {
		return &unsettled{s.path, err}
	}
	return nil
}

// An unsettled change is made, but the disk did not confirm it: a power cut may take it back.
type unsettled struct {
	path string
	err  error
}

// Error is the sentence in English.
func (u *unsettled) Error() string { return u.Words().String() }

// Words implements [nebula.Speaker].
func (u *unsettled) Words() nebula.Words {
	return nebula.Say("%q was changed, but the disk did not confirm it: %v", u.path, reason(u.err))
}

// Unwrap gives what went wrong.
func (u *unsettled) Unwrap() error { return u.err }

// Stands reports whether a change with this error stands all the same: the disk only did not confirm it.
//
//go:noinline
func Stands(err error) bool {
	_, unsure := errors.AsType[*unsettled](err)
	return err == nil || unsure
}

// fill writes next beside the spot and gets it onto the disk.
func (d *Dir) fill(s spot, temp string, was, next state) error {
	if next.link() {
		return s.dir.symlink(string(next.data), temp)
	}
	perm := fs.FileMode(0o600)
	if next.mode == 0 {
		perm = 0o666 // a new file gets what the person's umask leaves
	}
	f, err := s.dir.create(temp, perm)
	if err != nil {
		return err
	}
	if next.from != nil {
		_, err = io.Copy(f, next.from)
	} else {
		_, err = f.Write(next.data)
	}
	if err == nil && next.mode != 0 {
		err = dress(f, next.mode, cmp.Or(next.own, was.stat.owner()))
	}
	if err == nil && next.more != nil {
		err = attribute(f, next.more)
	}
	if err == nil && !next.lazy {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// put moves a finished file into place.
func (d *Dir) put(s spot, temp string, was state) error {
	if !was.exists() {
		return d.putNew(s, temp)
	}
	if !d.same(s, was) {
		return stale(s.path)
	}
	swapped, err := s.dir.exchange(temp, s.name)
	if err != nil {
		return d.fault(s.path, err)
	}
	if !swapped {
		if err := s.dir.rename(temp, s.name); err != nil {
			return d.fault(s.path, err)
		}
		return nil
	}
	// The old file now has the temporary name. Whatever came between the look and the swap is still there.
	old := s
	old.name = temp
	if !d.same(old, was) {
		if _, err := s.dir.exchange(temp, s.name); err != nil {
			return nebula.Errorf("%q was written by somebody else just now; what they wrote is kept as %q, %w: %w", s.path, old.keep(s.name), errStranded, reason(err))
		}
		return stale(s.path)
	}
	d.sweepUp(s, temp) // the change is made
	return nil
}

// putNew moves a finished file to a name that nothing has yet.
func (d *Dir) putNew(s spot, temp string) error {
	done, err := s.dir.renameNew(temp, s.name)
	if !done && err == nil {
		if err = s.dir.link(temp, s.name); err == nil {
			d.sweepUp(s, temp) // the change is made
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			if !d.same(s, state{}) {
				return stale(s.path)
			}
			err = s.dir.rename(temp, s.name) // a file system without hard links
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return stale(s.path)
	}
	if err != nil {
		return d.fault(s.path, err)
	}
	return nil
}

// drop removes a file. It takes the name away first, so that what is removed is what was looked at.
func (d *Dir) drop(s spot, was state, lazy bool, last func() error) error {
	if !d.same(s, was) {
		return stale(s.path)
	}
	if err := last(); err != nil {
		return err
	}
	away := s
	away.name = tempName(d.guild.tag)
	if err := s.dir.rename(s.name, away.name); err != nil {
		return d.fault(s.path, err)
	}
	if !d.same(away, was) {
		if err := d.putNew(s, away.name); err != nil {
			return nebula.Errorf("%w; what was there is kept as %q", err, away.keep(s.name))
		}
		return stale(s.path)
	}
	if err := s.dir.remove(away.name); err != nil {
		if d.putNew(s, away.name) == nil {
			return d.fault(s.path, err)
		}
		d.guild.strayed(path.Join(path.Dir(s.path), away.name)) // the name is gone
	}
	return d.settle(s, lazy)
}

// sweepUp removes what a change wrote beside a spot. Where it stays the next nebula removes it.
//
//go:noinline
func (d *Dir) sweepUp(s spot, temp string) {
	if s.dir.remove(temp) != nil {
		d.guild.strayed(path.Join(path.Dir(s.path), temp))
	}
}

func (d *Dir) makeDir(s spot, next state, last func() error) error {
	if err := last(); err != nil {
		return err
	}
	perm := next.mode.Perm()
	if perm == 0 {
		perm = 0o777
	}
	err := s.dir.mkdir(s.name, perm)
	if errors.Is(err, fs.ErrExist) {
		return stale(s.path)
	}
	if err != nil {
		return d.fault(s.path, err)
	}
	if next.mode.Perm() != 0 {
		if err := d.chmodNow(s, next.mode); err != nil {
			_ = s.dir.rmdir(s.name) // the fault is what is told
			return err
		}
	}
	return d.settle(s, next.lazy)
}

func (d *Dir) dropDir(s spot, lazy bool, last func() error) error {
	if err := last(); err != nil {
		return err
	}
	if st, err := s.dir.lstat(s.name); err != nil || !st.same(s.stat) {
		return stale(s.path)
	}
	if err := s.dir.rmdir(s.name); err != nil {
		return d.fault(s.path, err)
	}
	return d.settle(s, lazy)
}

func (d *Dir) chmod(s spot, next state, last func() error) error {
	if err := last(); err != nil {
		return err
	}
	return d.chmodNow(s, next.mode)
}

func (d *Dir) chmodNow(s spot, mode fs.FileMode) error {
	sub, err := s.dir.sub(s.name)
	if err != nil {
		return d.fault(s.path, err)
	}
	defer sub.close()
	if err := sub.chmod(mode); err != nil {
		return d.fault(s.path, err)
	}
	return nil
}

// tempName is a name that says whose it is: <prefix><process>-<writer>-<random>.
func tempName(writer string) string {
	return tempPrefix + strconv.Itoa(os.Getpid()) + "-" + writer + "-" + strings.ToLower(rand.Text()[:8])
}

// keep gives somebody else's work, which stands under a temporary name, one that is never swept up. It says where it is.
func (s spot) keep(name string) string {
	kept := name + ".kept-" + strings.ToLower(rand.Text()[:8])
	if s.dir.rename(s.name, kept) != nil {
		kept = s.name
	}
	return path.Join(path.Dir(s.path), kept)
}

// Ages at which a temporary file is taken for left over: its process has gone, or has a number that was used again.
const (
	orphanAge = 10 * time.Second
	ageLimit  = time.Hour
)

// sweep removes what a crash left in a directory.
func (d *Dir) sweep(s spot) {
	dir := path.Dir(s.path)
	if s.name == "" {
		dir = s.path
	}
	if d.swept[dir] {
		return
	}
	d.swept[dir] = true
	all, err := s.dir.names()
	if err != nil {
		return
	}
	for _, e := range all {
		if rest, ok := strings.CutPrefix(e.name, tempPrefix); ok && leftOver(s.dir, e.name, rest) {
			_ = s.dir.remove(e.name) // tried again the next time
		}
	}
}

func leftOver(h *handle, name, rest string) bool {
	owner, _, _ := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(owner)
	if err != nil || pid <= 0 {
		return false
	}
	st, err := h.lstat(name)
	if err != nil || st.mode.IsDir() {
		return false
	}
	age := time.Since(st.mtime)
	return age > ageLimit || age > orphanAge && !alive(pid)
}
