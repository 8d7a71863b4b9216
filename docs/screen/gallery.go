package main

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"path"
	"strings"
)

// gallery is a page with a picture of every screen that was captured, on the background that its folder is named after.
func gallery(screens fs.FS) ([]byte, error) {
	page := bytes.NewBufferString("<!doctype html>\n<meta charset=\"utf-8\">\n<title>Screens</title>\n" +
		"<style>body{font:14px sans-serif;background:#888}figure{display:inline-block;margin:8px;vertical-align:top}</style>\n")
	err := fs.WalkDir(screens, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".ansi" {
			return err
		}
		screen, err := fs.ReadFile(screens, name)
		if err != nil {
			return err
		}
		colors := &dark
		if strings.Contains(name, "light") {
			colors = &light
		}
		title := strings.TrimSuffix(name, ".ansi")
		fmt.Fprintf(page, "<figure id=\"%s\">%s</figure>\n", html.EscapeString(title), picture(string(screen), title, colors))
		return nil
	})
	return page.Bytes(), err
}
