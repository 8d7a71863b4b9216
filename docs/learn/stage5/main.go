// Stage 5 remembers: what happened is written down before the next thing happens, and the conversation is read from that record.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"nebula/docs/learn/llm"
)

const record = ".learn.jsonl" // in the project's folder, a line for each message

var writeFile = llm.Tool{Name: "writeFile", Purpose: "replaces a file by content", Parameters: []string{"path", "content"}}

// session is a conversation: its record, and what the record says.
type session struct {
	log  *os.File
	said []llm.Message
	open []llm.Call // called for, and not answered yet
}

func main() {
	llm.Main(func(model llm.Client, project *os.Root, words string) error {
		return run(model, project, words, os.Stdout)
	})
}

// run goes on where the record ends; words of the person, if there are any, come behind it.
func run(model llm.Client, project *os.Root, words string, out io.Writer) error {
	s, err := open(project)
	if err != nil {
		return err
	}
	defer s.log.Close()
	// The program ended while these were under way. Whether they were done cannot be known: say so, never do them twice.
	for _, call := range s.open {
		err = errors.Join(err, s.happened(llm.Message{Role: "tool", Answers: call.ID, Content: "interrupted: look whether it was done"}))
	}
	if words != "" {
		err = errors.Join(err, s.happened(llm.Message{Role: "user", Content: words}))
	}
	for requests := 0; err == nil && requests < 20; requests++ {
		var reply llm.Message
		if reply, err = model.Ask(s.said, writeFile); err == nil {
			err = s.happened(reply) // what cannot be recorded is not done
		}
		if err == nil && len(reply.Calls) == 0 {
			fmt.Fprintln(out, reply.Content)
			return nil
		}
		for i := 0; err == nil && i < len(reply.Calls); i++ {
			call := reply.Calls[i]
			err = s.happened(llm.Message{Role: "tool", Answers: call.ID, Content: write(project, call)})
		}
	}
	return cmp.Or(err, errors.New("no end after 20 requests"))
}

// write carries out a call and says what came of it.
func write(project *os.Root, call llm.Call) string {
	var args struct{ Path, Content string }
	err := json.Unmarshal([]byte(call.Function.Arguments), &args)
	if err == nil {
		err = project.WriteFile(args.Path, []byte(args.Content), 0o644)
	}
	if err != nil {
		return err.Error()
	}
	return "written"
}

// happened appends a message to the record, on the disk, and only then takes it in.
func (s *session) happened(m llm.Message) error {
	line, err := json.Marshal(m)
	if err == nil {
		_, err = s.log.Write(append(line, '\n'))
	}
	if err == nil {
		err = s.log.Sync()
	}
	if err == nil {
		s.fold(m)
	}
	return err
}

// fold is the only place where the state changes, while it happens and when the record is read.
func (s *session) fold(m llm.Message) {
	s.said = append(s.said, m)
	if m.Answers == "" {
		s.open = m.Calls
	} else if len(s.open) > 0 {
		s.open = s.open[1:] // answers come in the order of the calls
	}
}

// open reads the record. A last line that a crash cut off never happened.
func open(project *os.Root) (*session, error) {
	log, err := project.OpenFile(record, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	s, whole, lines := &session{log: log}, int64(0), bufio.NewReader(log)
	for {
		line, err := lines.ReadBytes('\n')
		var m llm.Message
		if err != nil || json.Unmarshal(line, &m) != nil {
			return s, log.Truncate(whole)
		}
		whole += int64(len(line))
		s.fold(m)
	}
}
