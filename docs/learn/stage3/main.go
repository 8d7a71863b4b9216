// Stage 3 is the loop: the model calls tools, sees what they gave and goes on, until it calls none.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"nebula/docs/learn/llm"
)

// most is how many requests one task may take: a model that goes round in circles must end.
const most = 20

var tools = []llm.Tool{
	{Name: "readFile", Purpose: "gives the text of a file", Parameters: []string{"path"}},
	{Name: "writeFile", Purpose: "replaces a file by content", Parameters: []string{"path", "content"}},
	{Name: "runTests", Purpose: "runs the project's tests"},
}

// given holds the arguments of any of the tools.
type given struct{ Path, Content string }

func main() {
	llm.Main(func(model llm.Client, project *os.Root, words string) error {
		return work(model, project, words, os.Stdout)
	})
}

// work is the whole of an agent: ask, carry out, tell, again.
func work(model llm.Client, project *os.Root, task string, out io.Writer) error {
	said := []llm.Message{
		{Role: "system", Content: "You change the project in this folder with your tools. Test before you report."},
		{Role: "user", Content: task},
	}
	for range most {
		reply, err := model.Ask(said, tools...)
		if err != nil {
			return err
		}
		said = append(said, reply)
		if len(reply.Calls) == 0 {
			fmt.Fprintln(out, reply.Content)
			return nil
		}
		for _, call := range reply.Calls {
			fmt.Fprintln(out, "·", call.Function.Name)
			said = append(said, llm.Message{Role: "tool", Answers: call.ID, Content: do(project, call)})
		}
	}
	return fmt.Errorf("no end after %d requests", most)
}

// do carries out a call and says what came of it.
func do(project *os.Root, call llm.Call) string {
	var args given
	if err := json.Unmarshal([]byte(call.Function.Arguments), &args); err != nil {
		return "the arguments are no JSON: " + err.Error()
	}
	switch call.Function.Name {
	case "readFile":
		text, err := project.ReadFile(args.Path)
		if err != nil {
			return err.Error()
		}
		return string(text)
	case "writeFile":
		if err := project.WriteFile(args.Path, []byte(args.Content), 0o644); err != nil {
			return err.Error()
		}
		return "written"
	case "runTests":
		run := exec.Command("go", "test", "./...")
		run.Dir = project.Name()
		output, err := run.CombinedOutput()
		if err != nil {
			return fmt.Sprintf("the tests fail: %v\n%s", err, output)
		}
		return "the tests pass\n" + string(output)
	}
	return "there is no such tool"
}
