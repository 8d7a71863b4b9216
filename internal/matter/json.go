package matter

import "bytes"

// Plain is JSON without the comments and the commas before an end that editors allow.
func Plain(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); {
		rest := data[i:]
		switch {
		case rest[0] == '"':
			n := 1
			for n < len(rest) && rest[n] != '"' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			n = min(n+1, len(rest))
			out, i = append(out, rest[:n]...), i+n
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			i += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest, []byte("*/"))
			if n < 0 {
				n = len(rest) - 2
			}
			i += n + 2
		case rest[0] == '}' || rest[0] == ']':
			out = append(bytes.TrimRight(out, ", \t\r\n"), rest[0])
			i++
		default:
			out, i = append(out, rest[0]), i+1
		}
	}
	return out
}
