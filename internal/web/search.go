package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// An Engine is who searches the internet for the person.
type Engine struct {
	Name string // one of [Engines]
	Key  string
	URL  string // of one that the person runs, or another than the usual
	// Model and Header are what a provider of models is asked with, whose own search is used: the engine is then the form of that.
	Model  string
	Header http.Header
}

// A maker makes the request of an engine, and reads what it answers.
type maker struct {
	url  string   // the usual one; empty where each person has their own
	keys []string // the variables that hold its key
	ask  func(e Engine, query string, most int) (*http.Request, error)
	read func(data []byte) ([]Hit, error)
}

// A Hit is what an engine found, or what a provider's model says of it all, which has no address.
type Hit struct{ Title, URL, Text string }

// makers are the engines that there are.
var makers = map[string]maker{
	"brave": {"https://api.search.brave.com/res/v1/web/search", []string{"BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"},
		func(e Engine, query string, most int) (*http.Request, error) {
			r, err := http.NewRequest(http.MethodGet, e.URL+"?"+url.Values{"q": {query}, "count": {strconv.Itoa(most)}, "text_decorations": {"false"}}.Encode(), nil)
			if err == nil {
				r.Header.Set("X-Subscription-Token", e.Key)
			}
			return r, err
		},
		func(data []byte) (hits []Hit, err error) {
			var said struct {
				Web struct {
					Results []struct{ Title, URL, Description string }
				}
			}
			err = json.Unmarshal(data, &said)
			for _, h := range said.Web.Results {
				hits = append(hits, Hit{h.Title, h.URL, h.Description})
			}
			return hits, err
		}},
	"tavily": {"https://api.tavily.com/search", []string{"TAVILY_API_KEY"},
		func(e Engine, query string, most int) (*http.Request, error) {
			body, _ := json.Marshal(map[string]any{"query": query, "max_results": most}) // a text and a number
			r, err := http.NewRequest(http.MethodPost, e.URL, bytes.NewReader(body))
			if err == nil {
				r.Header.Set("Authorization", "Bearer "+e.Key)
				r.Header.Set("Content-Type", "application/json")
			}
			return r, err
		}, results},
	"searxng": {"", nil,
		func(e Engine, query string, _ int) (*http.Request, error) {
			return http.NewRequest(http.MethodGet, strings.TrimRight(e.URL, "/")+"/search?"+url.Values{"q": {query}, "format": {"json"}}.Encode(), nil)
		}, results},
}

// results reads what two of them answer alike.
func results(data []byte) (hits []Hit, err error) {
	var said struct {
		Results []struct{ Title, URL, Content string }
	}
	err = json.Unmarshal(data, &said)
	for _, h := range said.Results {
		hits = append(hits, Hit{h.Title, h.URL, h.Content})
	}
	return hits, err
}

// wanted is what a provider's model is told. It is given nothing else of the session.
const wanted = "Search the web, and say in at most 200 words what is found, as facts with their sources. Looked for is: "

// own are the forms in which providers of models are asked to search themselves.
var own = map[string]maker{
	"messages": {ask: asks(func(model, text string) any {
		return map[string]any{"model": model, "max_tokens": 2048, "messages": []any{map[string]any{"role": "user", "content": text}},
			"tools": []any{map[string]any{"type": "web_search_20250305", "name": "web_search", "max_uses": 3}}}
	}), read: answered},
	"responses": {ask: asks(func(model, text string) any {
		return map[string]any{"model": model, "input": text, "store": false, "tools": []any{map[string]any{"type": "web_search"}}, "tool_choice": "required"}
	}), read: answered},
	"generateContent": {ask: asks(func(_, text string) any {
		return map[string]any{"contents": []any{map[string]any{"role": "user", "parts": []any{map[string]any{"text": text}}}}, "tools": []any{map[string]any{"google_search": map[string]any{}}}}
	}), read: answered},
}

// asks makes requests to a provider in its form.
func asks(body func(model, text string) any) func(e Engine, query string, most int) (*http.Request, error) {
	return func(e Engine, query string, _ int) (*http.Request, error) {
		data, _ := json.Marshal(body(e.Model, wanted+query)) // texts and numbers
		r, err := http.NewRequest(http.MethodPost, e.URL, bytes.NewReader(data))
		if err == nil {
			r.Header = e.Header.Clone()
		}
		return r, err
	}
}

