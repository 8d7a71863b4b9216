package index

import (
	"cmp"
	"maps"
	"math/bits"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/sqlite"
)

// Layers are the parts of a project that a feature like the one that is asked for goes through.
type Layers struct {
	Of    string  `json:"of"`             // the word of the request that they have in common
	Like  bool    `json:"like,omitempty"` // it is not in the request: another feature of this project
	Steps []Layer `json:"steps"`
}

// A Layer is one of them with the file in it that is about the same thing.
type Layer struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	Symbol string `json:"symbol,omitempty"`
}

// String is one line, or empty when fewer than two layers were found.
func (l Layers) String() string { return l.Words().String() }

// Words are the line in words that can be said in either language.
func (l Layers) Words() nebula.Words {
	if len(l.Steps) < 2 {
		return nebula.Words{}
	}
	var parts []string
	for _, s := range l.Steps {
		text := s.Name + " " + s.Path
		if s.Symbol != "" {
			text += " (" + s.Symbol + ")"
		}
		parts = append(parts, text)
	}
	steps := strings.Join(parts, " → ")
	if l.Like {
		return nebula.Say("layers of a feature that is there, %q: %s", l.Of, steps)
	}
	return nebula.Say("layers of %q: %s", l.Of, steps)
}

// Layers gives the layers of a request from the index as it is.
func (x *Index) Layers(request string) (Layers, error) {
	x.reading.Lock()
	defer x.reading.Unlock()
	err := x.consult()
	if err == nil {
		err = x.load()
	}
	var l Layers
	if err == nil {
		l, err = x.layers(ask(request))
	}
	return l, x.doubted(err)
}

// layerNames in the order in which a change goes through them, with the words of paths that tell each.
var layerNames = []struct {
	name  string
	words map[string]bool
}{
	{"schema", set("migrations migration migrate schema schemas sql ddl prisma alembic liquibase flyway")},
	{"model", set("model models entity entities domain types dto dtos proto structs record")},
	{"store", set("store stores storage repository repositories repo repos dao daos db database persistence sqlite mapper mappers dal queries")},
	{"service", set("service services usecase usecases logic core business interactor interactors manager managers")},
	{"api", set("handler handlers controller controllers route routes router routers api apis endpoint endpoints resolver resolvers rest server http web " +
		"urls serializers serializer cmd cli command commands grpc")},
	{"client", set("client clients hook hooks reducer reducers slice slices actions viewmodel viewmodels provider providers composables context")},
	{"view", set("view views ui component components template templates page pages screen screens widget widgets html layouts partials tui")},
	{"test", set("test tests spec specs testing e2e")},
	{"docs", set("docs doc readme documentation changelog")},
}

// layerOf tells a file's layer: by its name first, then by the nearest folder, then by what kind of file it is.
func layerOf(p string) int {
	base := path.Base(p)
	ext := strings.ToLower(path.Ext(base))
	if classify(p)&isTest != 0 {
		return 7
	}
	n := layerIn(strings.TrimSuffix(base, path.Ext(base)))
	for dir := path.Dir(p); n < 0 && dir != "." && dir != "/"; dir = path.Dir(dir) {
		n = layerIn(path.Base(dir))
	}
	switch {
	case n == 6 && ext == ".py":
		return 4 // where Python answers requests
	case n >= 0:
		return n
	}
	switch ext {
	case ".sql", ".prisma":
		return 0
	case ".proto", ".graphql":
		return 1
	case ".vue", ".svelte", ".jsx", ".tsx", ".html", ".erb", ".ejs", ".hbs", ".tmpl", ".css", ".scss":
		return 6
	case ".md", ".rst":
		return 8
	}
	return -1
}

// layerIn looks for a layer's word among the parts of a name, from the last.
func layerIn(name string) int {
	var words []string
	for part := range nameParts(name) {
		words = append(words, strings.ToLower(string(part)))
	}
	for i := len(words) - 1; i >= 0; i-- {
		for n, l := range layerNames {
			if l.words[words[i]] {
				return n
			}
		}
	}
	return -1
}

// Bounds of looking for layers.
const (
	layerWords = 12
	layerFiles = 400

	similarFiles = 20_000 // that are looked at
)

// common words say what is to be done, not with what.
func common(t term) bool {
	for _, w := range [...]string{"add", "new", "make", "create", "change", "update", "remove", "delete", "fix", "show", "list", "get", "set", "file", "files",
		"code", "test", "tests", "support", "implement", "write", "read", "build", "bug", "feature", "function", "insert", "append", "model", "view", "store"} {
		if nameTerm(w) == t {
			return true
		}
	}
	return false
}

