package judge

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	without = flag.String("without", "", "switch off, one at a time, the rules of the files below internal/protocol that match")
	noted   = flag.String("replies", "", "where the replies are kept that the tests read, for another time")
)

// A rule is what can be switched off: a condition, a part of one, or a row of a table.
type rule struct {
	N          int
	File       string
	Line       int
	Kind, Text string
	Parts      []string // of a row: what a reply has that it is about
}

// TestWithoutEachRule switches off every rule of some files, one at a time, over all replies that the tests of the layer read, and names
// those without which none of them is read otherwise. By hand, for minutes: go test ./internal/protocol/judge -run WithoutEachRule
// -without 'dml|actionlist' -v -timeout 1h. What it names is to be looked at: it may be a bound, a case too few, or a rule too much.
func TestWithoutEachRule(t *testing.T) {
	if *without == "" {
		t.Skip("by hand, with -without")
	}
	matches := regexp.MustCompile(*without)
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	replace := map[string]string{
		filepath.Join(root, "off/off.go"):         filepath.Join(root, "judge/testdata/rules/off.go.txt"),
		filepath.Join(root, "judge/read_test.go"): filepath.Join(root, "judge/testdata/rules/read_test.go.txt"),
	}
	var all []rule
	for _, pattern := range []string{"*.go", "*/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name, _ := filepath.Rel(root, file)
			settles := name == "settle.go" // where replies are noted
			if strings.HasSuffix(name, "_test.go") || !matches.MatchString(name) && !settles {
				continue
			}
			s := &switches{name: name, n: len(all)}
			text := s.read(t, file, matches.MatchString(name), settles)
			all = append(all, s.rules...)
			replace[file] = filepath.Join(temp, strings.ReplaceAll(name, "/", "_"))
			save(t, replace[file], text)
		}
	}
	overlay, rules, replies := filepath.Join(temp, "overlay.json"), filepath.Join(temp, "rules.json"), cmp.Or(*noted, filepath.Join(temp, "replies.jsonl"))
	save(t, overlay, encoded(t, map[string]any{"Replace": replace}))
	save(t, rules, encoded(t, all))
	if _, err := os.Stat(replies); err != nil {
		carryOut(t, []string{"NEBULA_REPLIES=" + replies}, "test", "-vet=off", "-overlay", overlay, "../...")
	}
	carryOut(t, []string{"NEBULA_READ=" + replies, "NEBULA_RULES=" + rules}, "test", "-vet=off", "-timeout", "3h", "-overlay", overlay, "-run", "TestWithout$", "-v", ".")
}

func save(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func carryOut(t *testing.T, env []string, args ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", args...)
	c.Env = append(os.Environ(), env...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr // what is found is told as it is
	if err := c.Run(); err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
}

// switches are those of a file.
type switches struct {
	name   string
	source string
	set    *token.FileSet
	n      int // of the rules of other files
	rules  []rule
	opens  map[int]string // what stands before a place, the outermost first
	closes map[int]string // and behind one, the innermost first
}

// read is a file with a switch at each of its rules.
func (s *switches) read(t *testing.T, path string, rules, settles bool) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s.source, s.set, s.opens, s.closes = string(raw), token.NewFileSet(), map[int]string{}, map[int]string{}
	file, err := parser.ParseFile(s.set, path, raw, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.closes[s.at(file.Name.End())] = "; import ruleOff \"nebula/internal/protocol/off\""
	for _, d := range file.Decls {
		f, is := d.(*ast.FuncDecl)
		if settles && is && f.Name.Name == "Settle" {
			s.closes[s.at(f.Body.Lbrace)+1] = "ruleOff.Reply(r);"
		}
		if g, is := d.(*ast.GenDecl); rules && (!is || g.Tok == token.VAR) {
			s.visit(d, !is)
		}
	}
	var out strings.Builder
	for i := range len(s.source) {
		out.WriteString(s.closes[i] + s.opens[i] + s.source[i:i+1])
	}
	return out.String() + "\nvar _ = ruleOff.N\n"
}

func (s *switches) at(p token.Pos) int { return s.set.Position(p).Offset }

// visit finds what a declaration, or a part of one, can be without.
func (s *switches) visit(root ast.Node, function bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			s.add("If", n.Cond)
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				if n.Tag == nil {
					s.cases(c.(*ast.CaseClause))
				}
			}
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LOR:
				s.add("If", n.X)
				s.add("If", n.Y)
			case token.LAND:
				s.add("And", n.X)
				s.add("And", n.Y)
			}
		case *ast.FuncLit:
			s.visit(n.Body, true)
			return false
		case *ast.CompositeLit:
			s.table(n, function)
		}
		return true
	})
}

func (s *switches) cases(c *ast.CaseClause) {
	for _, e := range c.List {
		s.add("If", e)
	}
}

// add puts a switch around a condition.
func (s *switches) add(kind string, e ast.Expr) {
	from, to := s.at(e.Pos()), s.at(e.End())
	s.opens[from] += fmt.Sprintf("ruleOff.%s(%d, ", kind, s.n+len(s.rules))
	s.closes[to] = ")" + s.closes[to]
	s.note(kind, e, nil)
}

func (s *switches) note(kind string, n ast.Node, parts []string) {
	text := strings.Join(strings.Fields(s.source[s.at(n.Pos()):s.at(n.End())]), " ")
	s.rules = append(s.rules, rule{s.n + len(s.rules), s.name, s.set.Position(n.Pos()).Line, kind, text[:min(len(text), 160)], parts})
}

// table puts a switch around a list or a map with its rows.
func (s *switches) table(lit *ast.CompositeLit, function bool) {
	kind, keys := "Slice", ""
	switch of := lit.Type.(type) {
	case *ast.ArrayType:
		if of.Len != nil || len(lit.Elts) > 0 && isPair(lit.Elts[0]) {
			return
		}
		if function {
			kind = "Rows"
		}
	case *ast.MapType:
		if function {
			return
		}
		kind = "Map"
	default:
		return
	}
	if len(lit.Elts) < 2 {
		return
	}
	first := s.n + len(s.rules)
	for _, e := range lit.Elts {
		if pair, is := e.(*ast.KeyValueExpr); is {
			keys += ", " + s.source[s.at(pair.Key.Pos()):s.at(pair.Key.End())]
		}
		s.note("row", e, texts(e))
	}
	s.opens[s.at(lit.Pos())] += fmt.Sprintf("ruleOff.%s(%d, ", kind, first)
	s.closes[s.at(lit.End())] = keys + ")" + s.closes[s.at(lit.End())]
}

func isPair(e ast.Expr) bool {
	_, is := e.(*ast.KeyValueExpr)
	return is
}

// texts are the texts of a row, in small letters.
func texts(e ast.Node) []string {
	list := []string{}
	ast.Inspect(e, func(n ast.Node) bool {
		if lit, is := n.(*ast.BasicLit); is && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil && text != "" {
				list = append(list, strings.ToLower(text))
			}
		}
		return true
	})
	if len(list) == 0 {
		list = append(list, "")
	}
	return slices.Compact(list)
}
