package agent

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"nebula"
)

// rested is how long a model that had no capacity is left alone.
const rested = 10 * time.Minute

// model is the one that answers in this turn.
func (s *Session) model() (nebula.Model, error) { return s.setup.Model(s.answers()) }

// answers is the name of the model that answers in this turn: the session's, or what the person has in its place while it has
// no capacity.
func (s *Session) answers() string {
	name := cmp.Or(s.turn.model, s.state.Model)
	if in, ok := s.inPlace(name); ok {
		return in
	}
	return name
}

// inPlace is the first of a model and of those in its place that may have capacity; ok is false where none has.
func (s *Session) inPlace(name string) (in string, ok bool) {
	list := []string{name}
	if s.setup.Fallback != nil && len(s.out) > 0 {
		list = append(list, s.setup.Fallback(name)...)
	}
	i := slices.IndexFunc(list, func(n string) bool { return !s.setup.Now().Before(s.out[n]) })
	if i < 0 {
		return "", false
	}
	return list[i], true
}

// replaced reports whether a model that is overloaded, or whose quota is used up, has another in its place, and tells of it. The
// first is asked again after a while.
func (s *Session) replaced(ctx context.Context, err error) bool {
	var api *nebula.APIError
	failed, first := s.answers(), cmp.Or(s.turn.model, s.state.Model)
	if s.setup.Fallback == nil || ctx.Err() != nil || !errors.As(err, &api) || api.Kind != "quota" && api.Kind != "server" && (api.Kind != "auth" || failed == first) {
		return false
	}
	if s.out == nil {
		s.out = map[string]time.Time{}
	}
	s.out[failed] = s.setup.Now().Add(rested)
	for {
		next, ok := s.inPlace(first)
		if !ok {
			return false
		}
		_, err := s.setup.Model(next)
		if err == nil {
			return s.record(s.warns(answersInstead, next, failed, int(rested.Minutes()), api.Text)) == nil
		}
		s.out[next] = s.setup.Now().Add(rested) // its key is missing
		if s.record(s.warns(cannotAnswer, next, failed, err)) != nil {
			return false
		}
	}
}
