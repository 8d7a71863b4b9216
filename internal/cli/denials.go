package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"

	"nebula"
	"nebula/internal/hook"
	"nebula/internal/matter"
	"nebula/internal/state"
)

// largestDenying bounds settings that forbid something: they are read where they are too large to bring anything.
const largestDenying = 16 << 20

// denying are settings of another program's, in which all stands where it stood.
func denying(root *os.Root, file string) []byte {
	f, err := root.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, _ := io.ReadAll(io.LimitReader(f, largestDenying)) // what could be read holds
	return matter.Spaced(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
}

// denials are what a folder's settings for another program forbid beside what [state.RuledBar] takes, and what of it is no rule. Of what is
// damaged all holds that stands before the damage: a rule is not to be lost for a comma.
func denials(root *os.Root, file string) (list []hook.Hook, bars []state.Bar, left []nebula.Words) {
	data := denying(root, file)
	if !bytes.Contains(data, []byte(`"deny"`)) {
		return nil, nil, nil
	}
	rules, odd := denyRules(data)
	left = noRules(file, odd)
	for _, rule := range rules {
		if b, ok := state.RuledBar(rule, root.Name()); ok {
			bars = append(bars, b)
			continue
		}
		list = append(list, hook.Hook{Moment: nebula.BeforeTool, If: rule, Line: nebula.Denies + rule, From: file, Denies: true})
	}
	return list, bars, left
}

// noRules says of what stands on some lines under permissions.deny that it is no rule.
func noRules(file string, lines []int) (left []nebula.Words) {
	for _, at := range lines {
		left = append(left, nebula.Say("%s:%d: what is no text is left out of permissions.deny; write each rule in quotes, as in \"Read(./.env)\"", file, at))
	}
	return left
}

// denyRules are the texts under permissions.deny, a text alone among them, up to where the JSON ends or is damaged, and the lines of what is none.
func denyRules(data []byte) (rules []string, odd []int) {
	type place struct {
		key  string
		list bool
		next bool // a key comes next
	}
	var at []place
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		t, err := d.Token()
		if err != nil {
			return rules, odd
		}
		n := len(at) - 1
		text, is := t.(string)
		if n >= 0 && at[n].next && is {
			at[n].key, at[n].next = text, false
			continue
		}
		mark, _ := t.(json.Delim)
		within := n >= 1 && at[0].key == "permissions" && at[1].key == "deny" && (n == 1 || n == 2 && at[2].list)
		switch {
		case strings.ContainsRune("]}", rune(mark)):
			if at = at[:n]; len(at) == 0 {
				return rules, odd
			}
		case within && is:
			rules = append(rules, text)
		case within && !(mark == '[' && n == 1):
			odd = append(odd, 1+bytes.Count(data[:d.InputOffset()], []byte("\n")))
		}
		switch {
		case mark == '{' || mark == '[':
			at = append(at, place{list: mark == '[', next: mark == '{'})
		case len(at) > 0 && !at[len(at)-1].list:
			at[len(at)-1].next = true
		}
	}
}

// undenied is what of settings that forbid something cannot be read, so that nobody relies on it.
func undenied(root *os.Root) (left []nebula.Words) {
	for _, file := range hookFiles {
		data := denying(root, file)
		if !bytes.Contains(data, []byte(`"deny"`)) {
			continue
		}
		if err := unreadable(file, data); err != nil {
			left = append(left, nebula.Say("%w", err))
		}
		_, odd := denyRules(data)
		left = append(left, noRules(file, odd)...)
	}
	return left
}
