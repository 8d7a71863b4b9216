//go:build !unix

package workspace

import "time"

func (s stat) changed() time.Time { return s.mtime }
