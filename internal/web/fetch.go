package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"nebula"
)

// Bounds of what is read.
const (
	patience = 20 * time.Second // for an answer to begin
	whole    = 40 * time.Second // for all of it
	largest  = 4 << 20          // bytes
	hops     = 5                // on the same host
	longest  = 2000             // bytes of an address
)

// A Page is what was read at an address.
type Page struct {
	Address string   // where it was in the end
	Way     []string // addresses that led there
	Moved   string   // an address on another host that it leads to: nothing was read
	Title   string
	Text    string // as Markdown, where it was HTML
	Cut     bool   // there was more than is read
}

// Address reads an address as people write it. Only what the internet has is one, and nothing that logs in on its way.
func Address(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	at, err := url.Parse(text)
	switch {
	case err != nil || len(text) > longest:
		return nil, nebula.Wrong("Give the whole address, as https://example.org/page.", "That is no address.")
	case at.Scheme != "http" && at.Scheme != "https" || at.Host == "":
		return nil, nebula.Wrong("Give one that begins with https://.", "%q is no address of a page.", text)
	case at.User != nil:
		return nil, nebula.Wrong("Leave name and password out.", "No name and no password go with an address.")
	}
	at.Host, at.Fragment = strings.ToLower(at.Host), ""
	return at, nil
}

// Get reads a page. A redirection is followed on the same host only: whoever is asked about hosts is asked about each.
func Get(ctx context.Context, over http.RoundTripper, at *url.URL) (p Page, err error) {
	ctx, stop := context.WithTimeout(ctx, whole)
	defer stop()
	client := &http.Client{Transport: over, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if r.URL.Hostname() != at.Hostname() || withPort(r.URL) != withPort(at) && r.URL.Scheme == via[0].URL.Scheme || len(via) > hops {
			return http.ErrUseLastResponse
		}
		p.Way = append(p.Way, via[len(via)-1].URL.String())
		return nil
	}}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return p, err
	}
	r.Header = http.Header{"User-Agent": {"nebula"}, "Accept": {"text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1"}}
	resp, err := client.Do(r)
	if err != nil {
		if private, ok := errors.AsType[*PrivateError](err); ok {
			return p, private
		}
		return p, nebula.Errorf("%s gives no answer: %w", at.Host, cause(err))
	}
	defer resp.Body.Close()
	p.Address = resp.Request.URL.String()
	if to, err := resp.Location(); err == nil && resp.StatusCode/100 == 3 {
		p.Moved = to.String()
		return p, nil
	}
	return p, p.read(resp)
}

// read takes in what was answered.
func (p *Page) read(resp *http.Response) error {
	kind, params, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	data, err := io.ReadAll(io.LimitReader(resp.Body, largest+1))
	if p.Cut = len(data) > largest; p.Cut {
		data = data[:largest]
	}
	if err != nil && len(data) == 0 {
		return nebula.Errorf("%s gives no answer: %w", resp.Request.URL.Host, cause(err))
	}
	p.Cut = p.Cut || err != nil
	kind = cmp.Or(kind, strings.Split(http.DetectContentType(data), ";")[0])
	if !legible(kind) {
		return nebula.Wrong("Only texts are read.", "What stands there is no text: %s, %d bytes.", kind, len(data))
	}
	text := decoded(data, params["charset"])
	if p.Text = text; kind == "text/html" || kind == "application/xhtml+xml" || kind == "text/plain" && looksLikeHTML(text) {
		p.Title, p.Text = Markdown(text, resp.Request.URL)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return nebula.Wrong("Look whether the address is right.", "%s answers %s.", resp.Request.URL.Host, resp.Status)
	}
	return nil
}

func legible(kind string) bool {
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") ||
		kind == "application/json" || kind == "application/xml" || kind == "application/javascript" || kind == "application/yaml" || kind == "application/x-ndjson"
}

func looksLikeHTML(text string) bool {
	head := strings.ToLower(strings.TrimSpace(text[:min(len(text), 200)]))
	return strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html")
}

// cause is an error without the address that everybody knows.
//
//go:noinline
func cause(err error) error {
	if of, ok := errors.AsType[*url.Error](err); ok {
		return of.Err
	}
	return err
}

// decoded is a text in UTF-8. What is written in another character set is read as far as it is told and known here.
func decoded(data []byte, charset string) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xef, 0xbb, 0xbf}):
		return strings.ToValidUTF8(string(data[3:]), "\uFFFD")
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		wide := make([]uint16, 0, len(data)/2)
		for i := 2; i+1 < len(data); i += 2 {
			low, high := data[i], data[i+1]
			if data[0] == 0xfe {
				low, high = high, low
			}
			wide = append(wide, uint16(low)|uint16(high)<<8)
		}
		return string(utf16.Decode(wide))
	}
	if charset == "" {
		charset = declared(data)
	}
	if utf8.Valid(data) && !strings.HasPrefix(strings.ToLower(charset), "iso-2022") {
		return string(data)
	}
	if text, ok := japanese(data, strings.ToLower(charset)); ok {
		return text
	}
	if c := strings.ToLower(charset); strings.HasPrefix(c, "iso-8859-1") || c == "windows-1252" || c == "latin1" {
		letters := make([]rune, len(data))
		for i, b := range data {
			letters[i] = rune(b)
		}
		return string(letters)
	}
	return strings.ToValidUTF8(string(data), "\uFFFD")
}

// declared is the character set that a page says of itself.
func declared(data []byte) string {
	head := strings.ToLower(string(data[:min(len(data), 2048)]))
	_, rest, found := strings.Cut(head, "charset=")
	if !found {
		return ""
	}
	rest = strings.TrimLeft(rest, `"' `)
	if end := strings.IndexAny(rest, `"' />;`); end >= 0 {
		return rest[:end]
	}
	return ""
}
