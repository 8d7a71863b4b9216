// Package llm is the request of stage 1 with tools added to it, so that the stages behind it need not repeat it.
package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// Message is one turn of a conversation. A model's message may call tools; a tool's message answers one call.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Calls   []Call `json:"tool_calls,omitempty"`
	Answers string `json:"tool_call_id,omitempty"`
}

// Call is a tool that the model wants to have carried out. Arguments is JSON, written by the model: it can be anything.
type Call struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Tool tells the model what it may call.
type Tool struct {
	Name, Purpose string
	Parameters    []string // all of them strings, all of them needed
}

// Client knows the server.
type Client struct{ Base, Key, Model string }

// FromEnv is the server that the environment names.
func FromEnv() Client {
	return Client{
		Base:  cmp.Or(os.Getenv("OPENAI_BASE_URL"), "https://api.openai.com/v1"),
		Key:   os.Getenv("OPENAI_API_KEY"),
		Model: cmp.Or(os.Getenv("MODEL"), "gpt-4.1-nano"),
	}
}

// Main runs a stage in the folder where it was started, with the words of its command line.
func Main(run func(model Client, project *os.Root, words string) error) {
	project, err := os.OpenRoot(".")
	if err == nil {
		err = run(FromEnv(), project, strings.Join(os.Args[1:], " "))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Ask sends the conversation and the tools and returns the model's next message.
func (c Client) Ask(said []Message, tools ...Tool) (Message, error) {
	request := map[string]any{"model": c.Model, "messages": said}
	if len(tools) > 0 {
		request["tools"] = schemas(tools)
	}
	body, err := json.Marshal(request)
	if err != nil {
		return Message{}, err
	}
	post, err := http.NewRequest("POST", c.Base+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return Message{}, err
	}
	post.Header.Set("Authorization", "Bearer "+c.Key)
	post.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(post)
	if err != nil {
		return Message{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return Message{}, fmt.Errorf("the server answers %s", response.Status)
	}
	var reply struct {
		Choices []struct{ Message Message }
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return Message{}, err
	}
	if len(reply.Choices) == 0 {
		return Message{}, errors.New("the server sends no answer")
	}
	return reply.Choices[0].Message, nil
}

// schemas says the tools in the server's form.
func schemas(tools []Tool) []any {
	var list []any
	for _, tool := range tools {
		properties := map[string]any{}
		for _, name := range tool.Parameters {
			properties[name] = map[string]string{"type": "string"}
		}
		list = append(list, map[string]any{"type": "function", "function": map[string]any{
			"name": tool.Name, "description": tool.Purpose,
			"parameters": map[string]any{"type": "object", "properties": properties, "required": tool.Parameters},
		}})
	}
	return list
}
