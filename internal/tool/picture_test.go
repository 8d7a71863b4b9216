package tool_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// A picture is shown to a model that takes pictures, and named to any other; what only calls itself one is no picture.
func TestPicturesAreShownToModelsThatTakeThem(t *testing.T) {
	dir := t.TempDir()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	pdf := []byte("%PDF-1.4\n%\xe2\xe3\n1 0 obj<</Type/Page>>endobj\ntrailer<<>>\nstartxref\n9\n%%EOF\n")
	given := map[string][]byte{"a.png": b.Bytes(), "cut.png": b.Bytes()[:20], "a.pdf": pdf, "cut.pdf": pdf[:20]}
	for name, data := range given {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	work, err := workspace.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer work.Close()
	for _, read := range tool.All(work, tool.Options{}) {
		if read.Spec().Name != "readFile" {
			continue
		}
		for _, c := range []struct {
			file   string
			sees   bool
			images int
		}{{"a.png", true, 1}, {"a.png", false, 0}, {"cut.png", true, 0}, {"a.pdf", true, 1}, {"a.pdf", false, 0}, {"cut.pdf", true, 0}} {
			p, err := read.Propose(context.Background(), nebula.Action{Tool: "readFile", Args: []byte(`{"path":"` + c.file + `"}`)}, nebula.View{Lang: "en", Model: nebula.ModelInfo{Images: c.sees, Documents: c.sees}})
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Do(context.Background(), nebula.Run{})
			if err != nil || len(r.Images) != c.images || c.images == 1 && !bytes.Equal(r.Images[0].Data, given[c.file]) || !strings.Contains(r.Text, c.file) {
				t.Errorf("%+v: %q, %d pictures, %v", c, r.Text, len(r.Images), err)
			}
		}
	}
}
