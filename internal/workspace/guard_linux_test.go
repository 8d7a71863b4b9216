package workspace

import (
	"slices"
	"testing"
)

// A guard goes when a look at all processes found none of its command's, not even a dead one: that may have begun another since.
func TestAGuardStaysForWhatTheDeadBegan(t *testing.T) {
	for name, tt := range map[string]struct {
		all    []proc
		whole  bool
		living []int
		over   bool
	}{
		"nothing":              {nil, true, nil, true},
		"one lives":            {[]proc{{pid: 7, state: 'S'}}, true, []int{7}, false},
		"one is dead":          {[]proc{{pid: 7, state: 'Z', threads: 1}}, true, nil, false},
		"one is not buried":    {[]proc{{pid: 7, state: 'Z', threads: 1}, {pid: 8, state: 'R'}}, true, []int{8}, false},
		"one was gone by then": {nil, false, nil, false},
	} {
		if living, over := killable(tt.all, tt.whole); !slices.Equal(living, tt.living) || over != tt.over {
			t.Errorf("%s: %v %v", name, living, over)
		}
	}
}
