package cli

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/config"
	"nebula/internal/headless"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// pages are the folder of the book, whose first page lists the others.
var pages = filepath.Join("..", "..", "docs")

// made is a part of a page that the program writes: its name, and all up to its end.
var made = regexp.MustCompile(`(?s)(<!-- made: (\w+) -->\n).*?(<!-- /made -->\n)`)

// The tables of the book are what the program itself says.
func TestFiguresOfTheBookAreTheProgramsOwn(t *testing.T) {
	found := map[string]bool{}
	for name, page := range book(t) {
		lang, in := "en", tongue(nil)
		if strings.HasSuffix(name, ".ja.md") {
			lang, in = "ja", tongue(phrase.Table("ja"))
		}
		now := made.ReplaceAllStringFunc(page, func(part string) string {
			m := made.FindStringSubmatch(part)
			write := tables[m[2]]
			if write == nil {
				t.Errorf("%s has a part %q, which nothing makes", name, m[2])
				return part
			}
			found[m[2]+" "+lang] = true
			return m[1] + write(lang, in) + m[3]
		})
		switch {
		case now == page:
		case !*updateTranscripts:
			t.Errorf("docs/%s has tables that the program writes otherwise; write them anew with -update", name)
		default:
			if err := os.WriteFile(filepath.Join(pages, name), []byte(now), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	for name := range tables {
		for _, lang := range phrase.Langs() {
			if !found[name+" "+lang] {
				t.Errorf("no page in %s has the table %q", lang, name)
			}
		}
	}
}

// tables are the parts that the program writes, by their names on the pages.
var tables = map[string]func(lang string, t tongue) string{
	"settings": settingsTable, "exits": exitsTable, "typed": typedTable, "steps": stepsTable, "limits": limitsTable, "vitals": vitalsTable,
}

// row is a line of a table.
func row(cells ...string) string {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "|", `\|`)
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// headed is the head of a table, in one of two languages.
func headed(lang, english, other string) string {
	cells := strings.Split(english, "|")
	if lang != "en" {
		cells = strings.Split(other, "|")
	}
	return row(cells...) + "|" + strings.Repeat("---|", len(cells)) + "\n"
}

func coded(words ...string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, "`"+w+"`")
		}
	}
	return strings.Join(out, ", ")
}

func settingsTable(lang string, t tongue) string {
	var b strings.Builder
	b.WriteString(headed(lang, "setting|what it is|its value|when not set|also set by", "設定|意味|値|設定しないとき|ほかの設定方法"))
	for s := range config.Settings() {
		value, flag := t.say(string(s.Kind)), s.Flag
		if len(s.Choices) > 0 {
			value = coded(s.Choices...)
		}
		if flag != "" {
			flag = "--" + flag
		}
		b.WriteString(row(coded(s.Name), t.say(s.Help), value, coded(s.Default), coded(flag, s.Env)))
	}
	return b.String()
}

// exits are the codes that are part of the interface, with what each means.
var exits = []struct {
	code              int
	english, japanese string
}{
	{0, "done (also when unchecked)", "完了（正しさが未検証の場合も）"}, {exitFailed, "failed", "失敗"}, {exitMissing, "an approval or answer is missing", "許可または回答がない"},
	{exitAPI, "the model's API failed", "モデルの API の失敗"}, {exitRecord, "something could not be recorded or is damaged", "記録できない、または壊れている"},
	{exitLimit, "a limit was reached", "上限に達した"}, {exitUsage, "wrong usage", "使い方の誤り"},
}

func exitsTable(lang string, _ tongue) string {
	var b strings.Builder
	b.WriteString(headed(lang, "code|means", "コード|意味"))
	for _, e := range exits {
		means := e.english
		if lang != "en" {
			means = e.japanese
		}
		b.WriteString(row(fmt.Sprint(e.code), means))
	}
	means := "ended by signal n"
	if lang != "en" {
		means = "シグナル n で終了"
	}
	b.WriteString(row(fmt.Sprintf("%d+n", exitSignal), means))
	return b.String()
}

func typedTable(lang string, _ tongue) string {
	var b strings.Builder
	b.WriteString(headed(lang, "type|to|known also as|in a shell", "入力|働き|ほかの名前|シェルでは"))
	for _, r := range command.Rows {
		text := r.Text(lang)
		typed := r.Title()
		if text.Takes != "" {
			typed = strings.TrimPrefix(typed, "!") + " " + text.Takes
			if r.Title() == "!" {
				typed = "!" + text.Takes
			}
		}
		var also []string
		for _, a := range r.Also {
			also = append(also, "/"+a)
		}
		b.WriteString(row(coded(typed), text.About, coded(also...), coded(strings.Split(r.Shell, ", ")...)))
	}
	return b.String()
}

