package workspace

import (
	"encoding/json"
	"os/exec"
	"syscall"
	"time"

	"nebula/internal/confine"
)

// boxAhead is the variable that has a guard keep a box ready: making one takes longer than filling it.
const boxAhead = "NEBULA_GUARD_BOX"

// describe writes a box into an order, none as nothing.
func describe(box *confine.Box) (string, error) {
	if box == nil {
		return "", nil
	}
	text, err := json.Marshal(box)
	return string(text), err
}

// confined carries out an order for a command in a box. The box itself waits for what is in it.
func (k *keeper) confined(described string, c exec.Cmd, files []int) bool {
	var box confine.Box
	err := json.Unmarshal([]byte(described), &box)
	ready := k.box
	k.box = nil
	if ready == nil && err == nil {
		ready, err = confine.Prepare(box.Network)
	}
	var running *confine.Running
	if err == nil {
		running, err = ready.Start(box, confine.Command{Path: c.Path, Args: c.Args, Env: c.Env, Dir: c.Dir}, files)
	}
	if ready != nil {
		defer k.bury()
	}
	if err != nil {
		return tell(answer{second: uint32(syscall.EPERM), text: err.Error()}) == nil
	}
	k.past = running.Pid
	if err := tell(answer{first: uint32(running.Pid), third: uint32(running.Held)}); err != nil {
		return false
	}
	go func() {
		end, whole := running.Ended()
		if !whole {
			end.Status, end.Opened = uint32(syscall.SIGKILL), box.Watch // nobody can say that it did not
		}
		text, _ := json.Marshal(end)
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.over(answer{second: end.Status, text: string(text)}); k.lone == nil {
			k.prepare()
		}
	}()
	return true
}

// prepare makes a box for the next command. When that cannot be done, the next command says why.
//
//go:noinline
func (k *keeper) prepare() {
	if k.box == nil {
		k.box, _ = confine.Prepare(false)
	}
}

// dismiss ends the box that nothing runs in, and waits until the last one, which has said how it ended, is gone: their
// processes are not to be taken for the command's.
func (k *keeper) dismiss() {
	for end := time.Now().Add(hopeless); k.past != 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		if pid, err := syscall.Wait4(k.past, nil, syscall.WNOHANG, nil); err != nil || pid != 0 {
			k.past = 0
		}
	}
	if k.box == nil {
		return
	}
	pid := k.box.Pid
	k.box.Dismiss()
	k.box = nil
	for syscall.Kill(pid, syscall.SIGKILL) == nil {
		_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		time.Sleep(time.Millisecond)
	}
}

// killable are those of some processes that live, and whether nothing more can come of any: one that is dead and unburied may have
// begun another after the names were read and before it was looked at.
func killable(all []proc, whole bool) (living []int, over bool) {
	for _, s := range all {
		if !s.dead() {
			living = append(living, s.pid)
		}
	}
	return living, whole && len(all) == 0
}
