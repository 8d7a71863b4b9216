// Stage 4 asks: a call is first read into a proposal, the proposal is shown, and only a clear yes carries it out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"nebula/docs/learn/llm"
)

const most = 20

var tools = []llm.Tool{
	{Name: "readFile", Purpose: "gives the text of a file", Parameters: []string{"path"}},
	{Name: "writeFile", Purpose: "replaces a file by content", Parameters: []string{"path", "content", "reason"}},
}

// proposal is what a call would do. Making one changes nothing; carrying it out takes what was shown, not the call again.
type proposal struct {
	shows   string // what the person reads; empty: nothing changes, nobody is asked
	carries func() (string, error)
}

// agent is everything that a task needs.
type agent struct {
	model   llm.Client
	project *os.Root
	answers *bufio.Scanner
	out     io.Writer
}

func main() {
	llm.Main(func(model llm.Client, project *os.Root, words string) error {
		return agent{model, project, bufio.NewScanner(os.Stdin), os.Stdout}.work(words)
	})
}

// work is the loop of stage 3.
func (a agent) work(task string) error {
	said := []llm.Message{
		{Role: "system", Content: "You change the project in this folder with your tools. Give a reason for each change."},
		{Role: "user", Content: task},
	}
	for range most {
		reply, err := a.model.Ask(said, tools...)
		if err != nil {
			return err
		}
		said = append(said, reply)
		if len(reply.Calls) == 0 {
			fmt.Fprintln(a.out, reply.Content)
			return nil
		}
		for _, call := range reply.Calls {
			said = append(said, llm.Message{Role: "tool", Answers: call.ID, Content: a.settle(call)})
		}
	}
	return fmt.Errorf("no end after %d requests", most)
}

// settle proposes, asks where something would change, and carries out.
func (a agent) settle(call llm.Call) string {
	p, err := a.propose(call)
	if err != nil {
		return err.Error()
	}
	if p.shows != "" {
		fmt.Fprintf(a.out, "%s\nyes, or no and why: ", p.shows)
		// No answer, an unclear one, the end of the input: all of them are no.
		if !a.answers.Scan() {
			return "refused: nobody is there"
		}
		if answer := strings.TrimSpace(a.answers.Text()); !strings.EqualFold(answer, "yes") {
			return "refused by the person: " + answer // why is worth more to the model than that
		}
	}
	result, err := p.carries()
	if err != nil {
		return err.Error()
	}
	return result
}

// propose reads a call and touches nothing.
func (a agent) propose(call llm.Call) (proposal, error) {
	var args struct{ Path, Content, Reason string }
	if err := json.Unmarshal([]byte(call.Function.Arguments), &args); err != nil {
		return proposal{}, fmt.Errorf("the arguments are no JSON: %w", err)
	}
	switch call.Function.Name {
	case "readFile":
		return proposal{carries: func() (string, error) {
			text, err := a.project.ReadFile(args.Path)
			return string(text), err
		}}, nil
	case "writeFile":
		// Quoted, so that nothing in a path, a reason or a content can draw a line that poses as ours.
		shows := fmt.Sprintf("write %q because %q:\n%q", args.Path, args.Reason, args.Content)
		return proposal{shows, func() (string, error) {
			return "written", a.project.WriteFile(args.Path, []byte(args.Content), 0o644)
		}}, nil
	}
	return proposal{}, fmt.Errorf("there is no tool %q", call.Function.Name)
}