func stepsTable(lang string, _ tongue) string {
	var b strings.Builder
	b.WriteString(headed(lang, "from|may go to", "段階|進める先"))
	for _, from := range state.Steps {
		var to []string
		for _, step := range state.DefaultTable()[from] {
			to = append(to, string(step))
		}
		b.WriteString(row(coded(string(from)), coded(to...)))
	}
	return b.String()
}

func limitsTable(lang string, _ tongue) string {
	var b strings.Builder
	b.WriteString(headed(lang, "item|holds at most", "項目|上限"))
	line, list := "%[2]d characters", "%[1]d entries of %[2]d characters"
	if lang != "en" {
		line, list = "%[2]d 文字", "%[1]d 件、1 件 %[2]d 文字"
	}
	for _, item := range []struct {
		name      string
		most, per int
	}{
		{"goal", 0, state.LineLimit}, {"why_now", 0, state.LineLimit}, {"constraints", state.Constraints, state.EntryLimit}, {"plan_brief", state.PlanSteps, state.EntryLimit},
		{"open_questions", state.OpenQuestions, state.EntryLimit}, {"context_refs", state.ContextRefs, state.EntryLimit}, {"decision_log", state.DecisionLog, state.EntryLimit}, {"last_delta", 0, state.LineLimit},
	} {
		format := list
		if item.most == 0 {
			format = line
		}
		b.WriteString(row(coded(item.name), fmt.Sprintf(format, item.most, item.per)))
	}
	return b.String()
}

func vitalsTable(lang string, t tongue) string {
	var b strings.Builder
	b.WriteString(headed(lang, "setting|when not set|what it does", "設定|設定しないとき|働き"))
	for s := range config.Settings() {
		if strings.HasPrefix(s.Name, "vitals.") || s.Name == "limits.repeats" || s.Name == "limits.retries" {
			b.WriteString(row(coded(s.Name), s.Default, t.say(s.Help)))
		}
	}
	return b.String()
}

// The codes of the book are those that the help tells.
func TestFiguresOfTheExitCodesAreInTheHelp(t *testing.T) {
	run, _, err := bookTree().Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	help := strings.Join(strings.Fields(run.Long), " ")
	for _, e := range exits {
		if want := fmt.Sprintf("%d %s", e.code, e.english); !strings.Contains(help, want) {
			t.Errorf("the help of nebula run does not say %q", want)
		}
	}
}

// A turn's end has the code that its name says.
func TestFiguresOfTheExitCodesAreThoseOfTurns(t *testing.T) {
	for status, code := range map[nebula.EndStatus]int{
		nebula.TurnDone: 0, nebula.TurnFailed: exitFailed, nebula.NeedsApproval: exitMissing, nebula.NeedsInput: exitMissing,
		nebula.APIFailed: exitAPI, nebula.LimitReached: exitLimit, nebula.Cancelled: exitSignal + interrupted,
	} {
		if got := headless.Code(status); got != code {
			t.Errorf("a turn that ends as %s ends with %d, not with %d", status, got, code)
		}
	}
}

// book is every page of docs that people read, by its name there, and the two of the root.
func book(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(pages, "*.md"))
	if err != nil || len(names) < 20 {
		t.Fatalf("%d pages: %v", len(names), err)
	}
	found := map[string]string{}
	for _, name := range append(names, filepath.Join(pages, "..", "README.md"), filepath.Join(pages, "..", "README.ja.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := filepath.Rel(pages, name)
		found[filepath.ToSlash(at)] = string(text)
	}
	return found
}

func bookTree() *cobra.Command {
	root := (&program{env: func(string) string { return "" }}).root()
	root.InitDefaultHelpFlag()
	return root
}

var (
	fence       = regexp.MustCompile("(?ms)^```.*?^```")
	span        = regexp.MustCompile("``(.+?)``|`([^`\n]+)`")
	link        = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	commandLine = regexp.MustCompile(`(?:^|[;&|(] *)nebula((?: +[^\s|;&<>#()]+|\|[a-z]+\b)*)`)
	quoted      = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	dotted      = regexp.MustCompile(`^[a-z_]+\.[\w.*-]*[\w*]$`)
	parent      = regexp.MustCompile(`NEBULA_[A-Z_]+`)
	lower       = regexp.MustCompile(`^[a-z]+$`)
)

