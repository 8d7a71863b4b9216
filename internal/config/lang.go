package config

import (
	"encoding/json"
	"strings"

	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Lang is the language that [Load] decides on, or would if all settings could be read. Errors and the help are said in
// it before there is a Config.
func Lang(env Env, flag string) string {
	s, _, _ := Find("lang") // it is in the table
	var file struct {
		Lang json.RawMessage `json:"lang"`
	}
	if home, err := FindHome(env); err == nil {
		data, _, _ := readFile(home.File()) // what is wrong with it is for Load to say
		_ = json.Unmarshal(data, &file)
	}
	here, _ := locale(env)
	for _, lang := range []string{flag, env(s.Env), strings.Trim(string(file.Lang), `"`), here} {
		if lists.Has(s.Choices, lang) {
			return lang
		}
	}
	return s.Default
}

// locale is the language of the person's system, and the variable that says so; empty where it says nothing.
func locale(env Env) (lang, from string) {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if text := env(name); text != "" {
			for _, lang := range phrase.Langs()[1:] {
				if strings.HasPrefix(text, lang) {
					return lang, name
				}
			}
			break
		}
	}
	return "", ""
}
