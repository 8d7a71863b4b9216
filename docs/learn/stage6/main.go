// Stage 6 reads a language: models without tool calls write lines, and both forms become the same actions.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"nebula/docs/learn/llm"
)

// action is what a model wants done, however it wrote it.
type action struct{ Tool, Path, Content string }

const taught = `Write what you want done as lines of their own, and nothing behind them:
$ readFile @ PATH
$ writeFile @ PATH
--
the whole content
--`

func main() {
	llm.Main(func(model llm.Client, project *os.Root, words string) error {
		return work(model, project, words, os.Stdout)
	})
}

// decode reads a reply of either form. A problem is asked about; it is never guessed away.
func decode(reply llm.Message) (actions []action, problem string) {
	for _, call := range reply.Calls {
		var a action
		if err := json.Unmarshal([]byte(call.Function.Arguments), &a); err != nil {
			return nil, "the arguments of " + call.Function.Name + " are no JSON"
		}
		a.Tool = call.Function.Name
		actions = append(actions, a)
	}
	lines, fenced := strings.Split(reply.Content, "\n"), false
	for i := 0; i < len(lines); i++ {
		// What stands in a fence or behind a > is shown, not meant.
		if strings.HasPrefix(lines[i], "```") {
			fenced = !fenced
		}
		order, is := strings.CutPrefix(lines[i], "$ ")
		if !is || fenced {
			continue
		}
		tool, path, whole := strings.Cut(order, " @ ")
		if !whole {
			return nil, fmt.Sprintf("line %d: write $ TOOL @ PATH", i+1)
		}
		a := action{Tool: tool, Path: strings.TrimSpace(path)}
		if tool == "writeFile" {
			end := -1
			if i+1 < len(lines) && lines[i+1] == "--" {
				end = index(lines, i+2, "--")
			}
			if end < 0 {
				return nil, fmt.Sprintf("line %d: the content stands between two lines --", i+1) // it may have been cut off
			}
			a.Content = strings.Join(lines[i+2:end], "\n") + "\n"
			i = end
		}
		actions = append(actions, a)
	}
	return actions, ""
}

// index is the first line from a place on that is exactly this, or -1.
func index(lines []string, from int, line string) int {
	for i := from; i < len(lines); i++ {
		if lines[i] == line {
			return i
		}
	}
	return -1
}

// work is the loop of stage 3 over actions instead of calls. Results go back as words of the person, which every model can read.
func work(model llm.Client, project *os.Root, task string, out io.Writer) error {
	said := []llm.Message{{Role: "system", Content: taught}, {Role: "user", Content: task}}
	for range 20 {
		reply, err := model.Ask(said)
		if err != nil {
			return err
		}
		actions, problem := decode(reply)
		if len(actions) == 0 && problem == "" {
			fmt.Fprintln(out, reply.Content)
			return nil
		}
		results := []string{problem}
		for _, a := range actions {
			results = append(results, a.Tool+" "+a.Path+": "+do(project, a))
		}
		said = append(said, llm.Message{Role: "assistant", Content: reply.Content},
			llm.Message{Role: "user", Content: strings.TrimSpace(strings.Join(results, "\n"))})
	}
	return fmt.Errorf("no end after 20 requests")
}

func do(project *os.Root, a action) string {
	var text []byte
	var err error
	switch a.Tool {
	case "readFile":
		text, err = project.ReadFile(a.Path)
	case "writeFile":
		text, err = []byte("written"), project.WriteFile(a.Path, []byte(a.Content), 0o644)
	default:
		err = fmt.Errorf("there is no such tool")
	}
	if err != nil {
		return err.Error()
	}
	return string(text)
}
