package cli

import (
	"os"
	"strings"
	"testing"
)

// What the environment names as secret stands in nothing that is written down, whoever it belongs to; a path to it, a short word
// and what is named otherwise stay.
func TestWhatTheEnvironmentNamesAsSecretIsHidden(t *testing.T) {
	values := map[string]bool{"COHERE_API_KEY": true, "NPM_TOKEN": true, "deploy_password": true, "GH_PAT": true, "AWS_SECRET_ACCESS_KEY": true, "GOPHER_NAME": false, "KEYBOARD": false, "TOKENIZER": false}
	for name := range values {
		t.Setenv(name, "value of "+name)
	}
	t.Setenv("SIGNING_KEY", "/home/ann/key.pem")
	t.Setenv("ANY_TOKEN", "true")
	t.Setenv("NEBULA_HOME", t.TempDir())
	p := &program{env: os.Getenv}
	c, err := p.settings(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	clean := p.redactor(c)
	for name, hidden := range values {
		if got := clean.Text("it is value of " + name + "."); strings.Contains(got, "value of") == hidden {
			t.Errorf("%s: %s", name, got)
		}
	}
	if text := "true, /home/ann/key.pem"; clean.Text(text) != text {
		t.Errorf("it hides too much: %s", clean.Text(text))
	}
}