// touching are files that a word stands in the name, the path or, often, the text of.
type touching struct {
	id     int64
	weight int
	path   bool
}

// layers finds the word of a request for something new or other that goes through most layers: parts of the project are
// named after it in at least two. The reading lock is held.
func (x *Index) layers(q question) (Layers, error) {
	best, most := Layers{}, 1.0
	if !q.makes {
		return best, nil
	}
	for _, w := range q.words[:min(len(q.words), layerWords)] {
		if common(w.term) {
			continue
		}
		files, err := x.touched(w.term)
		if err != nil {
			return Layers{}, err
		}
		if len(files) < 2 || len(files) > layerFiles {
			continue
		}
		steps, score, err := x.steps(files, w.term)
		if err != nil {
			return Layers{}, err
		}
		if score *= w.weight; score > most {
			best, most = Layers{Of: w.text, Steps: steps}, score
		}
	}
	return best, nil
}

// similar gives the layers of the feature that files of most layers are named after: a new one will go the same way. The
// reading lock is held.
func (x *Index) similar() (Layers, error) {
	layersOf, text := map[term]uint{}, map[term]string{}
	err := x.reader.Query(func(r sqlite.Row) bool {
		p := r.Text(0)
		n := layerOf(p)
		if n < 0 || n >= 7 || classify(p)&(isVendored|isGenerated|isData) != 0 {
			return true
		}
		for part := range nameParts(strings.TrimSuffix(path.Base(p), path.Ext(p))) {
			w := strings.ToLower(string(part))
			if t := nameTerm(w); len(w) > 2 && layerIn(w) < 0 && !common(t) {
				layersOf[t] |= 1 << n
				text[t] = w
			}
		}
		return true
	}, "SELECT path FROM files ORDER BY path LIMIT ?", int64(similarFiles))
	best, most := term(0), 2
	for _, t := range slices.Sorted(maps.Keys(layersOf)) {
		if n := bits.OnesCount(layersOf[t]); n > most {
			best, most = t, n
		}
	}
	if err != nil || best == 0 {
		return Layers{}, err
	}
	files, err := x.touched(best)
	if err != nil {
		return Layers{}, err
	}
	steps, _, err := x.steps(files, best)
	return Layers{Of: text[best], Like: true, Steps: steps}, err
}

func (x *Index) touched(t term) ([]touching, error) {
	var files []touching
	for _, s := range x.segments {
		_, data, err := x.list(s.id, t)
		if err != nil {
			return nil, err
		}
		postings(data, func(chunk uint32, fields, times int) {
			if chunk >= uint32(len(s.chunks)) || s.files[s.chunks[chunk]].dead || s.files[s.chunks[chunk]].flags&isData != 0 {
				return
			}
			weight := min(times, 2)
			if fields&inName != 0 {
				weight += 6
			}
			if fields&inPath != 0 {
				weight += 20
			}
			id := s.id<<fileBits | int64(s.chunks[chunk])
			if n := len(files); n > 0 && files[n-1].id == id {
				files[n-1].weight += weight
				files[n-1].path = files[n-1].path || fields&inPath != 0
				return
			}
			files = append(files, touching{id, weight, fields&inPath != 0})
		})
	}
	return lists.Drop(files, func(f touching) bool { return f.weight < 4 }), nil
}

// steps puts the files of a word in the order of layers, the best of each.
func (x *Index) steps(files []touching, t term) ([]Layer, float64, error) {
	lists.Sort(files, func(a, b touching) int { return cmp.Compare(b.weight, a.weight) })
	found := make([]Layer, len(layerNames))
	score, named := 0.0, 0
	for _, f := range files {
		p, err := x.pathOf(f.id)
		if err != nil {
			return nil, 0, err
		}
		n := layerOf(p)
		if n < 0 || found[n].Path != "" {
			continue
		}
		_, _, o, err := x.outline(f.id)
		if err != nil {
			return nil, 0, err
		}
		found[n] = Layer{layerNames[n].name, p, symbolWith(o.symbols, t)}
		score++
		if f.weight >= 6 {
			score += 0.5
		}
		if n >= 7 {
			score -= 0.7 // a test or a document is no layer of its own
		} else if f.path {
			named++
		}
	}
	if named < 2 {
		return nil, 0, nil
	}
	return lists.Drop(found, func(l Layer) bool { return l.Path == "" }), score, nil
}

// symbolWith is the first definition that has a word in its name.
func symbolWith(all []Symbol, t term) string {
	var split splitter
	for _, s := range all {
		has := false
		split.terms([]byte(s.Name), func(at term) { has = has || at == t })
		if has && s.Kind != "heading" {
			return s.full()
		}
	}
	return ""
}
