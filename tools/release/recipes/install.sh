#!/bin/sh
# Installs nebula {{.Version}} for this machine into ~/.local/bin, or into the folder that is given:
#   sh install.sh [FOLDER]
# What was fetched is checked against the checksums in this script before anything is put in place.
set -eu

main() {
	to="${1:-$HOME/.local/bin}"
	case "$(uname -s)/$(uname -m)" in
{{- range .Unix}}
	{{.Uname}}) url={{.URL}} sum={{.Sum}} folder={{.Folder}} ;;
{{- end}}
	*) fail "there is no binary for $(uname -s) on $(uname -m)" ;;
	esac
	work="$(mktemp -d)"
	trap 'rm -rf "$work"' EXIT INT TERM
	fetch "$url" "$work/archive" || fail "$url could not be fetched"
	[ "$(digest "$work/archive")" = "$sum" ] || fail "$url is not what this script was made for: nothing was installed"
	tar -xzf "$work/archive" -C "$work"
	mkdir -p "$to" || fail "$to cannot be made: give another folder"
	cp "$work/$folder/nebula" "$to/.nebula.new" && chmod 755 "$to/.nebula.new" && mv -f "$to/.nebula.new" "$to/nebula" ||
		fail "$to cannot be written: give another folder"
	"$to/nebula" version
	case ":$PATH:" in
	*":$to:"*) ;;
	*) echo "add $to to your PATH: export PATH=\"$to:\$PATH\"" ;;
	esac
}

fail() {
	echo "nebula: $1" >&2
	exit 1
}

fetch() {
	if command -v curl >/dev/null; then
		curl -fsSL -o "$2" "$1"
	elif command -v wget >/dev/null; then
		wget -qO "$2" "$1"
	else
		fail "curl or wget is needed"
	fi
}

digest() {
	if command -v sha256sum >/dev/null; then
		sha256sum "$1" | cut -d' ' -f1
	else
		shasum -a 256 "$1" | cut -d' ' -f1
	fi
}

main "$@"
