package index

import "strings"

// What follows are the definitions of single languages that no word begins.

// assigned finds exports.name = function and Type.prototype.name = (…) => at a script's top.
func assigned(line string, depth int) (name, kind string) {
	left, right, ok := strings.Cut(line, "=")
	left, right = strings.TrimSpace(left), strings.TrimSpace(right)
	if !ok || depth > 1 || strings.HasPrefix(right, "=") || strings.ContainsAny(left, "()[]{}<>!\"' ") {
		return "", ""
	}
	if !strings.Contains(right, "=>") && !strings.HasPrefix(right, "function") && !strings.HasPrefix(right, "async") && !strings.HasPrefix(right, "class") {
		return "", ""
	}
	if name = lastName(left); name == "exports" || depth == 1 && strings.Contains(left, ".") {
		return "", ""
	}
	return name, "func"
}

// topLevel finds NAME = value and Name: type at the left edge.
func topLevel(line string, depth int) (name, kind string) {
	name = dotted(line)
	if depth > 0 || name == "" || name[0] >= '0' && name[0] <= '9' || strings.Contains(name, ".") || notNames[name] {
		return "", ""
	}
	rest := strings.TrimSpace(line[len(name):])
	if strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, ":") && strings.Contains(rest, "=") {
		return name, "const"
	}
	return "", ""
}

// defined finds macros.
func defined(line string, _ int) (name, kind string) {
	if rest, ok := strings.CutPrefix(line, "#"); ok {
		if rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "define "); ok {
			return dotted(strings.TrimSpace(rest)), "const"
		}
	}
	return "", ""
}

func shellFunction(line string, _ int) (name, kind string) {
	i := strings.Index(line, "()")
	if i <= 0 || strings.ContainsAny(line[:i], " \t$=\"'") && strings.ContainsAny(strings.TrimSpace(line[:i]), " \t$=\"'") {
		return "", ""
	}
	return strings.TrimSpace(line[:i]), "func"
}

func luaFunction(line string, _ int) (name, kind string) {
	left, right, ok := strings.Cut(line, "=")
	left = strings.TrimSpace(left)
	if !ok || !strings.HasPrefix(strings.TrimSpace(right), "function") || dotted(left) != left {
		return "", ""
	}
	return lastName(left), "func"
}

func haskellSignature(line string, depth int) (name, kind string) {
	name, _, ok := strings.Cut(line, "::")
	name = strings.TrimSpace(name)
	if !ok || depth > 0 || name == "" || strings.ContainsAny(name, " (,{") {
		return "", ""
	}
	return name, "func"
}

func sqlCreate(line string, _ int) (name, kind string) {
	words := strings.Fields(line)
	if len(words) < 3 || !strings.EqualFold(words[0], "create") {
		return "", ""
	}
	for i, w := range words[:len(words)-1] {
		switch w = strings.ToLower(w); w {
		case "table", "view", "function", "procedure", "trigger", "index", "type", "schema", "sequence":
			rest := words[i+1:]
			for len(rest) > 1 && (strings.EqualFold(rest[0], "if") || strings.EqualFold(rest[0], "not") || strings.EqualFold(rest[0], "exists")) {
				rest = rest[1:]
			}
			name, _, _ = strings.Cut(rest[0], "(")
			return strings.Trim(name, "\"`[];"), w
		}
	}
	return "", ""
}

func terraformBlock(line string, depth int) (name, kind string) {
	words := strings.Fields(strings.TrimSuffix(line, "{"))
	if depth > 0 || len(words) < 2 || !strings.HasSuffix(line, "{") {
		return "", ""
	}
	switch words[0] {
	case "resource", "data", "variable", "module", "output", "provider":
		return strings.Trim(words[len(words)-1], `"`), words[0]
	}
	return "", ""
}

func rFunction(line string, depth int) (name, kind string) {
	for _, arrow := range []string{"<-", "="} {
		if left, right, ok := strings.Cut(line, arrow); ok && depth == 0 && strings.HasPrefix(strings.TrimSpace(right), "function") {
			return dotted(strings.TrimSpace(left)), "func"
		}
	}
	return "", ""
}

func makeTarget(line string, depth int) (name, kind string) {
	name, rest, ok := strings.Cut(line, ":")
	if !ok || depth > 0 || strings.HasPrefix(rest, "=") || strings.ContainsAny(name, "=$ \t.%(") {
		return "", ""
	}
	return name, "target"
}

func cssRule(line string, depth int) (name, kind string) {
	if depth > 1 || !strings.HasSuffix(line, "{") || strings.HasPrefix(line, "@media") {
		return "", ""
	}
	return strings.TrimSpace(strings.TrimSuffix(line, "{")), "rule"
}
