// Package learn_test holds the pages to the programs that they are about.
package learn_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	link = regexp.MustCompile(`\]\(([^)#]+)\)`)
	code = regexp.MustCompile("`(internal/[^`]*)`")
)

func TestWhatThePagesPointAtIsThere(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	deeper, err := filepath.Glob("*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, deeper...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), found[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
		for _, found := range code.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join("../..", found[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
		other := strings.TrimSuffix(page, ".md") + ".ja.md"
		if strings.HasSuffix(page, ".ja.md") {
			other = strings.TrimSuffix(page, ".ja.md") + ".md"
		}
		if _, err := os.Stat(other); err != nil {
			t.Errorf("%s is there in one language only: %v", page, err)
		}
	}
}

func TestAStageIsReadInOneGo(t *testing.T) {
	programs, err := filepath.Glob("stage*/main.go")
	if err != nil || len(programs) != 7 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	for _, program := range programs {
		text, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(text), "\n"); lines < 40 || lines > 120 {
			t.Errorf("%s has %d lines, and 40 to 120 were promised", program, lines)
		}
	}
}

// Both languages say of each stage what to try and what its limit is, point at the next one, and name the same things of its
// program: each of them is there.
func TestEachStageSaysItsLimit(t *testing.T) {
	programs, err := filepath.Glob("stage*")
	if err != nil || len(programs) != 7 {
		t.Fatalf("%d stages, %v", len(programs), err)
	}
	for n, stage := range programs {
		source := ""
		for _, file := range []string{stage + "/main.go", stage + "/main_test.go", "llm/llm.go", "played/played.go"} {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source += string(text)
		}
		named := map[string][]string{}
		for page, parts := range map[string][]string{"README.md": {"**Try**", "**The limit**"}, "README.ja.md": {"**試す**", "**限界**"}} {
			text, err := os.ReadFile(filepath.Join(stage, page))
			if err != nil {
				t.Fatal(err)
			}
			next := "(../nebula" + strings.TrimPrefix(page, "README") + ")"
			if n < len(programs)-1 {
				next = "(../" + programs[n+1] + "/" + page + ")"
			}
			for _, part := range append(parts, next) {
				if !strings.Contains(string(text), part) {
					t.Errorf("%s/%s has no %s", stage, page, part)
				}
			}
			for _, found := range word.FindAllStringSubmatch(string(text), -1) {
				if !strings.Contains(source, found[1]) {
					t.Errorf("%s/%s names %s, which its program does not have", stage, page, found[1])
				}
				named[page] = append(named[page], found[1])
			}
			slices.Sort(named[page])
			named[page] = slices.Compact(named[page])
		}
		if en, ja := named["README.md"], named["README.ja.md"]; !slices.Equal(en, ja) {
			t.Errorf("%s: the page names %v, and in Japanese %v", stage, en, ja)
		}
	}
}

// The last page says of each stage where its idea stands in nebula, in both languages the same places.
func TestTheLastPageHasEachStage(t *testing.T) {
	places := map[string][]string{}
	for _, page := range []string{"nebula.md", "nebula.ja.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 7 {
			if row := regexp.MustCompile(fmt.Sprintf("(?m)^\\| %d \\|.*`internal/[^`]+`", n+1)); !row.Match(text) {
				t.Errorf("%s says nothing of stage %d", page, n+1)
			}
		}
		for _, found := range code.FindAllStringSubmatch(string(text), -1) {
			places[page] = append(places[page], found[1])
		}
	}
	if !slices.Equal(places["nebula.md"], places["nebula.ja.md"]) {
		t.Errorf("%v", places)
	}
}

// word is a name in a page's text: of a function, a type, a constant or a test.
var word = regexp.MustCompile("`([a-zA-Z]\\w+)`")
