package workspace

import "golang.org/x/text/unicode/norm"

// sameForm reports whether two names are the same text in whatever Unicode form.
func sameForm(a, b string) bool { return norm.NFC.String(a) == norm.NFC.String(b) }
