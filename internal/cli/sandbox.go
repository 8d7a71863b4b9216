package cli

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/confine"
	"nebula/internal/workspace"
)

// confine has the folder's commands run in a box, where the settings and the system allow it.
func (s *session) confine(work *workspace.Dir) {
	if s.config.Sandbox && s.broad == "" && confine.Supported {
		if !work.Confine(s.boxPlace(work.Path()), s.layers) {
			return
		}
		if err := work.GoOn(context.Background()); err != nil {
			s.warn("what a command did that was to be kept could not be kept whole: %w", err)
		}
	}
}

// layers are those that commands are confined by.
//
//go:noinline
func (s *session) layers() (confine.Held, error) { return confine.Given(s.config.Weaker) }

// boxPlace is what boxes of a folder are made for.
func (s *session) boxPlace(dir string) confine.Place {
	return confine.Place{
		Home: s.env("HOME"), Environ: s.env, Own: s.own(), Folder: dir,
		Weaker: s.config.Weaker, Limits: bounded(s.config.Commands), Hosts: reachable(s.config.Commands.Hosts),
		Kept: filepath.Join(s.config.Home.State, "layers", nebula.Hash([]byte(dir))[:16]),
	}
}

// reachable are the hosts that can be ones. One word stands for those that packages come from.
func reachable(hosts []string) (good []string) {
	for _, h := range hosts {
		if h == "registries" {
			good = append(good, confine.Registries()...)
		} else if confine.Reachable(h) {
			good = append(good, strings.ToLower(h))
		}
	}
	return good
}

// bounded are the limits of boxes.
func bounded(c config.Commands) confine.Limits {
	return confine.Limits{
		Memory: uint64(c.Memory * float64(confine.Machine())), Processes: uint64(c.Processes), CPU: uint64(c.CPU.Seconds()),
		Files: uint64(c.File) << 20, Output: uint64(c.Output) << 20, Free: uint64(c.Free) << 20,
	}
}

// checkSandbox says what holds commands here.
func (p *program) checkSandbox(c config.Config, say func(check)) {
	rest := nebula.Say("%s; they get no keys, and their changes in the folder can be taken back", nebula.Say(workspace.Ending))
	free := nebula.Say("none: commands may do what you may, with any file and the network. %s", rest)
	if !c.Sandbox {
		say(check{name: "sandbox", found: nebula.Say("switched off in the settings. %s", free)})
		return
	}
	held, err := confine.Given(c.Weaker)
	switch missing := confine.All &^ held; {
	case !confine.Supported:
		say(check{name: "sandbox", found: free, next: p.profiled(runtime.GOOS), warning: true})
	case err != nil:
		say(check{name: "sandbox", found: free, next: nebula.Say("the system gives no confinement (%w); commands ask as if there were none", err), warning: true})
	case missing != 0:
		say(check{name: "sandbox", found: nebula.Say("commands run confined (%s)", held.String()), next: nebula.Say("the system does not give %s", missing.String()), warning: true})
	default:
		say(check{name: "sandbox", found: nebula.Say("commands run confined (%s), except under --approve all. %s", held.String(), rest)})
	}
	if err == nil {
		p.checkBox(c, say)
	}
}

// profiled says of a system what there is for it that nobody has run.
func (p *program) profiled(system string) (said nebula.Words) {
	dir, _ := folder(p.at)
	if b, ok := confine.For(confine.Place{Folder: dir, Home: p.env("HOME"), Environ: p.env}); ok && system == "darwin" {
		said = nebula.Say("a profile of %d rules for sandbox-exec is compiled in, not run here; commands ask", strings.Count(b.Seatbelt(), "\n("))
	}
	return said
}

// checkBox says what commands have here beside the folder.
func (p *program) checkBox(c config.Config, say func(check)) {
	dir, _ := folder(p.at) // of none no box is made
	b, _ := confine.For(confine.Place{Folder: dir, Home: p.env("HOME"), Environ: p.env, Hosts: reachable(c.Commands.Hosts)})
	caches := ""
	for _, l := range b.Layers {
		caches += " " + l.Path
	}
	if caches != "" {
		say(check{name: "caches", found: nebula.Say("commands write to layers of their own over%s", caches)})
	}
	if len(b.Hosts) > 0 {
		say(check{name: "hosts", found: nebula.Say("commands reach %s", strings.Join(b.Hosts, " "))})
	}
}

// commands names the layers that hold commands, for the status.
func (s *session) commands() string {
	if !s.config.Sandbox {
		return ""
	}
	held, err := s.layers()
	if err != nil {
		return ""
	}
	return held.String()
}
