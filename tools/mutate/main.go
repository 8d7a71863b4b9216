// Command mutate changes a package in one small place at a time and runs its tests on it: what survives is something that
// no test would notice. Nothing in the tree is written; the changed file reaches the compiler as an overlay.
//
//	go run ./mutate [-n 40] [-seed 1] [-only error] [-for 20m] [-v] ../internal/gate ../internal/workspace    (in tools/)
//
// It prints every survivor with its place and ends with how many of the mutants were caught; -v says by which test each was.
// The tests run without a mutant first: where they fail or take long by themselves, a failure would say nothing. A mutant
// that does not compile does not count; one that changes nothing (a survivor that somebody looked at) is for the reader to
// leave out.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 40, "mutants of each package")
	seed := flag.Uint64("seed", 1, "which ones")
	only := flag.String("only", "", "one kind: error, negate, border, logic, drop")
	limit := flag.Duration("limit", 0, "how long the tests may run on one mutant (0: four times what they take without one, and a minute)")
	said := flag.Bool("v", false, "say by which test each mutant was caught")
	most := flag.Duration("for", 24*time.Hour, "how long each package may take: no mutant is begun after that")
	flag.Parse()
	caught, all := 0, 0
	for _, dir := range flag.Args() {
		c, a, err := try(dir, *n, *seed, *only, *limit, time.Now().Add(*most), *said)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		caught, all = caught+c, all+a
		fmt.Printf("%-32s caught %d of %d\n", dir, c, a)
	}
	if all > 0 {
		fmt.Printf("%-32s caught %d of %d (%.0f %%)\n", "all", caught, all, 100*float64(caught)/float64(all))
	}
}

// A mutant is one change: do makes it in the parsed file, undo takes it back.
type mutant struct {
	kind     string
	at       token.Position
	do, undo func()
}

// A source is a parsed file with its mutants.
type source struct {
	path    string
	set     *token.FileSet
	file    *ast.File
	mutants []mutant
}

// try runs a package's tests on n of its mutants, chosen by seed, as many as there is time for.
func try(dir string, n int, seed uint64, only string, limit time.Duration, until time.Time, said bool) (caught, all int, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return 0, 0, err
	}
	type choice struct {
		of *source
		m  mutant
	}
	var choices []choice
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || foreign(path) {
			continue
		}
		s, err := read(path)
		if err != nil {
			return 0, 0, err
		}
		for _, m := range s.mutants {
			if only == "" || m.kind == only {
				choices = append(choices, choice{s, m})
			}
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
	from := time.Now()
	if by := tested(dir, "", 0); by != "" {
		return 0, 0, fmt.Errorf("%s: the tests fail without a mutant: %s", dir, by)
	}
	if limit == 0 {
		limit = 4*time.Since(from) + time.Minute
	}
	for _, c := range choices {
		if all == n || time.Now().After(until) {
			break
		}
		by, counts, err := run(dir, c.of, c.m, limit)
		switch {
		case err != nil:
			return caught, all, err
		case !counts:
			continue
		case by == "":
			fmt.Printf("survived: %-6s %s:%d\n", c.m.kind, c.m.at.Filename, c.m.at.Line)
		default:
			caught++
			if said {
				fmt.Printf("caught: %-6s %s:%d by %s\n", c.m.kind, c.m.at.Filename, c.m.at.Line, by)
			}
		}
		all++
	}
	return caught, all, nil
}

