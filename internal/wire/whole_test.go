package wire

import (
	"context"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nebula"
)

func whole[T any]() (v T) {
	fill(reflect.ValueOf(&v).Elem(), 8)
	return v
}

// A told host answers everything with values that have something in every field, and keeps what it was asked.
type told struct {
	asked []any
	talk  talk
}

// ask is an answer to what was asked.
func ask[T any](h *told, asked ...any) (T, error) {
	h.asked = append(h.asked, asked...)
	return whole[T](), nil
}

func (h *told) Folder(context.Context) (nebula.Folder, error) { return ask[nebula.Folder](h) }
func (h *told) Open(_ context.Context, id string) (nebula.Conversation, error) {
	h.asked = append(h.asked, id)
	return &h.talk, nil
}
func (h *told) Sessions(_ context.Context, words string) ([]nebula.SessionInfo, error) {
	return ask[[]nebula.SessionInfo](h, words)
}
func (h *told) Plans(context.Context) ([]nebula.PlanInfo, error)   { return ask[[]nebula.PlanInfo](h) }
func (h *told) Models(context.Context) ([]nebula.ModelInfo, error) { return ask[[]nebula.ModelInfo](h) }
func (h *told) Model(_ context.Context, name string) (nebula.ModelInfo, error) {
	return ask[nebula.ModelInfo](h, name)
}
func (h *told) Settings(_ context.Context, args []string) (string, error) {
	return ask[string](h, args)
}
func (h *told) Keep(_ context.Context, key, value string) error {
	h.asked = append(h.asked, key, value)
	return nil
}
func (h *told) Status(_ context.Context, session string) (string, error) {
	return ask[string](h, session)
}
func (h *told) Undoable(_ context.Context, session string, redo bool) (nebula.Undoable, error) {
	return ask[nebula.Undoable](h, session, redo)
}
func (h *told) Files(context.Context) ([]string, error) { return ask[[]string](h) }
func (h *told) Commands(context.Context) ([]nebula.CommandInfo, error) {
	return ask[[]nebula.CommandInfo](h)
}
func (h *told) Image(_ context.Context, path string) (nebula.Image, error) {
	return ask[nebula.Image](h, path)
}

// A talk tells of one event of each kind, and keeps what it is sent.
type talk struct{ sent []nebula.Command }

func (c *talk) Send(_ context.Context, sent nebula.Command) error {
	c.sent = append(c.sent, sent)
	return nil
}

func (c *talk) Events(context.Context, int64) iter.Seq[nebula.Event] {
	return slices.Values(everyEvent())
}

func everyEvent() (all []nebula.Event) {
	for _, b := range nebula.Bodies() {
		full := reflect.New(reflect.TypeOf(b)).Elem()
		fill(full, 8)
		all = append(all, nebula.Event{Body: full.Interface().(nebula.Body)})
	}
	slices.SortFunc(all, func(a, b nebula.Event) int {
		return strings.Compare(fmt.Sprintf("%T", a.Body), fmt.Sprintf("%T", b.Body))
	})
	for i := range all {
		all[i].Seq = int64(i + 1)
	}
	return all
}

// Whatever a front end may ask or send comes over a pipe as it was, and so does every answer and every event, in each of its fields.
func TestEverythingGoesOverAPipe(t *testing.T) {
	here := &told{}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	go func() { _ = toClient.CloseWithError(Serve(t.Context(), here, fromClient, toClient)) }()
	far := Dial(fromServer, toServer)
	var asked []any
	host := reflect.TypeFor[nebula.Host]()
	for i := range host.NumMethod() {
		m := host.Method(i)
		in := []reflect.Value{reflect.ValueOf(t.Context())}
		for n := 1; n < m.Type.NumIn(); n++ {
			v := reflect.New(m.Type.In(n)).Elem()
			fill(v, 8)
			in, asked = append(in, v), append(asked, v.Interface())
		}
		there := reflect.ValueOf(far).MethodByName(m.Name).Call(in)
		if err, _ := there[len(there)-1].Interface().(error); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if m.Name == "Open" || len(there) == 1 {
			continue
		}
		want := reflect.New(m.Type.Out(0)).Elem()
		if fill(want, 8); !reflect.DeepEqual(there[0].Interface(), want.Interface()) {
			t.Errorf("%s is answered %+v, not %+v", m.Name, there[0], want)
		}
	}
	if !reflect.DeepEqual(here.asked, asked) {
		t.Errorf("it was asked %v, not %v", here.asked, asked)
	}
	c, err := far.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	for name, zero := range nebula.Commands() {
		full := reflect.New(reflect.TypeOf(zero)).Elem()
		fill(full, 8)
		sent := full.Interface().(nebula.Command)
		if _, inner := sent.(nebula.Inform); inner { // what only nebula itself may send
			continue
		}
		if err := c.Send(t.Context(), sent); err != nil || len(here.talk.sent) == 0 || !reflect.DeepEqual(here.talk.sent[len(here.talk.sent)-1], sent) {
			t.Errorf("%s: %v, %+v", name, err, here.talk.sent)
		}
	}
	want := everyEvent()
	for e := range c.Events(t.Context(), 0) {
		i := e.Seq - 1
		if !reflect.DeepEqual(e, want[i]) {
			t.Errorf("%T is %+v, not %+v", e.Body, e.Body, want[i].Body)
		}
		want[i].Seq = 0
	}
	for _, e := range want {
		if e.Seq != 0 {
			t.Errorf("%T did not come", e.Body)
		}
	}
}
