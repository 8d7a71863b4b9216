package phrase

import "strings"

// Sequence is how many bytes behind an escape character belong to it: one of the sequences with which programs colour text,
// move the cursor and set titles; 0 where none begins. open says that the text ends before the sequence
// does, as far as can be told.
func Sequence(behind string) (n int, open bool) {
	if behind == "" {
		return 0, true
	}
	switch c := behind[0]; c {
	case '[':
		i := 1
		for i < len(behind) && behind[i] >= '0' && behind[i] <= '?' {
			i++
		}
		for i < len(behind) && behind[i] >= ' ' && behind[i] <= '/' {
			i++
		}
		if i == len(behind) {
			return 0, true
		}
		if behind[i] >= '@' && behind[i] <= '~' {
			return i + 1, false
		}
	case ']', 'P', 'X', '^', '_':
		ends := "\x1b"
		if c == ']' {
			ends = "\x07\x1b"
		}
		i := strings.IndexAny(behind, ends)
		switch {
		case i < 0, behind[i] == 0x1b && i+1 == len(behind):
			return 1, true
		case behind[i] == 0x07:
			return i + 1, false
		case behind[i+1] == '\\':
			return i + 2, false
		}
		return alone(c), false
	}
	return alone(behind[0]), false
}

// alone is the length of a sequence of one character behind the escape.
func alone(c byte) int {
	if c >= '@' && c <= '_' && c != '[' {
		return 1
	}
	return 0
}
