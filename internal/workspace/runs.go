package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nebula"
)

// runsDir holds a file for each command that changes of the folder are to be told of: which look at the folder was the
// one before it, and, as the file's time, when its nebula was last seen alive. The file is locked for as long.
const runsDir = "runs"

const (
	pulse      = 50 * time.Millisecond
	doubt      = 2 * time.Second     // after its nebula's last pulse, until when a command may have gone on whose guard does not say
	runEnded   = time.Hour           // how long the file of a command stays whose changes are told, but perhaps not recorded
	runForever = 30 * 24 * time.Hour // how long that of one stays that nobody asked about
)

// A began command is what is written down of a command before it begins.
type began struct {
	ID     string    `json:"id"`
	Gen    string    `json:"generation"`
	Number uint64    `json:"look"`
	Claims int64     `json:"claims"` // of others, that were made before it
	Began  time.Time `json:"began"`
	Ended  time.Time `json:"ended,omitzero"`
	Died   time.Time `json:"died,omitzero"` // when nothing of it ran any more, as its guard says where its nebula was killed

	file string
	held *os.File
	stop chan struct{}
	done chan struct{}
}

func (a *album) runFile(id string) string {
	return filepath.Join(a.dir, runsDir, nebula.Hash([]byte(id))[:32])
}

// note writes a command down that is about to begin, before the folder is looked at: as long as no look is named, it did not.
func (a *album) note(id string) (*began, error) {
	r := &began{ID: id, Began: time.Now().UTC()}
	if a.lock == nil {
		if err := a.make(); err != nil {
			return r, err
		}
	}
	r.file = a.runFile(id)
	f, err := os.OpenFile(r.file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return r, err
	}
	if held, err := hold(f); err != nil || !held {
		return r, errors.Join(err, f.Close(), errBusy)
	}
	r.held, r.stop, r.done = f, make(chan struct{}), make(chan struct{})
	go r.beat()
	return r, r.write(f)
}

// Begins is told of a command before it is recorded that it begins: [Dir.Left] then knows of one that it did not, where nebula
// ended before the folder was looked at.
func (d *Dir) Begins(id string) {
	a := &d.album
	a.mu.Lock()
	defer a.mu.Unlock()
	if !d.blinded() {
		r, _ := a.note(id) // where it cannot be written down it is in doubt
		r.end(false)
	}
}

// looked names the look at the folder: from here on the command may change it.
func (r *began) looked(a *album) error {
	if r == nil {
		return nil
	}
	r.Gen, r.Number, r.Began = filepath.Base(a.gen), a.number, time.Now().UTC()
	return r.write(r.held)
}

// forget takes back that a command was written down: whoever asks is told nothing of it.
func (r *began) forget() {
	if r != nil && r.held != nil {
		r.end(false)
		_ = os.Remove(r.file) // else it did not begin
	}
}

var errBusy = errors.New("the command runs already")

func (r *began) write(f *os.File) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(data, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(data)))
}

// beat keeps the file's time at now.
func (r *began) beat() {
	defer close(r.done)
	t := time.NewTicker(pulse)
	defer t.Stop()
	for {
		select {
		case <-r.stop:
			return
		case now := <-t.C:
			_ = os.Chtimes(r.file, now, now) // at worst more is in doubt
		}
	}
}

// end gives the command up: what it changed is told, or can be told later.
func (r *began) end(told bool) {
	if r == nil || r.held == nil {
		return
	}
	close(r.stop)
	<-r.done
	switch now := time.Now().UTC(); {
	case told:
		r.Ended = now
		_ = r.write(r.held) // then it stays until it is old
	case r.Number > 0:
		r.Died = now
		_ = r.write(r.held) // else it is in doubt
	}
	_ = r.held.Close()
	r.held = nil
}

// unsettled are the commands whose changes are not told yet, or perhaps not recorded. What is too old is forgotten.
func (a *album) unsettled() []began {
	files, err := filepath.Glob(filepath.Join(a.dir, runsDir, "*"))
	if err != nil {
		return nil
	}
	var list []began
	for _, file := range files {
		r, err := readRun(file)
		if err != nil || !r.Ended.IsZero() && time.Since(r.Ended) > runEnded || time.Since(r.Began) > runForever && !r.alive() {
			_ = os.Remove(file) // tried again the next time
			continue
		}
		if r.Number > 0 {
			list = append(list, r)
		}
	}
	return list
}

func readRun(file string) (r began, err error) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	r.file = file
	return r, err
}

// alive reports whether the nebula that began the command still lives.
func (r *began) alive() bool {
	f, err := os.OpenFile(r.file, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	held, err := hold(f)
	return err == nil && !held
}

// over is the command once its guard has said when the last of it was gone, or cannot be waited for.
func (r began) over(ctx context.Context) began {
	for r.Ended.IsZero() && r.Died.IsZero() && ctx.Err() == nil {
		if fi, err := os.Stat(r.file); err != nil || time.Since(fi.ModTime()) > doubt {
			break
		}
		time.Sleep(wait)
		if now, err := readRun(r.file); err == nil {
			r = now
		}
	}
	return r
}

// gone writes down that nothing runs any more of commands whose nebula is gone.
func gone(files string) {
	for file := range strings.SplitSeq(files, "\n") {
		r, err := readRun(file)
		if err != nil || !r.Ended.IsZero() || !r.Died.IsZero() {
			continue
		}
		if f, err := os.OpenFile(file, os.O_RDWR, 0); err == nil {
			r.Died = time.Now().UTC()
			_ = errors.Join(r.write(f), f.Close()) // else it is in doubt
		}
	}
}

// runFiles are the files of a command.
func (d *Dir) runFiles(id string) string {
	var files []string
	for _, o := range append([]*Dir{d}, d.more...) {
		if id != "" && o.album.dir != "" {
			files = append(files, o.album.runFile(id))
		}
	}
	return strings.Join(files, "\n")
}
