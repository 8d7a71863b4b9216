package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"nebula/internal/lists"
	"path"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/phrase"
	"nebula/internal/workspace"

	"mvdan.cc/sh/v3/syntax"
)

type readFile struct {
	dir *workspace.Dir
	o   Options
}

// Spec implements nebula.Tool.
func (t *readFile) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "readFile", Aliases: []string{"read_file", "file_ops.read_file", "file_ops.read"},
		Description: "Read a file.",
		Params: []nebula.Param{
			param("path", "string", true, ""),
			param("offset", "integer", false, "first line"),
			param("limit", "integer", false, ""),
			param("numbers", "boolean", false, "of lines"),
		},
		Effect: nebula.Read,
	}
}

// Propose implements nebula.Tool.
func (t *readFile) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Path          string
		Offset, Limit int
		Numbers       bool
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	if in.Offset < 0 || in.Limit < 0 {
		return nebula.Proposal{}, mistake("offset and limit cannot be negative.", "Lines count from 1.")
	}
	all, err := t.stretches(in.Path, in.Offset, in.Limit)
	if err != nil {
		return nebula.Proposal{}, err
	}
	p := nebula.Proposal{Effect: nebula.Read}
	var names []string
	for _, s := range all {
		target := nebula.Target{Path: s.path, Kind: "read", Size: s.size, Was: s.size}
		if s.named != s.path {
			target.Named = s.named
		}
		p.Targets = append(p.Targets, target)
		names = append(names, led(s.named, s.path))
	}
	p.Summary = said(v.Lang, "read %s", some(lists.Compact(names), 5))
	p.Do = func(ctx context.Context, _ nebula.Run) (nebula.Result, error) {
		if len(all) > 1 {
			return t.several(ctx, all, in.Numbers, v)
		}
		return t.do(all[0], in.Numbers, v)
	}
	return p, nil
}

// How places in a file are written: a.go:10, a.go:10-20, a.go#L10-L20, and a.go (lines 10-20).
var (
	lineRange = &lazy.Pattern{X: `^(.+?)(?::|#)L?(\d{1,7})(?:[-–:,]L?(\d{1,7}))?$`}
	lineWords = &lazy.Pattern{X: `(?i)^(.+?)[\s,:]*[(\[（]?\s*(?:lines?|行)\s*(\d{1,7})(?:\s*(?:[-–~〜]|to)\s*(\d{1,7}))?\s*[)\]）]?$`}
)

// around is how many lines are read of a place that names one.
const around = 100

// splitRange parts a file and the lines of it that are meant.
func splitRange(at string) (name string, from, to int, ok bool) {
	m := lineRange.For(at).FindStringSubmatch(at)
	if m == nil {
		m = lineWords.For(at).FindStringSubmatch(at)
	}
	if m == nil {
		return "", 0, 0, false
	}
	from, to = max(count(m[2]), 1), count(m[3])
	if to < from {
		to = from + around - 1
	}
	return m[1], from, to, true
}

// file cleans a path that has to name something in the folder.
func file(d *workspace.Dir, p string) (string, error) {
	if strings.TrimSpace(p) == "" {
		return "", mistake("The path is empty.", "Give a path relative to the folder.")
	}
	return d.Clean(p)
}

