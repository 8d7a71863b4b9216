package main

import (
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
)

func TestPictureIsXMLWithEveryColumnInPlace(t *testing.T) {
	svg := picture("\x1b[1mあ<b>\x1b[0m \x1b[32m+ok & done\x1b[39m\n\x1b[2mdim\x1b[0m\x1b[1;38;5;16;48;5;231mback\x1b[0m\n\n", "nebula & co", &dark)
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
	}
	for _, want := range []string{
		`x="16.0" y="60.0" fill="#cdd6f4" font-weight="bold" textLength="16.8"`, // あ is two columns
		`x="66.4" y="60.0" fill="#a6e3a1"`, `>あ<`, `x="32.8"`, `>&lt;b&gt;<`, `>+ok &amp; done<`, `opacity="0.6"`, `width="33.6" height="19" fill="#ffffff"/>`, `fill="#000000" font-weight="bold"`, `nebula &amp; co`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s is missing in\n%s", want, svg)
		}
	}
}

// Every screen that the tests hold the program against can be drawn.
func TestGalleryHasAPictureOfEveryScreen(t *testing.T) {
	dir := os.DirFS("../../internal/tui/testdata/screens")
	page, err := gallery(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, folder := range []string{".", "dark", "light", "plain"} {
		all, err := fs.Glob(dir, folder+"/*.ansi")
		if err != nil || len(all) == 0 {
			t.Errorf("%s: %d screens, %v", folder, len(all), err)
		}
		files += len(all)
	}
	if n := strings.Count(string(page), "<svg "); n != files {
		t.Errorf("%d pictures of %d screens", n, files)
	}
	for _, want := range []string{`<figure id="dark/gate-ja-80x24">`, light.background, ">Allow? "} {
		if !strings.Contains(string(page), want) {
			t.Errorf("%s is missing", want)
		}
	}
}