// codes are the lines of code of a page. In a table's first column of the page for people who come from elsewhere stands what other programs
// have.
func codes(name, page string) (lines []string) {
	for _, block := range fence.FindAllString(page, -1) {
		body := strings.Split(block, "\n")
		if head := body[0]; head == "```" || head == "```sh" {
			lines = append(lines, body[1:len(body)-1]...)
		}
	}
	for line := range strings.Lines(fence.ReplaceAllString(page, "")) {
		if strings.HasPrefix(name, "coming-from.") && strings.HasPrefix(line, "|") {
			_, line, _ = strings.Cut(strings.ReplaceAll(line, `\|`, "¦")[1:], "|")
		}
		for _, m := range span.FindAllStringSubmatch(strings.NewReplacer(`\|`, "|", "¦", "|").Replace(line), -1) {
			lines = append(lines, strings.TrimSpace(m[1]+m[2]))
		}
	}
	return lines
}

// The pages name no command, flag, word or setting that there is not.
func TestTheBookNamesWhatThereIs(t *testing.T) {
	root := bookTree()
	known := flags(root)
	variables := map[string]bool{"NEBULA_HOME": true, "NEBULA_PROJECT_DIR": true, "NEBULA_GRAPHICS": true}
	for s := range config.Settings() {
		variables[s.Env] = true
	}
	calls := 0
	for name, page := range book(t) {
		wrong := func(line, what string) { t.Errorf("docs/%s: %s: %s", name, line, what) }
		for _, line := range codes(name, page) {
			for _, m := range commandLine.FindAllStringSubmatch(quoted.ReplaceAllString(line, "WORDS"), -1) {
				calls++
				if what := unknown(root, strings.Fields(strings.ReplaceAll(m[1], "|", " |"))); what != "" {
					wrong(line, what)
				}
			}
			if first := strings.Fields(line); len(first) > 0 && len(first[0]) > 2 && strings.HasPrefix(first[0], "--") && !known[strings.TrimLeft(cut(first[0], "="), "-")] {
				wrong(line, "no command has that flag")
			}
			if what := unknownWordOf(line); what != "" {
				wrong(line, what)
			}
			for _, v := range parent.FindAllString(line, -1) {
				if !variables[v] {
					wrong(line, "no such variable")
				}
			}
		}
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			if _, err := os.Stat(filepath.Join(pages, filepath.FromSlash(path.Join(path.Dir(name), m[1])))); err != nil {
				wrong(m[1], "there is no such file")
			}
		}
	}
	if calls < 100 {
		t.Errorf("only %d commands were found", calls)
	}
}

// cut is what stands before a mark.
func cut(text, mark string) string {
	before, _, _ := strings.Cut(text, mark)
	return before
}

// flags are the flags of all commands.
func flags(c *cobra.Command) map[string]bool {
	all := map[string]bool{"help": true}
	see := func(f *pflag.Flag) { all[f.Name] = true }
	c.Flags().VisitAll(see)
	c.PersistentFlags().VisitAll(see)
	for _, sub := range c.Commands() {
		for name := range flags(sub) {
			all[name] = true
		}
	}
	return all
}

// unknown says what of a command line below nebula there is not; empty where there is everything.
func unknown(c *cobra.Command, words []string) string {
	group, named := c, false
	for i, word := range words {
		alternative := strings.HasPrefix(word, "|")
		if alternative && !named {
			continue // what a flag takes
		}
		named = alternative
		word = strings.Trim(word, `|,.;:"'`)
		switch {
		case word == "--" || strings.HasPrefix(word, "--[") || strings.HasPrefix(word, "-- "):
			return ""
		case strings.HasPrefix(word, "--"):
			name := strings.Trim(cut(cut(word[2:], "="), "]"), "`")
			if c.Flags().Lookup(name) == nil && c.InheritedFlags().Lookup(name) == nil && name != "help" {
				return fmt.Sprintf("%s has no flag --%s", c.CommandPath(), name)
			}
		case len(word) == 2 && word[0] == '-' && word[1] != '-':
			if c.Flags().ShorthandLookup(word[1:]) == nil && c.InheritedFlags().ShorthandLookup(word[1:]) == nil && word != "-h" {
				return fmt.Sprintf("%s has no flag %s", c.CommandPath(), word)
			}
		case !lower.MatchString(word) || i > 0 && strings.HasPrefix(words[i-1], "-") && !alternative:
		case alternative:
			if sub(group, word) == nil && group.HasSubCommands() {
				return fmt.Sprintf("%s has no command %s", group.CommandPath(), word)
			}
		case c.HasSubCommands():
			next := sub(c, word)
			if next == nil {
				return fmt.Sprintf("%s has no command %s", c.CommandPath(), word)
			}
			group, c, named = c, next, true
		}
		if c.Name() == "set" && i > 0 && words[i-1] == "set" {
			if _, _, err := config.Find(starred(word)); err != nil && word != "KEY" && word != "キー" {
				return err.Error()
			}
		}
	}
	return ""
}

