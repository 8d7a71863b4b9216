package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/config"
)

func (s *session) empty() bool {
	entries, err := os.ReadDir(s.dir)
	return err != nil || !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != ".git" && e.Name() != ".nebula" })
}

// usable are the models that could answer now, under the names that --model takes.
func (s *session) usable(ctx context.Context) ([]nebula.ModelInfo, error) {
	list, faults := s.available(ctx, s.config, s.tongue())
	var infos []nebula.ModelInfo
	for _, o := range list {
		if o.Why == "" {
			o.Name = o.Use
			infos = append(infos, o.ModelInfo)
		}
	}
	if len(infos) == 0 && len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "; "))
	}
	return infos, nil
}

// configure is the config command of a session: nothing shows all, a key shows one, a key and a value set it.
func (s *session) configure(_ context.Context, args []string) (_ string, err error) {
	defer s.translate(&err)
	switch len(args) {
	case 0:
		var b strings.Builder
		for _, v := range s.config.Values() {
			b.WriteString(s.setting(v) + "\n")
		}
		return b.String(), nil
	case 1:
		if _, _, err := config.Find(args[0]); err != nil {
			return "", err
		}
		v, ok := s.config.Value(args[0])
		if !ok {
			return s.say("%s is not set", args[0]), nil
		}
		return s.setting(v), nil
	}
	text := strings.Join(args[1:], " ")
	if err := setting(s.config.Home, args[0], text); err != nil {
		return "", err
	}
	return s.say("%s is written to %s and holds from the next start", args[0], filepath.Base(s.config.Home.File())), nil
}

func (s *session) setting(v config.Value) string {
	return s.say("%s = %s (from %s)", v.Key, v.Text, s.tongue().source(v.Source))
}
