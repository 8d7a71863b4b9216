package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"

	"aead.dev/minisign"
)

// sums lists the checksum of every file; whoever trusts its signature can check all of them. The signed comment holds the
// version, so that an old list is not taken for a new one.
func (r *release) sums() error {
	var list strings.Builder
	for _, name := range r.made {
		sum, err := r.sum(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s  %s\n", sum, name)
	}
	if err := r.put("SHA256SUMS", []byte(list.String()), 0o644); err != nil || r.signer == nil {
		return err
	}
	signed := minisign.SignWithComments(*r.signer, []byte(list.String()), "version:"+r.version, "nebula "+r.version)
	return r.put("SHA256SUMS.minisig", signed, 0o644)
}

func readKey(path string) (*minisign.PrivateKey, error) {
	key, err := minisign.PrivateKeyFromFile(os.Getenv("RELEASE_KEY_PASSWORD"), path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: its password is read from RELEASE_KEY_PASSWORD", path, err)
	}
	return &key, nil
}

func makeKey(path string) error {
	password := os.Getenv("RELEASE_KEY_PASSWORD")
	if password == "" {
		return errors.New("set RELEASE_KEY_PASSWORD to the password of the new key")
	}
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	secret, err := minisign.EncryptKey(password, private)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(secret); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	text, err := public.MarshalText()
	if err != nil {
		return err
	}
	fmt.Printf("%s is secret, %s.pub is not\n", path, path)
	return os.WriteFile(path+".pub", append(text, '\n'), 0o644)
}
