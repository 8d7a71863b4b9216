package dml

import (
	"slices"
	"strings"

	"nebula/internal/phrase"
)

// A Variable is one piece of the session's state, such as cwd, os, last_error or task_plan (§3 C).
type Variable struct{ Name, Value string }

// State renders variables for a prompt, one a line. Those without a value are left out.
func State(variables []Variable) string {
	var b strings.Builder
	for _, v := range variables {
		if v.Value != "" {
			b.WriteString(bracket("S:"+v.Name) + " " + v.Value + "\n")
		}
	}
	return b.String()
}

// InstructionKeys are the standing instructions there are (§3 D).
var InstructionKeys = []string{"respect_style", "no_guesswork", "security_check", "think_step_by_step", "verify_before_edit"}

// Instructions renders standing instructions for a prompt, one a line: the macro and what it demands.
func Instructions(lang string, keys ...string) string {
	var b strings.Builder
	for _, key := range keys {
		if text := instruction(key, lang); text != "" {
			b.WriteString(bracket("I:"+key) + " " + text + "\n")
		}
	}
	return b.String()
}

//go:noinline
func instruction(key, lang string) string {
	i := slices.Index(InstructionKeys, key)
	if i < 0 {
		return ""
	}
	return phrase.Pick(lang, instructions)[i]
}

// instructions are in the order of their keys, a language each.
var instructions = map[string][]string{"en": {
	"Write new code the way the code around it is written.",
	"Do not guess: look it up in the files first.",
	"Look for security holes in everything you write.",
	"Split what is complex into steps and plan before acting.",
	"Read a file's current content before you change it.",
}, "ja": {
	"新しいコードは周りのコードの書き方に合わせる。",
	"推測しない。まずファイルで確かめる。",
	"書くものすべてについて、安全上の穴がないか確かめる。",
	"複雑なことは段階に分け、計画してから動く。",
	"変更する前に、そのファイルの今の内容を読む。",
}}

// Fill replaces state and instruction macros in a template of the program's by what they stand for, and leaves those
// it does not know.
func Fill(template, lang string, variables []Variable) string {
	var b strings.Builder
	rest := 0
	s := scanner{text: template, final: true}
	s.emit = func(it item) {
		if it.kind != macro {
			return
		}
		letter, name, _ := command(template[it.body[0]:it.body[1]])
		value := ""
		switch name = strings.TrimSpace(name); letter {
		case 'I':
			value = instruction(name, lang)
		case 'S':
			if i := slices.IndexFunc(variables, func(v Variable) bool { return v.Name == name }); i >= 0 {
				value = variables[i].Value
			}
		}
		if value != "" {
			b.WriteString(template[rest:it.start] + value)
			rest = it.end
		}
	}
	s.run()
	return b.String() + template[rest:]
}
