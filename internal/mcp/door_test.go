package mcp

import (
	"net"
	"net/http"
	"slices"
	"testing"
)

// A page that is shown once more is said to be: a server that takes no login asks again at once.
func TestAPageThatIsShownAgainIsSaid(t *testing.T) {
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := newDoor(port, "done")
	defer d.close()
	var again []bool
	for _, state := range []string{"one", "two"} {
		if r, err := d.wait(t.Context(), state, func(more bool) {
			again = append(again, more)
			go func() {
				if resp, err := http.Get("http://" + port.Addr().String() + "/callback?code=thiefs&state=another"); err != nil || resp.StatusCode != http.StatusNotFound {
					t.Errorf("who was not asked for is let in: %v", err)
				}
				if resp, err := http.Get("http://" + port.Addr().String() + "/callback?code=c&state=" + state); err == nil {
					_ = resp.Body.Close()
				}
			}()
		}); err != nil || r.Code != "c" {
			t.Fatal(r, err)
		}
	}
	if !slices.Equal(again, []bool{false, true}) {
		t.Errorf("%v", again)
	}
}
