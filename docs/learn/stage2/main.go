// Stage 2 has one tool: the model may ask for a file once, is given it, and answers.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"nebula/docs/learn/llm"
)

var readFile = llm.Tool{Name: "readFile", Purpose: "gives the text of a file of the project", Parameters: []string{"path"}}

func main() {
	llm.Main(func(model llm.Client, project *os.Root, words string) error {
		return answer(model, project, words, os.Stdout)
	})
}

// answer asks the model once, carries out the call that comes back, and asks again with what it gave.
func answer(model llm.Client, project *os.Root, question string, out io.Writer) error {
	said := []llm.Message{
		{Role: "system", Content: "You answer questions about the project in this folder."},
		{Role: "user", Content: question},
	}
	reply, err := model.Ask(said, readFile)
	if err != nil {
		return err
	}
	if len(reply.Calls) == 0 {
		fmt.Fprintln(out, reply.Content)
		return nil
	}
	said = append(said, reply)
	for _, call := range reply.Calls {
		fmt.Fprintln(out, "·", call.Function.Name, call.Function.Arguments)
		said = append(said, llm.Message{Role: "tool", Answers: call.ID, Content: read(project, call)})
	}
	// Without tools this time: whatever the file said, now comes the answer.
	reply, err = model.Ask(said)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, reply.Content)
	return nil
}

// read carries out a call. What goes wrong is an answer to the model, not an end of the program: it wrote the call, it can mend it.
// An os.Root gives only what lies in the folder, whatever dots and links the path has.
func read(project *os.Root, call llm.Call) string {
	var given struct{ Path string }
	if call.Function.Name != readFile.Name {
		return "there is no such tool; there is readFile"
	}
	if err := json.Unmarshal([]byte(call.Function.Arguments), &given); err != nil {
		return "the arguments are no JSON: " + err.Error()
	}
	text, err := project.ReadFile(given.Path)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