func (t *readFile) do(s stretch, numbers bool, v nebula.View) (nebula.Result, error) {
	at := s.path
	data, e, err := load(t.dir, at)
	if err != nil {
		return nebula.Result{}, err
	}
	if e.Path != at {
		return nebula.Result{}, mistakef("Read it again.", "%q leads elsewhere than when it was shown.", at)
	}
	hash := nebula.Hash(data)
	style, ok := workspace.Text(data)
	ok = ok && !(nebula.IsPDF(data) && (!style.UTF8 || v.Model.Documents)) // its bytes may all be ones that texts have
	if img, err := nebula.Picture(data); !ok && err == nil && v.Model.Takes(img) == nil {
		return nebula.Result{
			Text:    worded(v.Lang, "%s is shown: %s, %s.", at, img.Type, phrase.Bytes(e.Size)),
			Summary: said(v.Lang, "%s: %s, %s", at, kind(v.Lang, data, style), phrase.Bytes(e.Size)),
			Images:  []nebula.Image{img},
		}, nil
	}
	if !ok {
		return nebula.Result{
			Text:    worded(v.Lang, "%s is not text: %s, %s. Its bytes are not shown.%s", at, kind(v.Lang, data, style), phrase.Bytes(e.Size), shows(v.Lang, at, data)),
			Summary: said(v.Lang, "%s: %s, %s", at, kind(v.Lang, data, style), phrase.Bytes(e.Size)),
		}, nil
	}
	p := t.page(split(data), s, numbers, v.Lang)
	if p.total > 0 && s.offset > p.total {
		return nebula.Result{}, mistakef("Give a smaller offset.", "%q ends at line %d.", at, p.total)
	}
	r := nebula.Result{Text: p.text + p.note(data, style, v.Lang), Summary: said(v.Lang, "%s: %s", at, amount(v.Lang, p.to-p.from+1, "line|lines"))}
	if p.total == 0 {
		r.Text, r.Summary = phrase.In(v.Lang, "(the file is empty)"), said(v.Lang, "%s: empty", at)
	} else if p.from > 1 || p.to < p.total {
		r.Summary = said(v.Lang, "%s: lines %d-%d of %d", at, p.from, p.to, p.total)
	}
	if !p.clipped {
		r.Seen = []nebula.FileRef{ref(v, e.Path, hash, p)}
	}
	return r, nil
}

// load reads a file whole, as it stands in the person's editor; a huge one is a mistake that says what else can be done.
func load(d *workspace.Dir, at string) ([]byte, workspace.Entry, error) {
	data, e, err := d.Shown(at, largest)
	if m := (*nebula.Mistake)(nil); e.Size > largest && errors.As(err, &m) {
		err = mistakef("Use searchInDirectory, or a command such as sed -n 1,100p.", "%q has %s, too much to read whole.", at, phrase.Bytes(e.Size))
	}
	return data, e, err
}

// A page is a run of a file's lines.
type page struct {
	text            string
	from, to, total int
	clipped         bool // a line is too long to be shown whole
}

// longest is how many bytes of a line are shown.
const longest = 4000

// split cuts a text into lines; a last one without an ending counts.
func split(data []byte) [][]byte {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) == 0 {
		return nil
	}
	sep := []byte("\n")
	if !bytes.Contains(data, sep) && bytes.Contains(data, []byte("\r")) {
		sep = []byte("\r")
	}
	return bytes.Split(bytes.TrimSuffix(data, sep), sep)
}

func (t *readFile) page(lines [][]byte, s stretch, numbers bool, lang string) page {
	offset, limit := s.offset, s.limit
	p := page{from: offset, to: offset - 1, total: len(lines)}
	if limit == 0 || limit > t.o.Lines {
		limit = t.o.Lines
	}
	whole := 0
	for _, l := range lines {
		whole += len(l) + 1
	}
	budget := t.o.Bytes
	if whole <= budget+budget/4 {
		budget = whole // a small rest is not worth another look
	}
	var b strings.Builder
	for i := offset - 1; i < len(lines) && i < offset-1+limit; i++ {
		line := strings.ToValidUTF8(string(bytes.TrimSuffix(lines[i], []byte("\r"))), "�")
		if len(line) > max(longest, budget/4) {
			line = clip(line, longest) + worded(lang, "[line cut: it has %s]", phrase.Bytes(int64(len(lines[i]))))
			p.clipped = true
		}
		if b.Len()+len(line) > budget && b.Len() > 0 {
			break
		}
		if numbers {
			fmt.Fprintf(&b, "%d\t", i+1)
		}
		b.WriteString(line)
		b.WriteByte('\n')
		p.to = i + 1
	}
	p.text = b.String()
	return p
}

