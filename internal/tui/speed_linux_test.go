package tui

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// spent is the time that this thread has computed: what others do on the machine is not in it.
func spent(t *testing.T) time.Duration {
	var u syscall.Rusage
	const thisThread = 1
	if err := syscall.Getrusage(thisThread, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Whatever is typed and pasted, however long it has become, the next frame is there at once.
func TestNoKeyTakesLong(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	random := rand.New(rand.NewPCG(1, 2))
	mods := []uv.KeyMod{0, 0, 0, 0, uv.ModCtrl, uv.ModAlt, uv.ModShift}
	codes := []rune{uv.KeyUp, uv.KeyUp, uv.KeyDown, uv.KeyLeft, uv.KeyRight, uv.KeyHome, uv.KeyEnd, uv.KeyPgUp, uv.KeyPgDown, uv.KeyEnter, uv.KeyTab, uv.KeyEscape, uv.KeyBackspace, uv.KeyDelete}
	pastes := []string{"a short one", strings.Repeat("a pasted line of text, 日本語も\n", 5000), "five\nshort\nlines\nof\ntext", strings.Repeat("日本語", 150)}
	a := staged("ja", 80)
	a.view.Busy, a.queue, a.pending = false, nil, nil
	var took []time.Duration
	for range 10_000 {
		before := spent(t)
		switch n := random.IntN(100); {
		case n < 2:
			a.paste(pastes[random.IntN(len(pastes))])
		case n < 4 && a.picker == nil:
			a.editor.Set(strings.Repeat("a draft of four hundred lines, 日本語も\n", 400))
		case n < 50:
			k := uv.KeyPressEvent{Code: codes[random.IntN(len(codes))], Mod: mods[random.IntN(len(mods))]}
			if k.Code == uv.KeyEnter && k.Mod == 0 && a.link == nil { // without a session there is nowhere to send it
				k.Mod = uv.ModAlt
			}
			a.key(k)
		default:
			r := []rune("abc def.@/日本語のかな😀")[random.IntN(17)]
			k := uv.KeyPressEvent{Code: r, Text: string(r)}
			if mod := mods[random.IntN(len(mods))]; mod != 0 && r < 0x80 && r != 'd' && r != 'c' {
				k = uv.KeyPressEvent{Code: r, Mod: mod}
			}
			a.key(k)
		}
		a.frame()
		took = append(took, spent(t)-before)
	}
	slices.Sort(took)
	if p, most := took[len(took)*999/1000], took[len(took)-1]; p > 16*time.Millisecond || most > 100*time.Millisecond {
		t.Errorf("a key takes %v at p99.9 and %v at most", p, most)
	} else {
		t.Logf("p50 %v, p99.9 %v, most %v", took[len(took)/2], p, most)
	}
}
