package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// An entry is a file of an archive.
type entry struct {
	name, from string
	mode       int64
}

// carried are the files beside a binary.
func (r *release) carried() []entry {
	all := []entry{
		{"LICENSE", filepath.Join(r.root, "LICENSE"), 0o644},
		{"README.md", filepath.Join(r.root, "README.md"), 0o644},
		{"README.ja.md", filepath.Join(r.root, "README.ja.md"), 0o644},
		{"man/nebula.1", filepath.Join(r.work, "nebula.1"), 0o644},
	}
	for _, shell := range []string{"bash", "zsh", "fish", "ps1"} {
		all = append(all, entry{"completions/nebula." + shell, filepath.Join(r.work, "nebula."+shell), 0o644})
	}
	return all
}

// archive is the name of a target's archive.
func (r *release) archive(t target) string {
	name := "nebula_" + r.version + "_" + t.os + "_" + t.arch
	if t.os == "windows" {
		return name + ".zip"
	}
	return name + ".tar.gz"
}

func (r *release) archives() error {
	for _, t := range r.targets {
		name := r.archive(t)
		folder := strings.TrimSuffix(strings.TrimSuffix(name, ".zip"), ".tar.gz")
		entries := append([]entry{{t.binary(), r.built(t), 0o755}, {t.fleet(), filepath.Join(filepath.Dir(r.built(t)), t.fleet()), 0o755}}, r.carried()...)
		for i := range entries {
			entries[i].name = path.Join(folder, entries[i].name)
		}
		pack := r.tarball
		if t.os == "windows" {
			pack = r.zipped
		}
		content, err := pack(entries)
		if err != nil {
			return err
		}
		if err := r.put(name, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) tarball(entries []entry) ([]byte, error) {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // that level is one
	w := tar.NewWriter(z)
	for _, e := range entries {
		data, err := os.ReadFile(e.from)
		if err != nil {
			return nil, err
		}
		head := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(data)), ModTime: r.when, Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if err := w.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (r *release) zipped(entries []entry) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		data, err := os.ReadFile(e.from)
		if err != nil {
			return nil, err
		}
		head := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: r.when}
		head.SetMode(os.FileMode(e.mode))
		f, err := w.CreateHeader(head)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func mode(bits uint32) os.FileMode { return os.FileMode(bits) }
