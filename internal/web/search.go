package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/phrase"
)

// An Engine is who searches the internet for the person.
type Engine struct {
	Name string // one of [Engines]
	Key  string
	URL  string // of one that the person runs, or another than the usual
}

// A maker makes the request of an engine, and reads what it answers.
type maker struct {
	url  string   // the usual one; empty where each person has their own
	keys []string // the variables that hold its key
	ask  func(e Engine, query string, most int) (*http.Request, error)
	read func(data []byte) ([]Hit, error)
}

// A Hit is what an engine found.
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

// Engines are the names of those that can be asked, and of the variables that hold their keys.
func Engines() map[string][]string {
	all := map[string][]string{}
	for name, m := range makers {
		all[name] = m.keys
	}
	return all
}

// Whole is the engine with its usual address, and whether it can be asked as it stands.
func (e Engine) Whole() (Engine, error) {
	m, known := makers[e.Name]
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
	m := makers[e.Name]
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
	return phrase.OneLine(h.Title, 150) + "\n  " + phrase.OneLine(h.URL, 300) + "\n  " + phrase.OneLine(h.Text, 300) + "\n"
}
