package model

import (
	"context"
	"slices"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/lists"
)

// A Neighbour is a model that a server on this machine has, to begin with where nobody chose one and there is no key.
type Neighbour struct {
	Model  string // as a person names it: ollama/qwen3:8b
	Title  string // of its server
	Server string
	Loaded bool // it answers without being loaded first
	Info   nebula.ModelInfo
}

// LeastRoom is the smallest window, in tokens, that work fits into: the first request, a file, and an answer.
const LeastRoom = 8000

// Nearby asks the usual places of local servers what they have, and gives the model that does best: one that fits, which is
// loaded before one that is not, one that takes tools before one that does not, one that is known for code, then the larger
// window. There is none where nothing runs, or nothing fits; then narrow says what does not, and what to do. The key of no provider goes anywhere,
// and a server that another person of the machine runs is passed by.
func Nearby(ctx context.Context, s Settings) (best Neighbour, narrow nebula.Words) {
	var local []provider
	for _, p := range providers {
		if p.local {
			local = append(local, p)
		}
	}
	found := make([]Found, len(local))
	var wg sync.WaitGroup
	for i, p := range local {
		wg.Go(func() {
			if at := s.at(p, ""); !strangers(at.BaseURL) {
				found[i] = look(ctx, at, s)
			}
		})
	}
	wg.Wait()
	var tight []string
	for i, f := range found {
		if narrow.Format == "" {
			narrow = f.Narrow()
		}
		for _, m := range f.Models {
			n := Neighbour{Model: local[i].name + "/" + m.Name, Title: f.Title, Server: f.Server, Loaded: lists.Has(f.Loaded, m.Name), Info: m}
			switch {
			case !Answers(m):
			case m.Window < LeastRoom:
				tight = append(tight, n.Model)
			case best.Model == "" || n.before(best):
				best = n
			}
		}
	}
	if narrow.Format == "" && len(tight) > 0 {
		narrow = nebula.Say("the model servers on this machine have no model with room for %d tokens (%s); start them with a larger context", LeastRoom, strings.Join(tight, ", "))
	}
	return best, narrow
}

// Listed asks the server of a model that nobody chose what it has. There is none where it lists that model, says nothing, or lists none that
// means holds for; else it is the one that does best, of all that are named. The window is the one of the model that is begun with, as
// [Declared] says it, so that the server need not be asked again; below 0 where it is to be.
func Listed(ctx context.Context, at Endpoint, s Settings, means func(name string) bool) (best Neighbour, names []string, window int) {
	f := look(ctx, at, s)
	told := func(name string) int {
		if p, _ := providerOf(at); p.header != nil || p.widened != "" || p.lazy {
			return -1
		}
		return windowIn(f.Models, name)
	}
	for _, m := range f.Models {
		if m.Name == at.Model || strings.HasSuffix(m.Name, "/"+at.Model) {
			return Neighbour{}, nil, told(at.Model)
		}
		n := Neighbour{Model: m.Name, Title: f.Title, Server: f.Server, Loaded: lists.Has(f.Loaded, m.Name), Info: m}
		if !Answers(m) || !means(m.Name) {
			continue
		}
		if names = append(names, m.Name); best.Model == "" || n.before(best) {
			best = n
		}
	}
	return best, names, told(best.Model)
}

// mute are parts of the names of models that answer nothing: they make vectors, sound or pictures, or judge texts.
var mute = [...]string{"embed", "bge-", "rerank", "whisper", "transcribe", "tts", "-audio", "realtime", "dall-e", "gpt-image", "imagen-", "veo-", "sora-", "moderation", "babbage-", "davinci-"}

// Answers reports whether a model answers what it is asked, as far as can be seen.
func Answers(m nebula.ModelInfo) bool {
	name := strings.ToLower(m.Name)
	return !m.Mute && !slices.ContainsFunc(mute[:], func(part string) bool { return strings.Contains(name, part) })
}

// before reports whether a model does better than another; of equal ones the first that was found stays.
func (n Neighbour) before(other Neighbour) bool {
	mine, theirs := n.marks(), other.marks()
	return slices.Compare(mine[:], theirs[:]) > 0
}

func (n Neighbour) marks() [4]int {
	one := func(yes bool) int {
		if yes {
			return 1
		}
		return 0
	}
	name := strings.ToLower(n.Model)
	return [4]int{one(n.Loaded), one(n.Info.Native), one(strings.Contains(name, "coder") || strings.Contains(name, "devstral") || strings.Contains(name, "gpt-oss")), n.Info.Window}
}
