package nebula

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"sync"
)

// PDF is the media type of a document, whose pages models look at.
const PDF = "application/pdf"

// Bounds of documents: what every provider that takes them takes.
const (
	DocumentMax   = 10 << 20
	DocumentPages = 100
	pageTokens    = 3000 // of a page with its picture, rather too many than too few
)

// Document takes bytes for a PDF that models are shown. What no server could read is refused here, since a server would refuse the
// whole conversation for it.
func Document(data []byte) (Image, error) {
	switch tail := data[max(0, len(data)-2048):]; {
	case !IsPDF(data):
		return Image{}, Errorf("it is no PDF that can be read")
	case len(data) > DocumentMax:
		return Image{}, Errorf("the PDF has more than %d MB: take some of its pages", DocumentMax>>20)
	case !bytes.Contains(tail, []byte("%%EOF")):
		return Image{}, Errorf("the PDF is damaged: it ends too early")
	case encrypted().Match(data):
		return Image{}, Errorf("the PDF is encrypted, which no model reads: make a copy without the password")
	}
	pages, whole := pagesOf(data)
	if pages = max(1, pages); !whole {
		return Image{}, Errorf("the PDF unpacks to more than can be looked through: save it anew, or take some of its pages")
	}
	if pages > DocumentPages {
		return Image{}, Errorf("the PDF has %d pages, of which models read %d at once: take some of them", pages, DocumentPages)
	}
	return Image{Type: PDF, Data: data, Pages: pages}, nil
}

// IsPDF reports whether bytes begin as a PDF does.
//
//go:noinline
func IsPDF(data []byte) bool { return bytes.HasPrefix(data, []byte("%PDF-")) }

// What a PDF says of itself (ISO 32000, 7.7.3.3 and 7.6): that something is one of its pages, and that it is encrypted.
var (
	aPage = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(nameOf("Type") + `\s*` + nameOf("Page") + `(?:[^A-Za-z#]|$)`)
	})
	encrypted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(nameOf("Encrypt") + `\s*(?:<<|\d+\s+\d+\s+R)`) })
	packs     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(nameOf("ObjStm")) })
)

// nameOf finds a name in all its spellings: each of its letters may stand as # and its number (7.3.5).
func nameOf(name string) string {
	find := "/"
	for _, c := range []byte(name) {
		find += fmt.Sprintf("(?:%c|#(?i:%02x))", c, c)
	}
	return find
}

// pagesOf counts the pages of a PDF, in its objects and in those that are packed into streams (7.5.7), zero where none is seen, and reports
// whether all of it could be looked through.
func pagesOf(data []byte) (n int, whole bool) {
	n = len(aPage().FindAllIndex(data, -1))
	for room := int64(2 * DocumentMax); room > 0; { // that may be unpacked: objects, in which no picture is
		at := packs().FindIndex(data)
		if at == nil {
			return n, true
		}
		_, data, _ = bytes.Cut(data[at[1]:], []byte("stream"))
		if z, err := zlib.NewReader(bytes.NewReader(bytes.TrimLeft(data, "\r\n"))); err == nil {
			unpacked, _ := io.ReadAll(io.LimitReader(z, room)) // what is damaged counts as far as it goes
			n, room = n+len(aPage().FindAllIndex(unpacked, -1)), room-int64(len(unpacked))
		}
	}
	return n, false
}

// Takes is why a model is not shown a picture or a document; nil where it is.
func (m ModelInfo) Takes(i Image) error {
	switch most := m.reads(); {
	case !m.Images:
		return Errorf("%s takes no pictures", m.Name)
	case i.Type != PDF || i.Tokens() <= most:
		return nil
	case most == 0:
		return Errorf("%s takes no PDF: `pdftotext -layout FILE` makes it a text, `pdftoppm -png -r 80 FILE page` makes its pages pictures; if it does, nebula config set models.%s.documents true", m.Name, m.Name)
	default:
		return Errorf("the PDF has %d pages, of which %s reads %d at once: take some of them", i.Pages, m.Name, most/pageTokens)
	}
}

// reads is how many tokens a document may have that the model is shown: half of what it reads, 0 where it takes none.
//
//go:noinline
func (m ModelInfo) reads() int {
	if !m.Documents || !m.Images {
		return 0
	}
	return cmp.Or(m.Window/2, DocumentPages*pageTokens)
}