// A said is a part of an answer: of Messages, of Responses, or of generateContent.
type said struct {
	Type, Text, URL, Title string
	Thought                bool
	Cited                  string `json:"cited_text"`
	Content                json.RawMessage
	Annotations, Citations []said
}

// answered reads what providers answer, whose parts do not stand in one another's way: what the model says first, then the pages.
func answered(data []byte) (hits []Hit, err error) {
	var all struct {
		Content, Output []said
		Candidates      []struct {
			Content           struct{ Parts []said }
			GroundingMetadata struct {
				GroundingChunks []struct{ Web struct{ URI, Title string } }
			}
		}
	}
	err = json.Unmarshal(data, &all)
	parts, text := lists.Concat(all.Content, all.Output), ""
	for _, c := range all.Candidates {
		parts = append(parts, c.Content.Parts...)
		for _, g := range c.GroundingMetadata.GroundingChunks {
			hits = append(hits, Hit{Title: g.Web.Title, URL: g.Web.URI})
		}
	}
	for i := 0; i < len(parts); i++ { // parts have parts
		p := parts[i]
		var within []said
		_ = json.Unmarshal(p.Content, &within) // where a search failed, it is none
		if parts = append(parts, append(append(within, p.Annotations...), p.Citations...)...); p.URL != "" {
			at := slices.IndexFunc(hits, func(h Hit) bool { return h.URL == p.URL })
			if at < 0 {
				hits, at = append(hits, Hit{Title: p.Title, URL: p.URL}), len(hits)
			}
			hits[at].Text = strings.TrimSpace(hits[at].Text + " " + p.Cited)
		} else if !p.Thought && p.Type != "reasoning" && p.Type != "summary_text" {
			text += p.Text
		}
	}
	if text != "" {
		hits = append([]Hit{{Text: text}}, hits...)
	}
	return hits, err
}

// makes is how the engine is asked.
func (e Engine) makes() (m maker, known bool) {
	if m, known = own[e.Name]; !known {
		m, known = makers[e.Name]
	}
	return m, known
}

// called is the engine as a person is told of it.
func (e Engine) called() string {
	if at, err := url.Parse(e.URL); err == nil && own[e.Name].ask != nil {
		return at.Host
	}
	return e.Name
}

// Engines are the names of those that can be asked, and of the variables that hold their keys.
//
//go:noinline
func Engines() map[string][]string {
	all := map[string][]string{}
	for name, m := range makers {
		all[name] = m.keys
	}
	return all
}

// Whole is the engine with its usual address, and whether it can be asked as it stands.
func (e Engine) Whole() (Engine, error) {
	m, known := e.makes()
	if e.URL == "" {
		e.URL = m.url
	}
	switch {
	case !known:
		return e, nebula.Errorf("there is no engine %q", e.Name)
	case e.URL == "":
		return e, nebula.Errorf("%s has no address; set web.search_url", e.Name)
	case e.Key == "" && m.keys != nil:
		return e, nebula.Errorf("%s has no key; set %s in the environment", e.Name, m.keys[0])
	}
	return e, nil
}

// mostHits bounds what is shown of a search.
const mostHits = 8

// Search asks the engine. Its key goes to its own address, and to nowhere that leads on.
func (e Engine) Search(ctx context.Context, over http.RoundTripper, query string) ([]Hit, error) {
	ctx, stop := context.WithTimeout(ctx, whole)
	defer stop()
	m, _ := e.makes()
	r, err := m.ask(e, query, mostHits)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	client := &http.Client{Transport: over, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(r.WithContext(ctx))
	if err != nil {
		return nil, nebula.Errorf("%s gives no answer: %w", r.URL.Host, cause(err))
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, largest))
	if err != nil {
		return nil, nebula.Errorf("%s gives no answer: %w", r.URL.Host, cause(err))
	}
	if resp.StatusCode != http.StatusOK {
		return nil, nebula.Errorf("%s answers %s", r.URL.Host, resp.Status)
	}
	hits, err := m.read(data)
	if err != nil {
		return nil, nebula.Errorf("%s answers what cannot be read; SearXNG has to allow the format json", r.URL.Host)
	}
	return hits[:min(len(hits), mostHits)], nil
}

// shown is a hit as a model reads it.
func (h Hit) shown() string {
	if h.URL == "" {
		return phrase.OneLine(h.Text, 2000) + "\n"
	}
	return phrase.OneLine(h.Title, 150) + "\n  " + phrase.OneLine(h.URL, 300) + "\n  " + phrase.OneLine(h.Text, 300) + "\n"
}
