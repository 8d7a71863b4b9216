package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"nebula/internal/demo"
)

// A talk is a model that says what it is given to say, and the demo's project with a home of its own to talk about it in.
type talk struct {
	demo.Partner
	dir string // holds the folders todo and home
}

// newTalk says what a file holds, or what the demo's model says.
func newTalk(lang, file string) (*talk, error) {
	topics, err := topicsOf(lang, file)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "nebula-screen-")
	if err != nil {
		return nil, err
	}
	t := &talk{demo.Partner{Topics: topics}, dir}
	err = errors.Join(demo.Write(filepath.Join(dir, "todo"), demo.Project()), os.Mkdir(filepath.Join(dir, "home"), 0o700))
	if err == nil {
		err = t.Serve()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return t, nil
}

func topicsOf(lang, file string) ([]demo.Topic, error) {
	if file == "" {
		recorded, err := demo.Conversation(lang)
		return recorded.Topics(), err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var topics []demo.Topic
	return topics, json.Unmarshal(data, &topics)
}

func (t *talk) close() error { return errors.Join(t.Close(), os.RemoveAll(t.dir)) }

// environment leads a program to the talk.
func (t *talk) environment() []string {
	return []string{"env", "-C", filepath.Join(t.dir, "todo"), "OPENAI_API_KEY=sk-none", "OPENAI_BASE_URL=" + t.URL,
		"NEBULA_HOME=" + filepath.Join(t.dir, "home"), "COLORTERM=truecolor"}
}
