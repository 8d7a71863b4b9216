package cli

import (
	"bytes"
	"testing"

	"nebula"
	"nebula/internal/config"
)

// What servers told counts over what nebula came with, for their own models, and not over what the person set.
func TestWhatServersToldIsKept(t *testing.T) {
	p := &program{out: &bytes.Buffer{}, err: &bytes.Buffer{}, env: func(string) string { return "" }}
	c := config.Config{Home: config.Home{State: t.TempDir()}}
	at := func(name, server string) nebula.ModelInfo {
		return nebula.ModelInfo{Name: name, Provider: "openrouter", Server: server, Window: 128_000, WindowFrom: "assumed"}
	}
	said := at("x/y", "https://openrouter.ai/api/v1")
	said.Window, said.WindowFrom, said.InputUSD, said.OutputUSD, said.PriceFrom, said.Images = 300_000, "server", 1, 5, "server", true
	if err := p.keepTold(c, []offer{{ModelInfo: said, Use: "openrouter/x/y"}, {ModelInfo: at("x/z", "https://openrouter.ai/api/v1")}}); err != nil {
		t.Fatal(err)
	}
	if got := asServerTold(c, at("x/y", said.Server)); got.Window != 300_000 || got.WindowFrom != "server" || got.InputUSD != 1 || got.OutputUSD != 5 || !got.Images {
		t.Errorf("%+v", got)
	}
	for _, other := range []nebula.ModelInfo{at("x/z", said.Server), at("x/y", "http://elsewhere/v1"), {Name: "x/y", Provider: "ollama"}} {
		if got := asServerTold(c, other); got != other {
			t.Errorf("%+v became %+v", other, got)
		}
	}
}