func sub(c *cobra.Command, name string) *cobra.Command {
	at := slices.IndexFunc(c.Commands(), func(s *cobra.Command) bool { return s.Name() == name })
	if at < 0 {
		return nil
	}
	return c.Commands()[at]
}

// starred is a setting's name as the table has it, where a page says NAME for any name.
func starred(key string) string {
	return strings.NewReplacer(".NAME.", ".name.", ".名前.", ".name.", ".*.", ".name.").Replace(key)
}

// unknownWordOf says what of a piece of code would be a word that people type, or a setting, and is none.
func unknownWordOf(code string) string {
	word := cut(code, " ")
	if name, ok := strings.CutPrefix(word, "/"); ok && lower.MatchString(name) && !slices.Contains([]string{"tmp", "run", "commit", "bin", "v1"}, name) {
		if _, known := command.Find(name); !known {
			return "nothing is typed so"
		}
	}
	if !dotted.MatchString(code) || slices.Contains([]string{".md", ".json", ".jsonl", ".go", ".py", ".db", ".js", ".sh", ".toml", ".yml", ".yaml", ".txt", ".mod", ".html"}, path.Ext(code)) {
		return ""
	}
	section := cut(code, ".")
	for s := range config.Settings() {
		if cut(s.Name, ".") == section && strings.Contains(s.Name, ".") {
			if _, _, err := config.Find(starred(code)); err != nil {
				return err.Error()
			}
			return ""
		}
	}
	return ""
}

// Each page of the book is there in both languages, says as much in both, and stands in the table of contents.
func TestTheBookIsTheSameInBothLanguages(t *testing.T) {
	all := book(t)
	shape := func(page string) []int {
		n := []int{strings.Count(page, "\n## "), strings.Count(page, "\n### "), len(fence.FindAllString(page, -1)), len(made.FindAllString(page, -1))}
		rows := 0
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, "|") {
				rows++
			}
		}
		return append(n, rows)
	}
	for _, name := range []string{"README", "first-hour", "gate", "plans", "model-of-work", "settings", "scripting", "security", "troubleshooting", "coming-from"} {
		english, other := all[name+".md"], all[name+".ja.md"]
		if english == "" || other == "" {
			t.Errorf("%s is not there in both languages", name)
			continue
		}
		if a, b := shape(english), shape(other); !slices.Equal(a, b) {
			t.Errorf("%s has %v headings, blocks, tables and rows in English and %v in Japanese", name, a, b)
		}
		if !strings.Contains(english, "("+name+".ja.md)") || !strings.Contains(other, "("+name+".md)") {
			t.Errorf("%s does not lead from one language to the other", name)
		}
	}
	for name := range all {
		contents := "README.md"
		if strings.HasSuffix(name, ".ja.md") {
			contents = "README.ja.md"
		}
		if path.Base(name) != contents && !strings.Contains(all[contents], "("+name+")") {
			t.Errorf("docs/%s does not list docs/%s", contents, name)
		}
	}
}

// What the page on trouble says that nebula says, it says: the sentences in the first column are those of the tables, with … for what changes.
func TestTheBookQuotesWhatNebulaSays(t *testing.T) {
	said := map[string][]string{}
	pairs, err := os.ReadFile(filepath.Join("..", "phrase", "lang", "ja.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for english, other := range phrase.Read(string(pairs)) {
		said["troubleshooting.md"] = append(said["troubleshooting.md"], plainly(english))
		said["troubleshooting.ja.md"] = append(said["troubleshooting.ja.md"], plainly(other))
	}
	for name, sentences := range said {
		n := 0
		for line := range strings.Lines(book(t)[name]) {
			if !strings.HasPrefix(line, "| `") {
				continue
			}
			for _, m := range span.FindAllStringSubmatch(strings.Split(line, "|")[1], -1) {
				n++
				if !slices.Contains(sentences, m[2]) {
					t.Errorf("docs/%s quotes %q, which is nowhere said", name, m[2])
				}
			}
		}
		if n < 25 {
			t.Errorf("docs/%s quotes only %d sentences", name, n)
		}
	}
}

// plainly is a format with … for what is put into it.
func plainly(format string) string {
	return regexp.MustCompile(`%(\[\d\])?[a-z]|%\.\d+f`).ReplaceAllString(format, "…")
}
