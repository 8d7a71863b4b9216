// Stage 1 is a chat: what is typed goes to a model with all that was said before, and its answer is printed.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

// message is one turn of the conversation, as the server wants it.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func main() {
	base := cmp.Or(os.Getenv("OPENAI_BASE_URL"), "https://api.openai.com/v1")
	model := cmp.Or(os.Getenv("MODEL"), "gpt-4.1-nano")
	if err := chat(os.Stdin, os.Stdout, base, os.Getenv("OPENAI_API_KEY"), model); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// chat answers every line of in on out until in ends.
func chat(in io.Reader, out io.Writer, base, key, model string) error {
	said := []message{{"system", "You help a programmer. Be brief."}}
	lines := bufio.NewScanner(in)
	for fmt.Fprint(out, "> "); lines.Scan(); fmt.Fprint(out, "> ") {
		said = append(said, message{"user", lines.Text()})
		answer, err := ask(base, key, model, said)
		if err != nil {
			return err
		}
		// The server remembers nothing: the conversation is what we send.
		said = append(said, answer)
		fmt.Fprintln(out, answer.Content)
	}
	return lines.Err()
}

// ask sends the conversation and returns the model's next message.
func ask(base, key, model string, said []message) (message, error) {
	body, err := json.Marshal(map[string]any{"model": model, "messages": said})
	if err != nil {
		return message{}, err
	}
	request, err := http.NewRequest("POST", base+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return message{}, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return message{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return message{}, fmt.Errorf("the server answers %s", response.Status)
	}
	var reply struct {
		Choices []struct{ Message message }
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return message{}, err
	}
	if len(reply.Choices) == 0 {
		return message{}, fmt.Errorf("the server sends no answer")
	}
	return reply.Choices[0].Message, nil
}
