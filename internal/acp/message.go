package acp

import (
	"encoding/base64"
	"net/url"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"nebula"
	"nebula/internal/phrase"
)

// message is what an editor sends as nebula takes it: files are named as people name them, what is embedded follows the words.
func message(blocks []sdk.ContentBlock) (string, []nebula.Image, error) {
	var said, embedded strings.Builder
	var images []nebula.Image
	for _, b := range blocks {
		switch {
		case b.Text != nil:
			said.WriteString(b.Text.Text)
		case b.ResourceLink != nil:
			said.WriteString("@" + file(b.ResourceLink.Uri))
		case b.Image != nil:
			data, err := base64.StdEncoding.DecodeString(b.Image.Data)
			if err != nil {
				return "", nil, nebula.Errorf("a picture cannot be read: %w", err)
			}
			images = append(images, nebula.Image{Type: b.Image.MimeType, Data: data})
		case b.Resource != nil && b.Resource.Resource.BlobResourceContents != nil:
			r := b.Resource.Resource.BlobResourceContents
			data, err := base64.StdEncoding.DecodeString(r.Blob)
			if err != nil {
				return "", nil, nebula.Errorf("a picture cannot be read: %w", err)
			}
			img, err := nebula.Picture(data)
			if err != nil {
				return "", nil, nebula.Errorf("%s is not shown: %w", file(r.Uri), err)
			}
			said.WriteString("@" + file(r.Uri))
			images = append(images, img)
		case b.Resource != nil && b.Resource.Resource.TextResourceContents != nil:
			r := b.Resource.Resource.TextResourceContents
			said.WriteString("@" + file(r.Uri))
			embedded.WriteString("\n\n" + file(r.Uri) + ":\n" + phrase.Fenced("", r.Text))
		default:
			return "", nil, nebula.Errorf("a message holds what nebula does not take: sound, or a file that is not text")
		}
	}
	return said.String() + embedded.String(), images, nil
}

// file is the path of a file's URI; other URIs stay.
func file(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	return u.Path
}

// servers are those that an editor lends. What nebula does not speak is left out.
func servers(list []sdk.McpServer) (all []Server) {
	for _, s := range list {
		switch {
		case s.Stdio != nil:
			one := Server{Name: s.Stdio.Name, Command: append([]string{s.Stdio.Command}, s.Stdio.Args...), Env: map[string]string{}}
			for _, v := range s.Stdio.Env {
				one.Env[v.Name] = v.Value
			}
			all = append(all, one)
		case s.Http != nil:
			one := Server{Name: s.Http.Name, URL: s.Http.Url, Headers: map[string]string{}}
			for _, h := range s.Http.Headers {
				one.Headers[h.Name] = h.Value
			}
			all = append(all, one)
		}
	}
	return all
}
