// Stage 7 plans: the model proposes steps, the person agrees once, and each step is worked by itself and checked by a command.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"nebula/docs/learn/llm"
)

// step is a piece of a plan. Check is a command that must end well: that decides, not the model's word.
type step struct{ Title, Check, State string }

var (
	propose   = llm.Tool{Name: "propose", Purpose: `steps is a JSON list: [{"title":"…","check":"a command"}]`, Parameters: []string{"steps"}}
	writeFile = llm.Tool{Name: "writeFile", Purpose: "replaces a file by content", Parameters: []string{"path", "content"}}
)

func main() {
	llm.Main(func(model llm.Client, project *os.Root, words string) error {
		return run(model, project, words, os.Stdin, os.Stdout)
	})
}

// run plans, asks, and works the steps in their order. The first that fails ends it: those behind build on it.
func run(model llm.Client, project *os.Root, goal string, in io.Reader, out io.Writer) error {
	steps, err := plan(model, goal)
	if err != nil {
		return err
	}
	for i, s := range steps {
		fmt.Fprintf(out, "%d. %q, checked by %q\n", i+1, s.Title, s.Check)
	}
	fmt.Fprint(out, "yes, or no: ")
	answer := bufio.NewScanner(in)
	if !answer.Scan() || strings.TrimSpace(answer.Text()) != "yes" {
		return fmt.Errorf("the plan was not approved")
	}
	for i := range steps {
		steps[i].State = "under way"
		for range 3 { // a failed check is told to the next try
			if err = work(model, project, goal, steps, i); err == nil {
				err = check(project, steps[i].Check)
			}
			if err == nil {
				steps[i].State = "done"
				break
			}
			steps[i].State = "failed: " + err.Error()
		}
		fmt.Fprintf(out, "%s: %s\n", steps[i].Title, steps[i].State)
		if err != nil {
			return err
		}
	}
	return nil
}

// plan lets the model propose.
func plan(model llm.Client, goal string) ([]step, error) {
	reply, err := model.Ask([]llm.Message{{Role: "user", Content: "Propose a plan for: " + goal}}, propose)
	if err != nil {
		return nil, err
	}
	if len(reply.Calls) != 1 {
		return nil, fmt.Errorf("no plan was proposed: %s", reply.Content)
	}
	var args struct{ Steps string }
	var steps []step
	if err := json.Unmarshal([]byte(reply.Calls[0].Function.Arguments), &args); err != nil {
		return nil, err
	}
	return steps, json.Unmarshal([]byte(args.Steps), &steps)
}

// work is the loop of stage 3 with a conversation of its own: the goal, how the plan stands, this step, and nothing else.
func work(model llm.Client, project *os.Root, goal string, steps []step, now int) error {
	stands, err := json.Marshal(steps)
	if err != nil {
		return err
	}
	said := []llm.Message{{Role: "user", Content: fmt.Sprintf("Goal: %s\nPlan: %s\nNow: %s", goal, stands, steps[now].Title)}}
	for range 20 {
		reply, err := model.Ask(said, writeFile)
		if err != nil || len(reply.Calls) == 0 {
			return err
		}
		said = append(said, reply)
		for _, call := range reply.Calls {
			result := "written"
			var args struct{ Path, Content string }
			err := json.Unmarshal([]byte(call.Function.Arguments), &args)
			if err == nil {
				err = project.WriteFile(args.Path, []byte(args.Content), 0o644)
			}
			if err != nil {
				result = err.Error()
			}
			said = append(said, llm.Message{Role: "tool", Answers: call.ID, Content: result})
		}
	}
	return fmt.Errorf("no end after 20 requests")
}

// check runs the command that the person saw and agreed to.
func check(project *os.Root, command string) error {
	run := exec.Command("sh", "-c", command)
	run.Dir = project.Name()
	if output, err := run.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", command, err, output)
	}
	return nil
}
