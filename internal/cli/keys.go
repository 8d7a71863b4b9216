package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"nebula/internal/command"
	"nebula/internal/config"
	"nebula/internal/lists"
	"nebula/internal/model"
	"nebula/internal/phrase"
)

type keyFound struct{ setting, source string }

// nameTakers are commands behind which names stand, and no text.
var nameTakers = []string{"login", "logout", "models", "doctor"}

// misplaced answers a key among the words of a command line, where others can read it and other commands would take it for something
// else. A setting that is a key may be given so, and words of another program are its own.
func misplaced(args []string) error {
	if len(args) > 0 && (args[0] == "mcp" || args[0] == "try") {
		return nil
	}
	for i, a := range args {
		word := strings.TrimLeft(a[strings.LastIndexAny(a, "=/")+1:], "-")
		if !strings.HasPrefix(a, "--") && strings.HasPrefix(a, "-m") {
			word = strings.TrimPrefix(word, "m")
		}
		named := i > 0 && (args[i-1] == "-m" || args[i-1] == "--model") || strings.HasPrefix(a, "-m") || strings.HasPrefix(a, "--model=") || strings.HasPrefix(a, "-") && !strings.Contains(a, "/") || lists.Has(nameTakers, args[0]) || args[0] == "config" && i < 3
		key := phrase.IsKey(word) || !strings.ContainsAny(a, " \t\n") && phrase.Masked(a) != a || named && phrase.Bare(word) || !strings.ContainsAny(a, " \t\n/") && (phrase.Withheld(a) != a || phrase.Withheld(word) != word)
		if !key || slices.ContainsFunc(args, func(a string) bool {
			s, _, err := config.Find(a)
			return err == nil && s.Kind == config.Key
		}) {
			continue
		}
		return usage("that is a key, which belongs neither here nor into a shell's history: nothing was sent or kept; nebula login %s asks for it unseen, or reads it from standard input", cmp.Or(model.Whose(phrase.Unwrapped(word)), "PROVIDER"))
	}
	return nil
}

// unkeyed is a request without what has the form of a key, which the person is told.
func (p *program) unkeyed(text string) string {
	name, _, _ := command.Read(text)
	if row, known := command.Find(name); known && !row.Free && command.Slashed(text) {
		return text // it is not for the model, and goes nowhere
	}
	masked := phrase.Withheld(text)
	if masked != text {
		p.warn("a key in the request is not sent: the model reads only how it begins")
	}
	return masked
}

// keysInEnvironment are the providers' keys that the environment holds, without the keys.
func keysInEnvironment(c config.Config) []keyFound {
	var found []keyFound
	for _, name := range model.Providers() {
		if key, source := c.Credential(name, model.KeyNames(name)...); key.Set() && strings.HasPrefix(source, "env ") {
			found = append(found, keyFound{fmt.Sprintf("providers.%s.key", name), source})
		}
	}
	return found
}
