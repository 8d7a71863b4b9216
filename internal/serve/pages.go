package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/page"
	"nebula/internal/phrase"
)

// A leaf is one thing that a browser can ask of the site.
type leaf struct {
	method, path string
	open         bool // without the cookie
	do           func(w *site, rw http.ResponseWriter, r *http.Request) error
}

// leaves are all of them.
func leaves() []leaf {
	return []leaf{
		{method: "GET", path: "/open", open: true, do: (*site).open},
		{method: "GET", path: "/{$}", do: (*site).list},
		{method: "GET", path: "/page.js", do: file("text/javascript", "page.js")},
		{method: "GET", path: "/page.css", do: file("text/css", "page.css")},
		{method: "GET", path: "/icon.svg", do: file("image/svg+xml", "icon.svg")},
		{method: "GET", path: "/session/{id}", do: (*site).session},
		{method: "GET", path: "/live/{id}", do: (*site).live},
		{method: "GET", path: "/search", do: (*site).search},
		{method: "GET", path: "/audit/{id}", do: (*site).audit},
		{method: "GET", path: "/costs", do: (*site).costs},
		{method: "POST", path: "/begin", do: (*site).begin},
		{method: "POST", path: "/view/{view}/say", do: asks((*viewer).say)},
		{method: "POST", path: "/view/{view}/stop", do: asks((*viewer).stop)},
		{method: "POST", path: "/view/{view}/answer", do: asks((*viewer).answer)},
		{method: "POST", path: "/view/{view}/direct", do: asks((*viewer).direct)},
		{method: "POST", path: "/view/{view}/older", do: asks((*viewer).older)},
	}
}

// longestAsked is how long a request of a browser may be, and slowest how long it may take to come and to be answered.
const (
	longestAsked = 1 << 20
	slowest      = 30 * time.Second
)

// handler answers browsers. What holds for all that they ask stands here, and nowhere else.
func (w *site) handler() http.Handler {
	mux := http.NewServeMux()
	for _, l := range leaves() {
		mux.HandleFunc(l.method+" "+w.frame.Base+l.path, func(rw http.ResponseWriter, r *http.Request) {
			w.answer(rw, r, w.allowed(r, l.open), l.do)
		})
	}
	mux.HandleFunc("/", func(rw http.ResponseWriter, r *http.Request) { // what there is nobody learns who did not come by a link
		w.answer(rw, r, w.allowed(r, false), func(*site, http.ResponseWriter, *http.Request) error {
			return refusal(http.StatusNotFound, "there is nothing at %s %s", r.Method, r.URL.Path)
		})
	})
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		for name, value := range heads {
			rw.Header().Set(name, value)
		}
		limits := http.NewResponseController(rw)
		_ = limits.SetReadDeadline(time.Now().Add(slowest)) // the connections of this server can do that
		_ = limits.SetWriteDeadline(time.Now().Add(slowest))
		r.Body = http.MaxBytesReader(rw, r.Body, longestAsked)
		mux.ServeHTTP(rw, r)
	})
}

// heads stand above every answer.
var heads = map[string]string{
	"Content-Security-Policy":      page.Policy,
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Cache-Control":                "no-store",
}

// allowed says why a request is not answered; nil where it is. A link may be followed from anywhere: it opens nothing twice.
func (w *site) allowed(r *http.Request, open bool) error {
	if open {
		r.Header.Del("Sec-Fetch-Site")
	}
	if err := foreign(r); err != nil {
		return err
	}
	if !open && !w.known(r) {
		return errStranger
	}
	return nil
}

func (w *site) answer(rw http.ResponseWriter, r *http.Request, err error, do func(*site, http.ResponseWriter, *http.Request) error) {
	if err == nil {
		err = do(w, rw, r)
	}
	if err == nil {
		return
	}
	status := http.StatusInternalServerError
	if told, ok := errors.AsType[refused](err); ok {
		status, err = told.status, told.error
	}
	switch {
	case errors.Is(err, nebula.ErrNoSession):
		status = http.StatusNotFound
	case errors.Is(err, nebula.ErrInUse):
		status = http.StatusConflict
	case errors.Is(err, errOver):
		status = http.StatusServiceUnavailable
	}
	says := w.server.Say(err)
	if r.Method == http.MethodGet {
		show(rw, status, w.frame.Problem(says))
		return
	}
	tell(rw, status, Problem{says})
}

