// Package update finds a newer release and puts its binary in the place of the one that runs. What it takes is what the
// release key signed: the list of checksums, and in it the version; the server and the way to it need no trust.
package update

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"path"
	"runtime"
	"strings"
	"time"

	"aead.dev/minisign"
	"golang.org/x/mod/semver"

	"nebula"
)

// A Source is where releases are found, and the key that signs them.
type Source struct {
	URL, Key string
	Client   *http.Client // nil for one that is patient enough
}

// An Offer is a release that was found, its list verified.
type Offer struct {
	Version string
	source  Source
	sums    string
}

// The most that is read of a list and of an archive.
const (
	mostList    = 1 << 20
	mostArchive = 256 << 20
)

// Find asks what the newest release is. It is an error when its list is not signed by the key.
func (s Source) Find(ctx context.Context) (Offer, error) {
	var key minisign.PublicKey
	if err := key.UnmarshalText([]byte(s.Key)); err != nil {
		return Offer{}, nebula.Errorf("the release key in this nebula cannot be read: %w", err)
	}
	sums, err := s.get(ctx, "SHA256SUMS", mostList)
	if err != nil {
		return Offer{}, err
	}
	signed, err := s.get(ctx, "SHA256SUMS.minisig", mostList)
	if err != nil {
		return Offer{}, err
	}
	var signature minisign.Signature
	if err := signature.UnmarshalText(signed); err != nil || !minisign.Verify(key, sums, signed) {
		return Offer{}, nebula.Errorf("what %s offers is not signed by nebula's release key; nothing was changed", s.URL)
	}
	version, ok := strings.CutPrefix(signature.TrustedComment, "version:")
	if !ok || !semver.IsValid("v"+version) {
		return Offer{}, nebula.Errorf("the signature at %s names no version", s.URL)
	}
	return Offer{Version: version, source: s, sums: string(sums)}, nil
}

// Newer reports whether it is newer than a version. One that is no version is older than any.
//
//go:noinline
func (o Offer) Newer(than string) bool { return semver.Compare("v"+o.Version, "v"+than) > 0 }

// Fetch gives the binary for this system.
func (o Offer) Fetch(ctx context.Context) ([]byte, error) {
	name := "nebula_" + o.Version + "_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"
	read := untar
	if runtime.GOOS == "windows" {
		name, read = strings.TrimSuffix(name, ".tar.gz")+".zip", unzip
	}
	sum := ""
	for line := range strings.Lines(o.sums) {
		if digest, file, _ := strings.Cut(strings.TrimSpace(line), "  "); file == name {
			sum = digest
		}
	}
	if sum == "" {
		return nil, nebula.Errorf("release %s has no binary for %s on %s", o.Version, runtime.GOOS, runtime.GOARCH)
	}
	archive, err := o.source.get(ctx, name, mostArchive)
	if err != nil {
		return nil, err
	}
	if got := sha256.Sum256(archive); hex.EncodeToString(got[:]) != sum {
		return nil, nebula.Errorf("%s is not the file that was signed; nothing was changed", name)
	}
	binary, err := read(archive)
	if err != nil {
		return nil, nebula.Errorf("%s cannot be read: %w", name, err)
	}
	return binary, nil
}

var errNoBinary = errors.New("it holds no nebula")

func untar(archive []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	for t := tar.NewReader(z); ; {
		head, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil, errNoBinary
		}
		if err != nil {
			return nil, err
		}
		if path.Base(head.Name) == "nebula" && head.Typeflag == tar.TypeReg {
			return bounded(t, mostArchive)
		}
	}
}

func unzip(archive []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	for _, f := range z.File {
		if path.Base(f.Name) == "nebula.exe" {
			r, err := f.Open()
			if err != nil {
				return nil, err
			}
			defer r.Close()
			return bounded(r, mostArchive)
		}
	}
	return nil, errNoBinary
}

// patience is how long a release may take to come.
const patience = 10 * time.Minute

func (s Source) get(ctx context.Context, name string, most int64) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	url := strings.TrimSuffix(s.URL, "/") + "/" + name
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, nebula.Errorf("%s is no address: %w", url, err)
	}
	req.Header.Set("User-Agent", "nebula")
	client := s.Client
	if client == nil {
		client = http.DefaultClient
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, nebula.Errorf("%s could not be reached: %w", url, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, nebula.Errorf("%s answered %s", url, res.Status)
	}
	data, err := bounded(res.Body, most)
	if err != nil {
		return nil, nebula.Errorf("%s could not be fetched: %w", url, err)
	}
	return data, nil
}

var errLarge = errors.New("it is larger than any release")

func bounded(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = errLarge
	}
	return data, err
}
