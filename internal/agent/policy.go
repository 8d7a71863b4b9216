package agent

import (
	"strings"

	"nebula"
)

// policy holds a reply to the rules of dialogue that the prompt teaches (Duckflow v3 §9): at most one question, and
// options only where there are two or more.
func policy(in *nebula.Intent) {
	if len(in.Questions) > 1 {
		in.Questions = in.Questions[:1]
	}
	for i, q := range in.Questions {
		if len(distinct(q.Options)) < 2 {
			in.Questions[i].Options = nil
		}
	}
}

func distinct(options []string) map[string]bool {
	set := map[string]bool{}
	for _, o := range options {
		if o = strings.ToLower(strings.TrimSpace(o)); o != "" {
			set[o] = true
		}
	}
	return set
}