func show(rw http.ResponseWriter, status int, html string) {
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.WriteHeader(status)
	_, _ = io.WriteString(rw, html) // who went away is not told
}

func tell(rw http.ResponseWriter, status int, v any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(v)
}

func file(kind, name string) func(*site, http.ResponseWriter, *http.Request) error {
	return func(_ *site, rw http.ResponseWriter, _ *http.Request) error {
		rw.Header().Set("Content-Type", kind+"; charset=utf-8")
		_, _ = io.WriteString(rw, page.File(name))
		return nil
	}
}

// list is the page of all folders, with the plans of the one that was asked for.
func (w *site) list(rw http.ResponseWriter, r *http.Request) error {
	h, dir := w.server.Hub, r.FormValue("dir")
	all, err := w.server.All(r.Context())
	if err != nil {
		return err
	}
	open, err := h.Sessions()
	if err != nil {
		return err
	}
	standing := map[string]OpenSession{}
	for _, o := range open {
		standing[o.ID] = o
	}
	listed := make([]page.Listed, len(all))
	for i, s := range all {
		o, is := standing[s.ID]
		listed[i] = page.Listed{SessionInfo: s, Busy: o.Busy || o.Behind, Waits: o.Waits, Open: is}
	}
	places := page.Places(listed, dir)
	if dir != "" {
		host, leave, err := w.server.host(dir)
		if err != nil {
			return err
		}
		defer leave()
		if places[0].Plans, err = host.Plans(r.Context()); err != nil {
			return err
		}
	}
	show(rw, http.StatusOK, w.frame.List(places, time.Now()))
	return nil
}

// search is the page of what was said and done in all sessions.
func (w *site) search(rw http.ResponseWriter, r *http.Request) error {
	words, hits := r.FormValue("words"), []page.Hit(nil)
	if strings.TrimSpace(words) != "" {
		var err error
		if hits, err = w.server.Search(r.Context(), words); err != nil {
			return err
		}
	}
	show(rw, http.StatusOK, w.frame.Search(words, hits, time.Now()))
	return nil
}

