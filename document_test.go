package nebula

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"
)

// packed is an object stream with objects, as most programs write them by now.
func packedObjects(objects string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(objects))
	_ = z.Close()
	return fmt.Sprintf("7 0 obj\n<</Type/ObjStm/N 3/First 12/Filter/FlateDecode/Length %d>>\nstream\r\n%s\nendstream\nendobj\n", b.Len(), b.String())
}

// A document is shown as it is; what no server reads is refused with what is the matter.
func TestDocumentsAreTakenWhole(t *testing.T) {
	const head, tail = "%PDF-1.7\n%\xe2\xe3\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type /Pages /Count 2>>endobj\n", "trailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n"
	page := "<</Type /Page\n/Parent 2 0 R>>"
	for name, c := range map[string]struct {
		data  string
		pages int
		says  string
	}{
		"two pages":       {head + page + "<</Type/Page/Parent 2 0 R>>" + tail, 2, ""},
		"packed pages":    {head + packedObjects(strings.Repeat(page, 5)) + packedObjects(page) + tail, 6, ""},
		"packed, damaged": {head + packedObjects(strings.Repeat(page, 5))[:90] + tail, 1, ""},
		"told of none":    {head + tail, 1, ""},
		"named like it":   {head + page + "<</Type/PageLabel>><</Type/Pages>>" + tail, 1, ""},
		"of secrets":      {head + page + "(the word /Encrypt is explained here)" + tail, 1, ""},
		"cut":             {head + page, 0, "ends too early"},
		"encrypted":       {head + page + "trailer<</Encrypt 9 0 R>>\nstartxref\n9\n%%EOF", 0, "encrypted"},
		"encrypted there": {head + page + "trailer<</Encrypt<</Filter/Standard>>>>\nstartxref\n9\n%%EOF", 0, "encrypted"},
		"a book":          {head + packedObjects(strings.Repeat(page, 101)) + tail, 0, "101 pages"},
		"other letters":   {head + "<</T#79pe /P#61g#65\n/Parent 2 0 R>>" + strings.Replace(packedObjects("<</#54ype/Page>>"), "/ObjStm", "/#4fbjSt#6D", 1) + tail, 2, ""},
		"encrypted so":    {head + page + "trailer<</#45ncr#79pt 9 0 R>>\nstartxref\n9\n%%EOF", 0, "encrypted"},
		"a book so":       {head + packedObjects(strings.Repeat("<</Type /#50#61#67#65>>", 101)) + tail, 0, "101 pages"},
		"a bomb":          {head + page + packedObjects(strings.Repeat(" ", 2*DocumentMax)) + tail, 0, "unpacks to more"},
		"huge":            {head + strings.Repeat("x", DocumentMax) + tail, 0, "10 MB"},
	} {
		doc, err := Picture([]byte(c.data))
		switch {
		case c.says == "" && (err != nil || doc.Type != PDF || doc.Pages != c.pages || string(doc.Data) != c.data || doc.Tokens() != c.pages*pageTokens):
			t.Errorf("%s: %s of %d pages, %d tokens, %v", name, doc.Type, doc.Pages, doc.Tokens(), err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A model is shown what it takes, and no document that would fill what it reads.
func TestModelsTakeWhatTheyCanRead(t *testing.T) {
	ten := Image{Type: PDF, Pages: 10}
	for _, c := range []struct {
		m    ModelInfo
		i    Image
		says string
	}{
		{ModelInfo{Images: true, Documents: true, Window: 200000}, ten, ""}, {ModelInfo{Images: true, Documents: true}, ten, ""},
		{ModelInfo{Images: true}, Image{Type: "image/png"}, ""}, {ModelInfo{}, Image{Type: "image/png"}, "no pictures"},
		{ModelInfo{Images: true, Window: 200000}, ten, "pdftotext"}, {ModelInfo{Documents: true, Window: 200000}, ten, "no pictures"},
		{ModelInfo{Images: true, Documents: true, Window: 32000}, ten, "reads 5 at once"},
	} {
		err := c.m.Takes(c.i)
		if (c.says == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.m, err)
		}
	}
}
