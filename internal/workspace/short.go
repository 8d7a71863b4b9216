package workspace

import (
	"path/filepath"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// shortMost is how long a secret is that is looked for as a word; a longer one is looked for anywhere.
const shortMost = 11

// shortWords are the short secrets in a file's text that can be told from what people write: values of variables whose names say that they
// hold a password, a token or a secret, and passwords of addresses.
func shortWords(file, text string) (words []string) {
	usual := map[string]bool{}
	for _, part := range strings.FieldsFunc(strings.ToLower(file), func(c rune) bool { return c == filepath.Separator }) {
		usual[part] = true
	}
	var found []string
	variables := strings.HasPrefix(filepath.Base(file), ".env")
	take := func(name, value string) {
		if value == "" {
			return
		}
		if !secretName(name) && !keyShaped(value) {
			if variables && scrambled(value) {
				words = append(words, value)
			}
			if usual[strings.ToLower(value)] = true; strings.Contains(value, "://") {
				found = append(found, doors(name, value)...)
			}
			return
		}
		if holder.In(name) {
			found = append(found, value)
		}
	}
	for line := range strings.Lines(text) {
		if name, value, ok := variable(strings.TrimSpace(line)); ok {
			take(name, value)
		}
		if words := strings.Fields(line); strings.HasSuffix(file, "netrc") {
			for i, w := range words[:max(len(words)-1, 0)] {
				if w == "password" {
					found = append(found, words[i+1])
				}
			}
		}
	}
	for _, pair := range pairs.Re().FindAllStringSubmatch(text, maxSecrets) {
		take(pair[1], pair[2])
	}
	for _, value := range found {
		if len(value) <= shortMost && !usual[strings.ToLower(value)] && peculiar(value) {
			words = append(words, value)
		}
	}
	return words
}

// scrambled reports whether a value of an environment file is a secret whatever its variable is called: letters and figures without anything that
// parts them, as words, names of hosts, models and versions have it, and mixed as nobody writes a word with its number.
func scrambled(value string) bool {
	if len(value) < 8 || len(value) > 128 || !unparted.In(value) || measures.In(value) || dated.In(value) {
		return false
	}
	changes, class := 0, 0
	for i, c := range []byte(value) {
		now := 1
		if '0' <= c && c <= '9' {
			now = 2
		}
		if i > 0 && now != class {
			changes++
		}
		class = now
	}
	return changes >= 3
}

// holder is how the name of what holds a password ends, as against one that says something of it: PASSWORD_MIN_LENGTH, TOKEN_URL.
var holder = &lazy.Pattern{X: `(?i)(?:pass|password|passwd|passphrase|pwd|pat|secret|token|apikey|api[_.-]?key|(?:secret|access|private|master|signing|encryption)[_.-]?key)(?:[_.-]?(?:\d+|dev|prod|test|staging|local|old|new))?$`}

// peculiar reports whether a short value is none that stands in texts for other reasons: no word, no number or measure, no version, time or address.
func peculiar(value string) bool {
	letters, digits := 0, 0
	for _, c := range []byte(value) {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|' ' && c|' ' <= 'z':
			letters++
		}
	}
	switch rest := len(value) - letters - digits; {
	case rest == 0 && letters == 0:
		return digits >= 6
	case rest == 0 && digits == 0:
		odd := strings.ToLower(value[1:]) != value[1:] && strings.ToUpper(value) != value // capitals within make no word
		return (letters >= 8 || letters >= 6 && odd) && !lists.Has(usualWords, strings.ToLower(value))
	case letters+digits < 3, placeholders.In(value):
		return false
	}
	return len(value) >= 5 && !measures.In(value) && !lists.Has(usualWords, strings.ToLower(strings.Trim(value, "0123456789_-.!")))
}

var (
	// measures are numbers with what they count, versions, times, addresses, paths and names of algorithms.
	measures = &lazy.Pattern{X: `(?i)^(?:v?[\d.,:+-]+(?:[a-z]{1,4})?|[\d.:/tzT+-]+|\d{4}-\d\d.*|[a-z]{2,4}-?\d{1,2}|(?:sha|md|aes|hs|rs|es|utf|iso|base|oauth|http|ipv|tls|ssl)[-_/]?[\d.]+.*|\w+\.[a-z]{1,4}|[a-z]{2}-[a-z]+-\d|/.*|\./.*|\.\./.*|~/.*|[a-z]:\\.*)$`}
	unparted = &lazy.Pattern{X: `^[A-Za-z0-9!@#$%^&*?+=~]*[A-Za-z][A-Za-z0-9!@#$%^&*?+=~]*$`}
	dated    = &lazy.Pattern{X: `^\d{8}T\d{4,6}Z?$`}
	// placeholders are where a value would stand.
	placeholders = &lazy.Pattern{X: `^(?:\$.*|<.*>|\{.*\}|\[.*\]|%.*|[*xX.]+|!\w+|.*\$\{.*)$`}
)

// usualWords are what examples and images of containers are given for a password, and words that stand in texts for other reasons.
var usualWords = strings.Fields(`postgres postgresql mysql mariadb mongo mongodb redis rabbitmq minio minioadmin elastic kibana grafana oracle sqlite database
	admin administrator root user username guest default example sample test testing tests tester demo foobar dummy placeholder password passwd passphrase secret secrets token tokens
	changeme changeit change letmein welcome docker podman localhost local develop development developer production staging release debug verbose
	required optional enabled disabled enable disable undefined unknown unset empty hidden redacted insecure unsafe public private master primary replica
	string number integer boolean object array value values random generate generated service server client system config configuration settings
	application project django rails laravel wordpress symfony spring express nextjs nginx apache bearer basic digest internal external nothing something
	github gitlab google amazon azure docker-compose kubernetes keyring prompt inherit environment
	document response function variable constant resource position property template argument instance parameter directory workspace repository exception operation reference`)