// audit is the page of a session's actions, each with who asked for it and on whose word it was done.
func (w *site) audit(rw http.ResponseWriter, r *http.Request) error {
	a, err := w.server.Audit(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	show(rw, http.StatusOK, w.frame.Audit(r.PathValue("id"), r.FormValue("dir"), a))
	return nil
}

// costs is the page of what was spent in the last days.
func (w *site) costs(rw http.ResponseWriter, r *http.Request) error {
	now := time.Now()
	spent, err := w.server.Spent(r.Context(), page.Since(now))
	if err != nil {
		return err
	}
	show(rw, http.StatusOK, w.frame.Costs(spent, now))
	return nil
}

// session is the page of a session. What is in it comes as it is asked for, and it is opened then: the page is there at once.
func (w *site) session(rw http.ResponseWriter, r *http.Request) error {
	host, leave, err := w.server.host(r.FormValue("dir"))
	if err != nil {
		return err
	}
	defer leave()
	id, title := r.PathValue("id"), phrase.OneLine(r.FormValue("dir"), 0)
	list, err := host.Sessions(r.Context(), "")
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(list, func(s nebula.SessionInfo) bool { return s.ID == id }); i >= 0 {
		title = cmp.Or(list[i].Title, title)
	} else if err := host.(*shared).belongs(id); err != nil { // one in which nothing was said yet is in no list
		return err
	}
	show(rw, http.StatusOK, w.frame.Session(id, r.FormValue("dir"), title))
	return nil
}

// begin begins a session.
func (w *site) begin(rw http.ResponseWriter, r *http.Request) error {
	var in Begin
	if err := read(r, &in); err != nil {
		return err
	}
	host, leave, err := w.server.host(in.Dir)
	if err != nil {
		return err
	}
	defer leave()
	id, _, err := host.(*shared).enter("")
	if err == nil {
		tell(rw, http.StatusOK, Begun{id})
	}
	return err
}

// said is a message from a page. One of a name is taken in once.
type said struct {
	Text  string `json:"text"`
	Name  string `json:"name"`
	Meant bool   `json:"meant,omitempty"` // as a message, also while something waits for an answer
}

// say sends a message, or the command that stands in its place; what a command shows is told.
func (v *viewer) say(rw http.ResponseWriter, r *http.Request) error {
	var in said
	if err := read(r, &in); err != nil {
		return err
	}
	other, shown, err := v.commanded(r.Context(), in.Text)
	if err != nil {
		return err
	}
	if shown != "" {
		tell(rw, http.StatusOK, saying{shown})
		return nil
	}
	if other != nil {
		return v.send(rw, r, in.Name, other, "")
	}
	var held *page.Held
	if err := v.ask(r.Context(), func() { held, shown = v.view.Said(in.Text) }); err != nil {
		return err
	}
	if held != nil && !in.Meant {
		tell(rw, http.StatusConflict, held)
		return nil
	}
	return v.send(rw, r, in.Name, nebula.Submit{Text: in.Text}, shown)
}

// A saying is what a command shows.
type saying struct {
	Says string `json:"says"`
}

// commanded is what a message sends that is a command, or what is shown in its place; neither for a message.
func (v *viewer) commanded(ctx context.Context, text string) (nebula.Command, string, error) {
	name, args, ok := command.Read(text)
	if !ok || !command.Slashed(text) && name != "!" {
		return nil, "", nil
	}
	if own, err := v.host.Commands(ctx); err == nil && command.Own(own, name) {
		return nil, "", nil // the session knows what it says
	}
	lang := v.site.frame.Lang
	row, known := command.Find(name)
	if !known {
		return nil, "", refusal(http.StatusBadRequest, "there is no command %s", "/"+name)
	}
	c, fits := row.Sends(args, lang)
	switch {
	case c != nil && fits:
		if d, ok := c.(nebula.Direct); ok && (d.Do == nebula.RunPlan || d.Do == nebula.ApprovePlan) {
			return nil, phrase.In(lang, "The page shows the plan, and buttons beside it let it begin and go on."), nil
		}
		return c, "", nil
	case row.Name == "status":
		said, err := v.host.Status(ctx, v.id)
		return nil, said, err
	}
	return nil, row.Title() + " " + row.Text(lang).Takes + ": " + row.Text(lang).About, nil
}

func (v *viewer) send(rw http.ResponseWriter, r *http.Request, name string, c nebula.Command, says string) error {
	if err := v.talk.SendOnce(r.Context(), name, c); err != nil {
		if errors.Is(err, errOver) {
			return err
		}
		return refused{http.StatusConflict, err}
	}
	tell(rw, http.StatusOK, saying{says})
	return nil
}

func (v *viewer) stop(rw http.ResponseWriter, r *http.Request) error {
	return v.send(rw, r, "", nebula.Cancel{}, "")
}

// answer gives an answer, where all was on the screen that a yes needs.
func (v *viewer) answer(rw http.ResponseWriter, r *http.Request) error {
	var in page.Given
	if err := read(r, &in); err != nil {
		return err
	}
	var c nebula.Command
	var held *page.Held
	if err := v.ask(r.Context(), func() { c, held = v.view.Decide(in) }); err != nil {
		return err
	}
	if held != nil {
		tell(rw, http.StatusConflict, held)
		return nil
	}
	return v.send(rw, r, "", c, "")
}

// direct says how a plan goes on.
func (v *viewer) direct(rw http.ResponseWriter, r *http.Request) error {
	var in struct {
		Do   nebula.Direction `json:"do"`
		Plan string           `json:"plan"`
	}
	if err := read(r, &in); err != nil {
		return err
	}
	var c nebula.Command
	if err := v.ask(r.Context(), func() { c = v.view.Direct(in.Do, in.Plan) }); err != nil {
		return err
	}
	if c == nil {
		return refusal(http.StatusConflict, "the plan does not stand as the page showed it")
	}
	return v.send(rw, r, "", c, "")
}

// older has older rows sent.
func (v *viewer) older(rw http.ResponseWriter, r *http.Request) error {
	if err := v.ask(r.Context(), func() { v.put(v.view.Older()) }); err != nil {
		return err
	}
	tell(rw, http.StatusOK, struct{}{})
	return nil
}
