package task

import (
	"context"
	"sync"

	"nebula"
)

// An outbox tells a conversation what happened, in order, without making whoever tells it wait. What came when the
// conversation had ended is told to the next one, if it is worth knowing by then.
type outbox struct {
	mu      sync.Mutex
	chat    nebula.Conversation
	since   bool // there was a conversation
	bodies  []nebula.Body
	sending bool
	idle    chan struct{}           // closed when everything was sent; nil while idle
	told    func(r nebula.Reported) // called when a report is in a conversation
}

// attach turns to a conversation, which is told first what it has to know.
func (o *outbox) attach(chat nebula.Conversation, first []nebula.Body) {
	o.mu.Lock()
	o.chat, o.since = chat, true
	o.bodies = append(first, o.bodies...)
	o.mu.Unlock()
	o.tell()
}

func (o *outbox) tell(bodies ...nebula.Body) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case !o.since:
		return
	case o.chat == nil:
		o.bodies = append(o.bodies, lasting(bodies)...)
		return
	}
	o.bodies = append(o.bodies, bodies...)
	if !o.sending && len(o.bodies) > 0 {
		o.sending, o.idle = true, make(chan struct{})
		go o.send()
	}
}

func (o *outbox) send() {
	for {
		o.mu.Lock()
		chat, bodies := o.chat, o.bodies
		if len(bodies) == 0 || chat == nil {
			o.sending = false
			close(o.idle)
			o.mu.Unlock()
			return
		}
		o.bodies = nil
		o.mu.Unlock()
		if chat.Send(context.Background(), nebula.Inform{Bodies: bodies}) == nil {
			for _, b := range bodies {
				if r, ok := b.(nebula.Reported); ok {
					o.told(r)
				}
			}
			continue
		}
		o.mu.Lock()
		o.bodies = append(lasting(bodies), lasting(o.bodies)...)
		if o.chat == chat {
			o.chat = nil // it has ended
		}
		o.mu.Unlock()
	}
}

// lasting are the bodies that another conversation is to be told later: questions are asked anew there.
func lasting(bodies []nebula.Body) (kept []nebula.Body) {
	for _, b := range bodies {
		switch b.(type) {
		case nebula.Planned, nebula.Stepped, nebula.Reported:
			kept = append(kept, b)
		}
	}
	return kept
}

// flush waits until everything told so far is in the conversation.
func (o *outbox) flush() {
	o.mu.Lock()
	idle := o.idle
	sending := o.sending
	o.mu.Unlock()
	if sending {
		<-idle
	}
}

// talk is the conversation in short, for planning; empty where it does not tell.
func (o *outbox) talk(ctx context.Context) string {
	o.mu.Lock()
	chat := o.chat
	o.mu.Unlock()
	c, ok := chat.(interface {
		Talk(ctx context.Context) (string, error)
	})
	if !ok {
		return ""
	}
	text, err := c.Talk(ctx)
	if err != nil { // it has ended: then it has no more to say
		return ""
	}
	return text
}
