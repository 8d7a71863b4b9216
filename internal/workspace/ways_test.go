package workspace

import "testing"

// What a job serves in its box stands at no port of this machine that is somebody else's.
func TestAJobTakesNoPortThatIsTrusted(t *testing.T) {
	for _, port := range []int{80, 1023, 1234, 8000, 8080, 11434} {
		w, err := newWay(port, nil)
		if err != nil {
			t.Fatal(err)
		}
		if w.outer() == port || w.port != port {
			t.Errorf("%d is at %d", w.port, w.outer())
		}
		w.close()
	}
}
