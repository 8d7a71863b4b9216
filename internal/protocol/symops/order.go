package symops

import "strings"

// ordered puts every action behind the ones it depends on, and otherwise keeps the order. With a cycle the order
// stays as written, and cycle tells an action in it; it is -1 without one.
func ordered(actions []Action) (order []int, cycle int) {
	makers := map[string]int{}
	for i := len(actions) - 1; i >= 0; i-- {
		if a := actions[i]; a.Type != run {
			makers[strings.TrimPrefix(a.Path, "./")] = i
		}
	}
	s := sorter{actions: actions, makers: makers, mark: make([]byte, len(actions)), cycle: -1}
	for i := range actions {
		s.visit(i)
	}
	if s.cycle >= 0 {
		for i := range s.order {
			s.order[i] = i
		}
	}
	return s.order, s.cycle
}

type sorter struct {
	actions []Action
	makers  map[string]int
	mark    []byte // 1 under way, 2 done
	order   []int
	cycle   int
}

func (s *sorter) visit(i int) {
	if s.mark[i] != 0 {
		if s.mark[i] == 1 {
			s.cycle = i
		}
		return
	}
	s.mark[i] = 1
	if dep := s.actions[i].DependsOn; dep != nil {
		for _, p := range parts(*dep) {
			if j, ok := s.makers[strings.TrimPrefix(p, "./")]; ok && j != i {
				s.visit(j)
			}
		}
	}
	s.mark[i] = 2
	s.order = append(s.order, i)
}