// foreign reports whether a file is one of another system, which the tests here do not compile.
func foreign(path string) bool {
	name := strings.TrimSuffix(filepath.Base(path), ".go")
	for _, end := range []string{"_windows", "_darwin", "_other"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// read parses a file and finds what can be changed in it.
func read(path string) (*source, error) {
	s := &source{path: path, set: token.NewFileSet()}
	var err error
	if s.file, err = parser.ParseFile(s.set, path, nil, parser.ParseComments); err != nil {
		return nil, err
	}
	add := func(n ast.Node, kind string, do, undo func()) {
		s.mutants = append(s.mutants, mutant{kind, s.set.Position(n.Pos()), do, undo})
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			cond := n.Cond
			if checksError(cond) {
				add(n, "error", func() { n.Cond = &ast.BinaryExpr{X: paren(cond), Op: token.LAND, Y: ast.NewIdent("false")} }, func() { n.Cond = cond })
				break
			}
			add(n, "negate", func() { n.Cond = &ast.UnaryExpr{Op: token.NOT, X: paren(cond)} }, func() { n.Cond = cond })
		case *ast.BinaryExpr:
			op := n.Op
			if to, kind := other(op); kind != "" {
				add(n, kind, func() { n.Op = to }, func() { n.Op = op })
			}
		case *ast.BlockStmt:
			for i, statement := range n.List {
				if call, ok := statement.(*ast.ExprStmt); ok {
					add(call, "drop", func() { n.List[i] = &ast.EmptyStmt{} }, func() { n.List[i] = statement })
				}
			}
		}
		return true
	})
	return s, nil
}

func paren(e ast.Expr) ast.Expr { return &ast.ParenExpr{X: e} }

// checksError reports whether a condition is err != nil, as most error checks are.
func checksError(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.NEQ {
		return false
	}
	x, isName := b.X.(*ast.Ident)
	y, isNil := b.Y.(*ast.Ident)
	return isName && isNil && y.Name == "nil" && strings.Contains(strings.ToLower(x.Name), "err")
}

// other is the operator that a mistake would have put in the place of one.
func other(op token.Token) (to token.Token, kind string) {
	switch op {
	case token.LSS:
		return token.LEQ, "border"
	case token.LEQ:
		return token.LSS, "border"
	case token.GTR:
		return token.GEQ, "border"
	case token.GEQ:
		return token.GTR, "border"
	case token.LAND:
		return token.LOR, "logic"
	case token.LOR:
		return token.LAND, "logic"
	}
	return op, ""
}

// run tests a package with one mutant in it, and says what caught it. A mutant that does not compile does not count.
func run(dir string, s *source, m mutant, limit time.Duration) (by string, counts bool, err error) {
	m.do()
	defer m.undo()
	temp, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return "", false, err
	}
	defer os.RemoveAll(temp)
	full, err := filepath.Abs(s.path)
	if err != nil {
		return "", false, err
	}
	changed := filepath.Join(temp, filepath.Base(s.path))
	var text strings.Builder
	if err := format.Node(&text, s.set, s.file); err != nil {
		return "", false, nil // it cannot be written down
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {full: changed}})
	if err != nil {
		return "", false, err
	}
	list := filepath.Join(temp, "overlay.json")
	if err := errors.Join(os.WriteFile(changed, []byte(text.String()), 0o600), os.WriteFile(list, overlay, 0o600)); err != nil {
		return "", false, err
	}
	build := exec.Command("go", "test", "-overlay", list, "-run", "^$", ".")
	build.Dir = dir
	if build.Run() != nil {
		return "", false, nil
	}
	return tested(dir, list, limit), true, nil
}

// tested runs a package's tests, with an overlay where there is one, and names the first that fails: nothing where all pass.
func tested(dir, overlay string, limit time.Duration) string {
	test := exec.Command("go", "test", "-count=1", "-timeout="+limit.String(), "-short", "-failfast", "-vet=off", "-overlay="+overlay, ".")
	test.Dir = dir
	out, err := test.CombinedOutput()
	if err == nil {
		return ""
	}
	for line := range strings.Lines(string(out)) {
		if name, is := strings.CutPrefix(line, "--- FAIL: "); is {
			return strings.TrimSpace(name)
		}
		if strings.HasPrefix(line, "panic: ") {
			return strings.TrimSpace(line)
		}
	}
	return fmt.Sprintf("%v: %.200s", err, out)
}
