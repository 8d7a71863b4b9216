package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"

	"nebula"
	"nebula/internal/config"
)

// toldFile holds what servers told of their models when nebula models --refresh asked them, one model a line.
//
//go:noinline
func toldFile(c config.Config) string { return filepath.Join(c.Home.State, "models.jsonl") }

// asServerTold lays what a model's server told of it over what nebula came with. Without the file nothing is done.
func asServerTold(c config.Config, info nebula.ModelInfo) nebula.ModelInfo {
	data, err := os.ReadFile(toldFile(c))
	if err != nil {
		return info
	}
	name, _ := json.Marshal(info.Name)
	for line := range bytes.Lines(data) {
		var m nebula.ModelInfo
		if !bytes.Contains(line, name) || json.Unmarshal(line, &m) != nil || m.Name != info.Name || m.Provider != info.Provider || m.Server != info.Server {
			continue
		}
		if m.WindowFrom == "server" && info.WindowFrom != "environment" {
			info.Window, info.MaxOutput, info.Assumed, info.WindowFrom = m.Window, m.MaxOutput, m.Assumed, m.WindowFrom
		}
		if m.PriceFrom == "server" {
			info.InputUSD, info.CachedUSD, info.OutputUSD, info.PriceFrom = m.InputUSD, m.CachedUSD, m.OutputUSD, m.PriceFrom
			info.Native, info.Images, info.Documents = m.Native, m.Images, m.Documents
		}
	}
	return info
}

// keepTold keeps what the servers told, and says of how many models.
func (p *program) keepTold(c config.Config, list []offer) error {
	var b bytes.Buffer
	kept := 0
	for _, o := range list {
		if o.WindowFrom == "server" || o.PriceFrom == "server" {
			line, err := json.Marshal(o.ModelInfo)
			if err != nil {
				return err
			}
			b.Write(append(line, '\n'))
			kept++
		}
	}
	if kept == 0 {
		p.warn("no server told windows or prices; what was known before stays")
		return nil
	}
	if err := os.MkdirAll(c.Home.State, 0o700); err != nil {
		return err
	}
	made := toldFile(c) + ".new"
	if err := os.WriteFile(made, b.Bytes(), 0o600); err != nil {
		return err
	}
	p.warn("%s", many(kept, "the servers' figures of %d model are kept", "the servers' figures of %d models are kept"))
	return os.Rename(made, toldFile(c))
}
