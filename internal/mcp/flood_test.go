package mcp

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"nebula"
)

// floods are what a server says without end in the place of an answer.
var floods = map[string]string{
	"break":    strings.Repeat("x", 64<<10),
	"lines":    strings.Repeat("x", 999) + "\n",
	"spaces":   strings.Repeat(" ", 64<<10),
	"empty":    strings.Repeat("\n", 64<<10),
	"said":     `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"z"}}` + "\n",
	"unknown":  `{"jsonrpc":"2.0","method":"notifications/odd","params":{}}` + "\n",
	"progress": `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"TOKEN","progress":1}}` + "\n",
	"asks":     `{"jsonrpc":"2.0","id":7,"method":"ping"}` + "\n",
	"message":  `{"jsonrpc":"2.0","method":"` + strings.Repeat("x", 64<<10),
}

// drown writes one of them until nobody reads any more.
func drown(to io.Writer, how string, r *mcp.CallToolRequest) {
	text := strings.ReplaceAll(floods[how], "TOKEN", fmt.Sprint(r.Params.GetProgressToken()))
	for {
		if _, err := io.WriteString(to, text); err != nil {
			return
		}
		if how == "message" {
			text = text[len(text)-64<<10:]
		}
	}
}

// Whatever a server says without end in the place of an answer, it is ended for it, long before the time for its answer is over, and before what it
// asks and tells fills memory.
func TestAServerThatFloodsIsEndedInTime(t *testing.T) {
	defer func(was int64) { message = was }(message)
	message *= 16 // they are as many as that, in less time
	for how := range floods {
		server := oddServer(t, "drown-"+how)
		server.Timeout = 300 // however slow the machine is, it is no matter of time
		h := open(t, Options{Servers: []Server{server}})
		find(t, h, "odd.say")
		_, err := oddly(t, h, t.Context(), nebula.Run{})
		many := err != nil && strings.Contains(err.Error(), "in place of an answer, and was ended for it")
		if !many || h.shelf.Load().link("odd").running() {
			t.Errorf("%s: it is heard for as long as it goes on: %v", how, err)
		}
		h.Close()
	}
}

// deaf reads until it was asked what there is, and nothing after that.
type deaf struct {
	io.ReadCloser
	asked bool
}

func (d *deaf) Read(b []byte) (int, error) {
	if d.asked {
		select {}
	}
	n, err := d.ReadCloser.Read(b)
	d.asked = strings.Contains(string(b[:n]), "tools/list")
	return n, err
}

func TestAServerThatReadsNothingHoldsNobody(t *testing.T) {
	server := oddServer(t, "deaf")
	server.Timeout = 2
	h := open(t, Options{Servers: []Server{server}})
	find(t, h, "odd.say")
	p, err := propose(t, h, "useTool", map[string]any{"tool": "odd.say", "arguments": map[string]any{"x": strings.Repeat("x", 1<<20)}})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := carry(t, t.Context(), p, nebula.Run{})
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it answered")
		}
	case <-time.After(8 * time.Second):
		t.Fatal("the turn is held")
	}
}

// A server elsewhere is bounded as one that is started here.
func TestAServerElsewhereThatFloodsIsEndedInTime(t *testing.T) {
	for _, how := range []string{"data: ", ": nothing\n", "\n", "data: NOTE\n\n", "id: 1\nretry: 1\ndata: NOTE\n\n"} {
		text := strings.ReplaceAll(how, "NOTE", strings.TrimSpace(floods["said"]))
		text = strings.Repeat(text, 1+4096/len(text))
		at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked := requested(r)
			result := `{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}`
			switch asked.Method {
			case "initialize":
			case "tools/list":
				result = `{"tools": [{"name": "say", "description": "Says.", "inputSchema": {"type": "object"}}]}`
			case "tools/call":
				w.Header().Set("Content-Type", "text/event-stream")
				for err := error(nil); err == nil && r.Context().Err() == nil; {
					_, err = io.WriteString(w, text)
				}
				return
			case "":
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			default:
				w.WriteHeader(map[bool]int{true: http.StatusAccepted, false: http.StatusBadRequest}[asked.ID == nil])
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"jsonrpc": "2.0", "id": %v, "result": %s}`, asked.ID, result)
		}))
		h := open(t, Options{Servers: []Server{{Name: "odd", URL: at.URL, Timeout: 3}}})
		find(t, h, "odd.say")
		begin := time.Now()
		_, err := oddly(t, h, t.Context(), nebula.Run{})
		ended := err != nil && (strings.Contains(err.Error(), "in place of an answer, and was ended for it") || strings.Contains(err.Error(), "event exceeded"))
		late := how != "data: " && err != nil && strings.Contains(err.Error(), "did not answer within 3 seconds")
		if took := time.Since(begin); !ended && !late || took > 6*time.Second || ended && h.shelf.Load().link("odd").running() {
			t.Errorf("%q: %v after %v", how, err, took)
		}
		h.Close()
		at.CloseClientConnections()
		at.Close()
	}
}
