// Package learn_test holds the pages to the programs that they are about.
package learn_test

import (
	"os"
	"path/filepath"
	"regexp"
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