// note says what the text does not show of the file: other lines, and how it is written down.
func (p page) note(data []byte, s workspace.Style, lang string) string {
	var notes []string
	if p.to < p.total {
		notes = append(notes, worded(lang, "lines %d-%d of %d; the rest: offset %d", p.from, p.to, p.total, p.to+1))
	} else if p.from > 1 {
		notes = append(notes, worded(lang, "lines %d-%d of %d", p.from, p.to, p.total))
	}
	if p.clipped {
		notes = append(notes, phrase.In(lang, "see long lines with a command such as cut -c"))
	}
	if s.Ending == "\r\n" {
		notes = append(notes, phrase.In(lang, "CRLF line endings, which edits keep"))
	}
	if !s.UTF8 {
		notes = append(notes, phrase.In(lang, "not UTF-8: some characters are not shown as they are"))
	}
	if p.to == p.total && !s.Final && len(data) > 0 {
		notes = append(notes, phrase.In(lang, "no line ending at the end"))
	}
	if len(notes) == 0 {
		return ""
	}
	return "[" + strings.Join(notes, "; ") + "]"
}

// ref is what the session knows of a file after a page of it was shown, with what it knew before.
func ref(v nebula.View, p, hash string, shown page) nebula.FileRef {
	r := nebula.FileRef{Path: p, Hash: hash}
	lines := [][2]int{{shown.from, shown.to}}
	if v.Ref != nil {
		if old, ok := v.Ref(p); ok && old.Hash == hash {
			if len(old.Lines) == 0 {
				return r
			}
			lines = append(lines, old.Lines...)
		}
	}
	if lines = joined(lines); len(lines) == 1 && lines[0][0] <= 1 && lines[0][1] >= shown.total {
		return r
	}
	r.Lines = lines
	return r
}

// kind names what a content that is no text seems to be.
func kind(lang string, data []byte, s workspace.Style) string {
	if s.Encoding != "" {
		return said(lang, "text in %s", strings.ToUpper(s.Encoding))
	}
	for _, m := range magic {
		if bytes.HasPrefix(data, []byte(m.head)) {
			return said(lang, m.en)
		}
	}
	return said(lang, "binary data")
}

// magic are the beginnings of files that are no text, what they are, and what shows what is in them, for a model to try.
var magic = []struct{ head, en, shows string }{
	{"\x89PNG", "a PNG image", ""}, {"\xff\xd8\xff", "a JPEG image", ""}, {"GIF8", "a GIF image", ""}, {"RIFF", "a RIFF file (WebP, WAV or AVI)", ""},
	{"%PDF", "a PDF document", "pdftotext -layout %[1]s -` shows its text, and `pdftoppm -png -r 80 -f 1 -l 1 %[1]s page` makes its page 1 a picture, which readFile shows"},
	{"PK\x03\x04", "a ZIP archive (also jar, docx, xlsx)", "unzip -l %[1]s` shows what is in it"}, {"\x1f\x8b", "gzip data", "gzip -dc %[1]s | head -c 4000` shows its beginning"},
	{"BZh", "bzip2 data", "bzip2 -dc %[1]s | head -c 4000` shows its beginning"}, {"\xfd7zXZ", "xz data", "xz -dc %[1]s | head -c 4000` shows its beginning"},
	{"\x28\xb5\x2f\xfd", "zstd data", "zstd -dc %[1]s | head -c 4000` shows its beginning"},
	{"\x7fELF", "an ELF program", ""}, {"MZ", "a Windows program", ""},
	{"\xcf\xfa\xed\xfe", "a macOS program", ""}, {"\xca\xfe\xba\xbe", "a Java class or macOS program", ""},
	{"\x00asm", "a WebAssembly module", ""}, {"SQLite format 3", "an SQLite database", "sqlite3 -readonly %[1]s .schema` shows its tables"},
	{"\x00\x00\x01\x00", "an icon", ""}, {"OggS", "Ogg audio", ""}, {"ID3", "MP3 audio", ""},
}

// shows is the command that would show what is in a file that is no text, "" where none is known.
func shows(lang, at string, data []byte) string {
	for _, m := range magic {
		if m.shows != "" && bytes.HasPrefix(data, []byte(m.head)) {
			name, _ := syntax.Quote(at, syntax.LangBash) // a path holds no zero byte
			return worded(lang, " Where the program is installed, %s.", fmt.Sprintf("`"+m.shows, name))
		}
	}
	return ""
}

// missing are the directories that have to be made for a directory to be there, the topmost first.
func missing(d *workspace.Dir, dir string) (list []nebula.Target, err error) {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, err := d.Stat(dir); !absent(err) {
			return list, err
		}
		list = lists.Insert(list, 0, nebula.Target{Path: dir, Kind: "mkdir"})
	}
	return list, nil
}
