package sqlite

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"nebula"
)

// private closes the database to others, and its folder to their changes. What belongs to somebody else cannot be closed:
// then nothing is read from it.
func (s *Store) private() error {
	if runtime.GOOS == "windows" { // its modes say nothing
		return nil
	}
	var closed []string
	for _, part := range parts {
		if err := restrict(s.path+part, 0o077, &closed); err != nil {
			return err
		}
	}
	if err := restrict(filepath.Dir(s.path), 0o022, &closed); err != nil {
		return err
	}
	if len(closed) > 0 {
		s.notice("others could get at %s; now only you can", strings.Join(closed, ", "))
	}
	return nil
}

// restrict takes rights from others. In a folder where everybody may only remove what is their own, such as /tmp, nothing
// has to be taken.
func restrict(path string, rights fs.FileMode, closed *[]string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&rights == 0 || info.IsDir() && info.Mode()&fs.ModeSticky != 0 {
		return nil // whoever opens it says what is wrong with it
	}
	if err := os.Chmod(path, info.Mode().Perm()&^rights); err != nil {
		if info.Mode()&0o022&rights == 0 {
			return nil // others can read somebody else's file, and nothing more
		}
		return &Fault{Kind: Exposed, Do: "open", Err: nebula.Errorf("%s: %w", path, err)}
	}
	*closed = append(*closed, path)
	return nil
}

// notice tells the person of something that was found amiss, beside what was found before.
func (s *Store) notice(format string, args ...any) {
	w := nebula.Say(format, args...)
	if s.opened.Notice.Format != "" {
		w = nebula.Say("%s; %s", s.opened.Notice, w)
	}
	s.opened.Notice = w
}
