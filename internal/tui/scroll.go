package tui

// A scroll is the window on the conversation: which rows of which blocks are seen. Only those are laid out, however long
// the conversation is. The zero scroll follows the newest.
type scroll struct {
	held bool // the person scrolled away: what is seen stays
	top  int  // the block that the window begins in, when held
	skip int  // rows of it above the window
	warm []*block
	seen []spot
}

// A spot is what a row of the window is of: the block's index, and the row within it; -1 for none.
type spot struct{ block, row int }

// leadHeight is how many rows a window has that gives one to the head of what it begins in the middle of.
const leadHeight = 7

// warmMax is how many blocks keep their rows though they are out of sight.
const warmMax = 400

// window is the rows that are seen, exactly height of them: the newest stand at the bottom, and a conversation that is
// shorter begins at the top. Where head has a row for what the window begins in the middle of, that stands above the rest.
func (s *scroll) window(blocks []*block, height int, draw func(i int) []string, head func(top, skip int) string) []string {
	s.cool()
	if s.top >= len(blocks) {
		s.held = false
	}
	if !s.held {
		s.tail(blocks, height, draw)
	}
	rows := make([]string, 0, height)
	s.seen = s.seen[:0]
	if lead := head(s.top, s.skip); lead != "" && height >= leadHeight {
		if !s.held {
			s.tail(blocks, height-1, draw)
		}
		rows, s.seen = append(rows, lead), append(s.seen, spot{-1, 0})
	}
	skip := s.skip
	for i := s.top; i < len(blocks) && len(rows) < height; i++ {
		of := draw(i)
		for r := min(skip, len(of)); r < len(of) && len(rows) < height; r++ {
			rows = append(rows, of[r])
			s.seen = append(s.seen, spot{i, r})
		}
		skip = 0
		s.warm = append(s.warm, blocks[i])
	}
	for len(rows) < height {
		rows = append(rows, "")
		s.seen = append(s.seen, spot{-1, 0})
	}
	return rows
}

// tail puts the window on the last rows.
//
//go:noinline
func (s *scroll) tail(blocks []*block, height int, draw func(i int) []string) {
	left := height
	s.top, s.skip = 0, 0
	for i := len(blocks) - 1; i >= 0; i-- {
		n := len(draw(i))
		if n >= left {
			s.top, s.skip = i, n-left
			return
		}
		left -= n
	}
}

// by moves the window up (negative) or down. Where it comes to the end it follows the newest again.
func (s *scroll) by(n int, blocks []*block, height int, draw func(i int) []string) {
	if len(blocks) == 0 {
		return
	}
	if !s.held {
		s.tail(blocks, height, draw)
	}
	s.held = true
	for n < 0 && (s.top > 0 || s.skip > 0) {
		if s.skip > 0 {
			step := min(s.skip, -n)
			s.skip, n = s.skip-step, n+step
			continue
		}
		s.top--
		s.skip = len(draw(s.top))
	}
	for n > 0 && s.top < len(blocks) {
		rest := len(draw(s.top)) - s.skip
		if n < rest {
			s.skip += n
			break
		}
		s.top, s.skip, n = s.top+1, 0, n-rest
	}
	s.atEnd(blocks, height, draw)
}

// atEnd lets go when what stands below the window's top fits into it.
//
//go:noinline
func (s *scroll) atEnd(blocks []*block, height int, draw func(i int) []string) {
	rows := -s.skip
	for i := s.top; i < len(blocks); i++ {
		if rows += len(draw(i)); rows > height {
			return
		}
	}
	s.held = false
}

// show moves the window so that a block is in it.
func (s *scroll) show(i int, blocks []*block, height int, draw func(i int) []string) {
	for _, spot := range s.seen {
		if spot.block == i && spot.row <= 1 { // the first row may be the free one above
			return
		}
	}
	s.held, s.top, s.skip = true, i, 0
	s.by(-height/3, blocks, height, draw)
}

// cool lets go of the rows of blocks that were seen long ago.
func (s *scroll) cool() {
	if len(s.warm) < warmMax {
		return
	}
	for _, b := range s.warm[:len(s.warm)-warmMax/4] {
		b.rows = nil
	}
	s.warm = append(s.warm[:0], s.warm[len(s.warm)-warmMax/4:]...)
}
