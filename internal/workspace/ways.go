package workspace

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"nebula/internal/confine"
	"nebula/internal/lists"
)

// A way leads from a port of this machine's loopback to one that a job serves in its box: later commands take it, and the
// person's browser. It ends with the job, or when nothing serves there any more.
type way struct {
	port   int // in the box
	at     net.Listener
	missed time.Time // since when it is not seen; zero while it is
	work   sync.WaitGroup

	ctx  context.Context
	stop context.CancelFunc
}

// How often it is looked what a job serves: often while it begins, see [Job.lookout].
const (
	lookSoon  = 150 * time.Millisecond
	lookLater = time.Second
	beginning = 15 * time.Second

	beginsAgain = 3 * time.Second // how long a server that ended may take until it serves again
)

// lookout opens and closes ways as what the job serves comes and goes.
func (j *Job) lookout() {
	defer close(j.unseen)
	defer j.closeGate()
	defer j.shut()
	for {
		pause := lookLater
		if time.Since(j.Began) < beginning {
			pause = lookSoon
		}
		select {
		case <-j.done:
			return
		case <-time.After(pause):
		}
		if j.look() {
			j.jobs.notify(j)
		}
	}
}

// look sees what the job serves now, and reports whether there is something new.
func (j *Job) look() bool {
	ports, err := j.gate.Ports()
	if err != nil || !j.Running() {
		return false
	}
	return j.open(ports)
}

// open has ways to these ports and reports whether one is new. A port that is not seen may be that of a server that begins
// again: its way stays a while.
//
//go:noinline
func (j *Job) open(ports []int) (more bool) {
	j.ways.with(func(ways *[]*way) {
		*ways = lists.Drop(*ways, func(w *way) bool {
			switch {
			case lists.Has(ports, w.port):
				w.missed = time.Time{}
			case w.missed.IsZero():
				w.missed = time.Now()
			}
			gone := !w.missed.IsZero() && time.Since(w.missed) > beginsAgain
			if gone {
				w.close()
			}
			return gone
		})
		for _, port := range ports {
			if slices.ContainsFunc(*ways, func(w *way) bool { return w.port == port }) {
				continue
			}
			if w, err := newWay(port, j.gate); err == nil {
				*ways, more = append(*ways, w), true
			}
		}
	})
	return more
}

// shut closes all of them.
//
//go:noinline
func (j *Job) shut() {
	j.ways.with(func(ways *[]*way) {
		for _, w := range *ways {
			w.close()
		}
		*ways = nil
	})
}

// others are ports at which programs of this machine look for a model server and trust what answers: those that `nebula models`
// tries. What runs in a box never stands there.
var others = []int{11434, 8080, 1234, 8000}

// newWay listens at the same port, or at another where that is taken or somebody else's.
func newWay(port int, gate *confine.Gate) (*way, error) {
	same := port
	if port < 1024 || lists.Has(others, port) {
		same = 0
	}
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(same))) //nolint:noctx // it takes no time
	if err != nil {
		if l, err = net.Listen("tcp4", "127.0.0.1:0"); err != nil { //nolint:noctx // as above
			return nil, err
		}
	}
	w := &way{port: port, at: l}
	w.ctx, w.stop = context.WithCancel(context.Background())
	w.work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.work.Go(func() { w.carry(c, gate) })
		}
	})
	return w, nil
}

func (w *way) carry(near net.Conn, gate *confine.Gate) {
	defer near.Close()
	far, err := gate.Dial(w.port)
	for until := time.Now().Add(beginsAgain); err != nil && time.Now().Before(until) && w.ctx.Err() == nil; far, err = gate.Dial(w.port) {
		select {
		case <-w.ctx.Done():
		case <-time.After(lookSoon):
		}
	}
	if err != nil {
		return
	}
	defer far.Close()
	confine.Carry(w.ctx, near, far)
}

func (w *way) close() {
	w.stop()
	_ = w.at.Close()
	w.work.Wait()
}

// outer is the port of this machine.
//
//go:noinline
func (w *way) outer() int { return w.at.Addr().(*net.TCPAddr).Port }

// Serves are the addresses at which the person's browser finds what it serves.
func (j *Job) Serves() (urls []string) {
	j.ways.with(func(ways *[]*way) {
		for _, w := range *ways {
			urls = append(urls, fmt.Sprintf("http://localhost:%d", w.outer()))
		}
	})
	return urls
}

// doors lead from a new box to what jobs serve.
func (d *Dir) doors() (doors []confine.Door) {
	for _, s := range d.allJobs() {
		for _, j := range s.List() {
			if j.gate == nil || !j.Running() {
				continue
			}
			j.look()
			doors = further(doors, j.doors())
		}
		for _, j := range s.Detached() {
			if j.Running() {
				doors = further(doors, j.Serves)
			}
		}
	}
	return doors
}

// further adds doors at ports that none of the first has.
//
//go:noinline
func further(doors, more []confine.Door) []confine.Door {
	for _, d := range more {
		if !slices.ContainsFunc(doors, func(o confine.Door) bool { return o.Port == d.Port }) {
			doors = append(doors, d)
		}
	}
	return doors
}

// doors lead to what the job serves.
//
//go:noinline
func (j *Job) doors() (doors []confine.Door) {
	j.ways.with(func(ways *[]*way) {
		for _, w := range *ways {
			doors = append(doors, confine.Door{Port: w.port, To: w.at.Addr().String()})
		}
	})
	return doors
}
