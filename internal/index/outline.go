package index

// Definitions are what a file defines, by its language; none where it is in none that is known.
//
//go:noinline
func Definitions(path string, data []byte) []Symbol { return outlined(path, data).symbols }

// Code is a source with blanks for its comments and for what stands in its strings, its lines where they are. It is not known for
// plain text, and for what has a parser of its own.
func Code(path string, data []byte) (code string, ok bool) {
	l := languageOf(path, data)
	if l == nil || l.shape == headed || l.quotes == "" {
		return "", false
	}
	return l.blank(data), true
}
