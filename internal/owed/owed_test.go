package owed

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// The end comes behind the answers to what was read, but waits for none that nobody can give any more, and not for ever.
func TestTheEndComesBehindTheAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		in, out string
		waits   bool
	}{
		"nothing":              {"", "", false},
		"a request":            {`{"id":1,"method":"a"}` + "\n", "", true},
		"without a line feed":  {`{"id":1,"method":"a"}`, "", true},
		"answered":             {`{"id":1,"method":"a"}` + "\n", `{"id":1,"result":{}}`, false},
		"refused":              {`{"id":1,"method":"a"}` + "\n", `{"id":1,"error":{}}`, false},
		"otherwise spelled":    {`{"id":"\u0061","method":"a"}` + "\n", `{"id":"a","result":{}}`, false},
		"one of two":           {`{"id":1,"method":"a"}` + "\n" + `{"id":2,"method":"a"}` + "\n", `{"id":2,"result":{}}`, true},
		"a note":               {`{"method":"a"}` + "\n", "", false},
		"what asks in return":  {`{"id":1,"method":"a"}` + "\n", `{"id":1,"method":"ask"}`, false},
		"and had its answer":   {`{"id":1,"method":"a"}` + "\n" + `{"id":1,"result":{}}` + "\n", `{"id":1,"method":"ask"}`, true},
		"a list as its number": {`{"id":[{}],"method":"a"}` + "\n", `{"id":[{}],"result":{}}`, false},
	} {
		p := New(io.MultiReader(strings.NewReader(c.in)), io.Discard)
		p.Most = time.Hour
		ended := make(chan bool)
		for n := len(c.in); n > 0; {
			read, err := p.Read(make([]byte, 7))
			if n -= read; err != nil {
				t.Fatal(err)
			}
		}
		if c.out != "" {
			_, _ = fmt.Fprintln(p, c.out)
		}
		go func() { _, err := p.Read(make([]byte, 7)); ended <- err == io.EOF }()
		select {
		case ok := <-ended:
			if c.waits || !ok {
				t.Errorf("%s: it ends, at the end of what it reads: %v", name, ok)
			}
		case <-time.After(50 * time.Millisecond):
			if !c.waits {
				t.Errorf("%s: it does not end", name)
			}
			_, _ = io.WriteString(p, `{"id":1,"result":{}}`)
			<-ended
		}
	}
	p := New(strings.NewReader(`{"id":1,"method":"a"}`), io.Discard)
	p.Most = time.Millisecond
	if _, err := io.ReadAll(p); err != nil {
		t.Error(err)
	}
}
