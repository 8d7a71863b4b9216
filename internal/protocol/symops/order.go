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
	const underWay, done = 1, 2
	mark := make([]byte, len(actions))
	cycle = -1
	var visit func(i int)
	visit = func(i int) {
		if mark[i] == underWay {
			cycle = i
		}
		if mark[i] != 0 {
			return
		}
		mark[i] = underWay
		if dep := actions[i].DependsOn; dep != nil {
			for _, p := range parts(*dep) {
				if j, ok := makers[strings.TrimPrefix(p, "./")]; ok && j != i {
					visit(j)
				}
			}
		}
		mark[i] = done
		order = append(order, i)
	}
	for i := range actions {
		visit(i)
	}
	for i := range order {
		if cycle >= 0 {
			order[i] = i
		}
	}
	return order, cycle
}
