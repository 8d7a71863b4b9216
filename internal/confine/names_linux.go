package confine

import (
	"encoding/binary"
	"net"
	"strings"
)

// resolver is the address at which the box answers for names, in its own network.
const resolver = "127.0.0.1:53"

// resolving is what stands at /etc/resolv.conf.
const resolving = "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"

// names answers what programs ask for names, and notes those that lead nowhere. Without it they would wait for a server that
// is not there.
func (o *observer) names(c net.PacketConn, leads map[string][4]byte) {
	buf := make([]byte, 1500)
	for {
		n, from, err := c.ReadFrom(buf)
		if err != nil {
			return
		}
		answer, name := answered(buf[:n], leads)
		if answer == nil {
			continue
		}
		if _, led := leads[name]; !led && name != "" {
			o.note(Refusal{Connect, name})
		}
		_, _ = c.WriteTo(answer, from)
	}
}

// answered is what is said to a question of RFC 1035 (section 4), and the name that it is about: its address where there is
// one, else that there is no such name.
func answered(question []byte, leads map[string][4]byte) (answer []byte, name string) {
	const head = 12
	if len(question) < head || question[2]&0x80 != 0 || binary.BigEndian.Uint16(question[4:]) != 1 {
		return nil, ""
	}
	var labels []string
	at := head
	for {
		if at >= len(question) {
			return nil, ""
		}
		n := int(question[at])
		if n == 0 {
			break
		}
		if n > 63 || at+1+n > len(question) {
			return nil, ""
		}
		labels = append(labels, strings.ToLower(string(question[at+1:at+1+n])))
		at += 1 + n
	}
	if at+5 > len(question) {
		return nil, ""
	}
	answer = append([]byte(nil), question[:at+5]...)
	const noSuchName = 3
	answer[2], answer[3] = 0x80|question[2]&0x01, 0x80
	copy(answer[6:head], make([]byte, 6))
	name = strings.Join(labels, ".")
	addr, led := leads[name]
	switch {
	case !led:
		answer[3] |= noSuchName
	case binary.BigEndian.Uint32(question[at+1:]) == 1<<16|1: // an address of the fourth version, of the internet
		answer[7] = 1
		answer = append(answer, 0xc0, head, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4)
		answer = append(answer, addr[:]...)
	}
	if !plausible(name) {
		name = ""
	}
	return answer, name
}

// plausible reports whether a name could be a host's: what a machine asks for its own sake is not what a command wants.
func plausible(name string) bool {
	return strings.Contains(name, ".") && !strings.HasSuffix(name, ".arpa") && !strings.HasSuffix(name, ".local") && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '.' && r != '-' && r != '_'
	})
}
