package workspace

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
)

// The log of an album is a row of blocks, one for each look at the folder that found something new: its length and its
// checksum, 32 bits each, then the look's number, the folder's own mark, and every directory whose entries are others
// than at the look before. A block that is not whole was being written when nebula ended: what it would say did not
// count yet.

// encodeLook makes a block.
func encodeLook(number uint64, top *kid, dirty []written) []byte {
	b := make([]byte, 8, 4096)
	b = binary.AppendUvarint(b, number)
	b = encodeKid(b, top)
	b = binary.AppendUvarint(b, uint64(len(dirty)))
	for _, w := range dirty {
		b = encodeText(b, w.path)
		if w.dir.fault {
			b = append(b, 1)
			continue
		}
		b = append(b, 0)
		b = binary.AppendUvarint(b, uint64(len(w.dir.kids)))
		for i := range w.dir.kids {
			b = encodeKid(b, &w.dir.kids[i])
		}
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-8))
	binary.LittleEndian.PutUint32(b[4:], crc32.ChecksumIEEE(b[8:]))
	return b
}

//go:noinline
func encodeText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func encodeKid(b []byte, k *kid) []byte {
	b = encodeText(b, k.name)
	m := k.mark
	for _, n := range []uint64{m.dev, m.ino, uint64(m.size), uint64(m.mtime), uint64(m.ctime), uint64(m.mode), uint64(m.links), uint64(m.uid), uint64(m.gid)} {
		b = binary.AppendUvarint(b, n)
	}
	b = encodeText(b, k.link)
	i := k.kept
	if i == nil {
		return append(b, 0)
	}
	flag := byte(1)
	if i.cloned {
		flag = 2
	}
	b = append(b, flag)
	b = binary.AppendUvarint(b, i.big)
	b = binary.AppendUvarint(b, uint64(i.off))
	b = binary.AppendUvarint(b, uint64(i.seen))
	b = binary.AppendUvarint(b, uint64(len(i.more)))
	for _, name := range slices.Sorted(maps.Keys(i.more)) {
		b = encodeText(encodeText(b, name), string(i.more[name]))
	}
	return b
}

// A decoder reads a block. What does not fit makes it bad, and zeros of everything after.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return n
}

// count is a number of things that are still to come, at least a byte each.
func (d *decoder) count() int {
	n := d.number()
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) text() string {
	n := d.count()
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

//go:noinline
func (d *decoder) flag() byte {
	if len(d.b) == 0 {
		d.bad = true
		return 0
	}
	f := d.b[0]
	d.b = d.b[1:]
	return f
}

func (d *decoder) kid() (k kid) {
	k.name = d.text()
	m := &k.mark
	m.dev, m.ino, m.size, m.mtime, m.ctime = d.number(), d.number(), int64(d.number()), int64(d.number()), int64(d.number())
	m.mode, m.links, m.uid, m.gid = fs.FileMode(d.number()), uint32(d.number()), uint32(d.number()), uint32(d.number())
	k.link = d.text()
	if flag := d.flag(); flag > 0 {
		k.kept = &image{cloned: flag == 2, big: d.number(), off: int64(d.number()), seen: int64(d.number())}
		for range d.count() {
			if k.kept.more == nil {
				k.kept.more = extras{}
			}
			name := d.text()
			k.kept.more[name] = []byte(d.text())
		}
	}
	return k
}

// readLog reads the looks of a log, up to the one with a number where that is not 0. It gives back the last, its number,
// and where it ends in the log. A log without any gives nil.
func readLog(f *os.File, until uint64) (top *kid, number uint64, end int64, err error) {
	data, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<40))
	if err != nil {
		return nil, 0, 0, err
	}
	dirs := map[string]*folder{}
	for len(data) >= 8 {
		size := int(binary.LittleEndian.Uint32(data))
		if size > len(data)-8 || crc32.ChecksumIEEE(data[8:8+size]) != binary.LittleEndian.Uint32(data[4:]) {
			break
		}
		d := &decoder{b: data[8 : 8+size]}
		number = d.number()
		k := d.kid()
		for range d.count() {
			p, dir := d.text(), &folder{fault: d.flag() == 1}
			if !dir.fault {
				dir.kids = make([]kid, d.count())
				for i := range dir.kids {
					dir.kids[i] = d.kid()
				}
			}
			dirs[p] = dir
		}
		if d.bad {
			return nil, 0, 0, errBadLog
		}
		top, end, data = &k, end+8+int64(size), data[8+size:]
		if until > 0 && number == until {
			break
		}
	}
	if until > 0 && number != until {
		return nil, 0, 0, errBadLog
	}
	if top == nil {
		return nil, 0, 0, nil
	}
	return top, number, end, joined(top, ".", dirs)
}

var errBadLog = errors.New("the images of files cannot be read")

// joined puts the directories of a log together.
func joined(k *kid, at string, dirs map[string]*folder) error {
	if k.dir = dirs[at]; k.dir == nil {
		return errBadLog
	}
	under := at + "/"
	if at == "." {
		under = ""
	}
	for i := range k.dir.kids {
		if sub := &k.dir.kids[i]; sub.mark.mode.IsDir() {
			if err := joined(sub, under+sub.name, dirs); err != nil {
				return err
			}
		}
	}
	return nil
}
