package demo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// A Talk is the recorded conversation: what the person types, and what the model means by each of its replies. In which
// protocol the model says it is open.
type Talk struct {
	Messages []string        `json:"messages"` // in order; one that begins with / is a command
	Answers  []string        `json:"answers"`  // to questions and at the gate
	Replies  []nebula.Intent `json:"replies"`
	NoTests  nebula.Intent   `json:"no_tests"` // takes the place of the first test run and all after it, where none can be
}

// Untested is the conversation up to the first test run, and what the model says where there can be none.
func (t Talk) Untested() Talk {
	for i, r := range t.Replies {
		if slices.ContainsFunc(r.Actions, func(a nebula.Action) bool { return a.Tool == "runTests" }) {
			t.Replies = append(lists.Clone(t.Replies[:i]), t.NoTests)
			break
		}
	}
	return t
}

// Conversation is the talk in a language, and the English one where that has none.
func Conversation(lang string) (Talk, error) {
	var t Talk
	data, known := files()[lang+".json"]
	if !known {
		data = files()["en.json"]
	}
	if err := json.Unmarshal([]byte(data), &t); err != nil {
		return t, fmt.Errorf("the conversation in %q: %w", lang, err)
	}
	archives := map[string][]File{"@attempt": Attempt(), "@fix": Fix()}
	for _, reply := range t.Replies {
		for i := range reply.Actions {
			if err := fill(&reply.Actions[i], archives); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// fill puts a file of the sample where an argument names its archive: "@attempt" is the attempt's file of that path.
func fill(a *nebula.Action, files map[string][]File) error {
	var args map[string]any
	if err := json.Unmarshal(a.Args, &args); err != nil {
		return fmt.Errorf("%s: %w", a.Tool, err)
	}
	for key, value := range args {
		name, _ := value.(string)
		if !strings.HasPrefix(name, "@") {
			continue
		}
		content, ok := find(files[name], args["path"])
		if !ok {
			return fmt.Errorf("%s: %s has no file %v", a.Tool, name, args["path"])
		}
		args[key] = content
	}
	a.Confidence = 1
	var err error
	a.Args, err = json.Marshal(args)
	return err
}

func find(files []File, path any) (content string, ok bool) {
	for _, f := range files {
		if f.Path == path {
			return f.Content, true
		}
	}
	return "", false
}
