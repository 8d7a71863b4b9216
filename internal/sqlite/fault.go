package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	driver "modernc.org/sqlite"

	"nebula"
	"nebula/internal/volume"
)

// A Kind tells faults of the database apart.
type Kind string

// The kinds of fault.
const (
	Damaged  Kind = "damaged"
	Newer    Kind = "newer"    // written by a newer nebula
	Foreign  Kind = "foreign"  // a database, but another program's
	ReadOnly Kind = "readonly" // the file or its folder cannot be written
	Full     Kind = "full"     // no space left
	Crowded  Kind = "crowded"  // space, but no room for another file
	Busy     Kind = "busy"     // another process holds the database for too long
	Disk     Kind = "disk"     // the disk gave an error
	Starved  Kind = "starved"  // too many files are open
	Exposed  Kind = "exposed"  // everybody can change it, and it belongs to somebody else
	Closed   Kind = "closed"   // the Store was closed
	Other    Kind = "other"
)

// A Fault is why the database could not do something, with what a person can do about it.
type Fault struct {
	Kind Kind
	Path string // the database
	Do   string // what was tried
	Err  error
}

// Error names the thing and the next step, on one line.
func (f *Fault) Error() string { return f.Words().String() }

// Words implements [nebula.Speaker].
func (f *Fault) Words() nebula.Words {
	w := nebula.Say("database %s: %s", f.Path, f.what())
	if next := f.Next(); next != "" {
		w = nebula.Say("%s; %s", w, nebula.Say(next))
	}
	return w
}

// Unwrap gives the cause.
func (f *Fault) Unwrap() error { return f.Err }

func (f *Fault) what() nebula.Words {
	switch f.Kind {
	case Damaged:
		return nebula.Say("damaged")
	case Newer:
		return nebula.Say("written by a newer nebula (%v)", f.Err)
	case Foreign:
		return nebula.Say("belongs to another program")
	case ReadOnly:
		return nebula.Say("cannot be written (%v)", f.Err)
	case Full:
		return nebula.Say("no space left to record what happens")
	case Crowded:
		return nebula.Say("no room for another file to record what happens: the disk has space, but no inodes left")
	case Busy:
		return nebula.Say("held by another process for too long")
	case Starved:
		return nebula.Say("too many files are open")
	case Exposed:
		return nebula.Say("everybody can change it (%w)", f.Err)
	case Closed:
		return nebula.Say("%s after it was closed", nebula.Say(f.Do))
	}
	return nebula.Say("%s: %v", nebula.Say(f.Do), f.Err)
}

// Next is the next step for a person; it is empty for a mistake of the program.
func (f *Fault) Next() string {
	switch f.Kind {
	case Damaged:
		return "start nebula again: it moves the file aside under a new name and begins a fresh one"
	case Newer:
		return "update nebula, or set NEBULA_HOME to another folder"
	case Foreign:
		return "move the file away, or set NEBULA_HOME to another folder"
	case ReadOnly:
		return "make the file and its folder writable, or set NEBULA_HOME to another folder"
	case Full:
		return "free some disk space and try again: what was recorded is kept"
	case Crowded:
		return "remove files that are not needed, or set NEBULA_HOME to a folder on another disk: what was recorded is kept"
	case Busy:
		return "close the program that holds it and try again"
	case Disk:
		return "check the disk, then try again: what was recorded is kept"
	case Starved:
		return "close some programs, or allow more with ulimit -n; nothing is damaged"
	case Exposed:
		return "have its owner close it to others, or set NEBULA_HOME to a folder of your own"
	case Other:
		return "run nebula doctor"
	}
	return ""
}

// fault gives an error of the driver or the file system its kind. Other errors pass. Damage that is met while working
// leaves a mark beside the database, so that the next Open looks at the whole file.
func (s *Store) fault(do string, err error) error {
	var f *Fault
	if err == nil {
		return nil
	}
	if errors.As(err, &f) {
		f.Path = s.path
		return err
	}
	kind := kindOf(err)
	switch {
	case kind == "":
		return err
	case (kind == Full || kind == ReadOnly) && volume.Crowded(s.path, files):
		kind = Crowded
	}
	if kind == Damaged {
		if m, err := os.OpenFile(s.path+markSuffix, os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_ = m.Close()
		}
	}
	return &Fault{Kind: kind, Path: s.path, Do: do, Err: err}
}

// files are those that a database is made of: itself, its log with an index or a journal, a lock. What could not be made
// whole is removed before the fault is told.
const files = 4

// Primary result codes of SQLite, https://www.sqlite.org/rescode.html.
const (
	codeError      = 1
	codePerm       = 3
	codeBusy       = 5
	codeReadOnly   = 8
	codeIO         = 10
	codeCorrupt    = 11
	codeFull       = 13
	codeCantOpen   = 14
	codeConstraint = 19
	codeNotADB     = 26
	codeShmSize    = codeIO | 19<<8 // no room for the log's index
)

// kindOf is empty for errors that are not the database's or the disk's.
func kindOf(err error) Kind {
	var e *driver.Error
	if errors.As(err, &e) {
		if e.Code() == codeShmSize {
			return Full
		}
		switch e.Code() & 0xff {
		case codeCorrupt, codeNotADB:
			return Damaged
		case codeFull:
			return Full
		case codeCantOpen:
			return cannotOpen()
		case codeReadOnly, codePerm:
			return ReadOnly
		case codeBusy:
			return Busy
		case codeIO:
			return Disk
		}
		return Other
	}
	switch {
	case starved(err):
		return Starved
	case errors.Is(err, syscall.ENOSPC):
		return Full
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ReadOnly
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return Disk
	}
	return ""
}

// cannotOpen tells why SQLite could not open a file: it does not say whether there were no more to be had.
func cannotOpen() Kind {
	f, err := os.Open(os.DevNull)
	if err == nil {
		err = f.Close()
	}
	if starved(err) {
		return Starved
	}
	return ReadOnly
}

func starved(err error) bool { return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) }

// sqlError reports a statement that the database did not understand.
func sqlError(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Code()&0xff == codeError
}

// constraint reports a change that the tables do not allow.
func constraint(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Code()&0xff == codeConstraint
}
