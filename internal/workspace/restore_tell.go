package workspace

import (
	"nebula"
	"nebula/internal/lists"
)

// outcome are the changes that were made, as they are taken back in their turn, and what was left.
func (r *undoing) outcome() (made []nebula.Change, left []nebula.Left, err error) {
	for _, i := range r.items {
		if i.left != nil {
			if c, part := r.partly(i); part {
				made = append(made, c)
			}
			left = append(left, *i.left)
			continue
		}
		if i.apart != nil {
			left = append(left, nebula.Left{Path: display(i.path), Why: nebula.Apart, Text: reason(i.apart).Error()})
			continue
		}
		if i.between {
			left = append(left, nebula.Left{Path: display(i.path), Why: nebula.ChangedBetween})
		}
		if i.foreign {
			left = append(left, nebula.Left{Path: display(i.path), Why: nebula.OtherOwner})
		}
		if !i.want.exists() && i.chain[len(i.chain)-1].dir() && r.stays(i) {
			continue
		}
		now, already, twin := i.now, i.done && i.now.same(i.want), r.twinNow(i.path)
		if already || i.begun() { // by an undo that was cut off
			now = i.chain[len(i.chain)-1]
			i.nowTime, i.upTime = i.last.TimeAfter, i.last.FolderAfter
		}
		c := change(display(i.path), now, i.want)
		if now.same(i.want) {
			c.Kind = "time"
		}
		c.Raw, c.Already, c.Ignored = i.raw, already, i.last.Ignored
		c.TwinBefore, c.TwinAfter = twin, i.twin
		if i.time != 0 || i.last.TimeAfter != 0 {
			c.TimeBefore, c.TimeAfter = i.nowTime, i.time
		}
		if i.folder != 0 {
			c.FolderBefore, c.FolderAfter = i.upTime, i.folder
		}
		made = append(made, c)
	}
	r.d.claimed("", made)
	return made, append(left, r.d.strays()...), nil
}

// begun reports whether what stood at a path was on the way from what the changes left there to what was there before.
func (i *item) begun() bool {
	last := i.chain[len(i.chain)-1]
	return !i.now.equal(last) && (i.now.equal(i.want) || !i.now.exists() && last.exists())
}

// cut reports whether an undo that was cut off has done something at a path already.
func (r *undoing) cut(i *item) bool {
	names := func(twin string) bool {
		return twin == "" && i.now.stat.links < 2 || twin != "" && lists.Has(r.names[i.path], twin)
	}
	return i.begun() || i.already && (!i.now.same(i.chain[len(i.chain)-1]) || i.now.file() && names(i.twin) && !names(i.last.TwinAfter))
}

// stays reports whether a directory that was to go is still there.
func (r *undoing) stays(i *item) bool {
	s, err := r.exact(i.path)
	if err != nil {
		return false
	}
	defer s.close()
	return len(s.rest) == 0 && s.stat.mode.IsDir()
}
