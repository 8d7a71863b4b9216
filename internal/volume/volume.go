// Package volume tells of the file system that a path is on what its errors do not.
package volume

import "io/fs"

// Crowded reports whether fewer files than are needed can still be made where path is, though there is space: the file
// system holds as many as it can. path need not exist; where it cannot be told it is false.
//
//go:noinline
func Crowded(path string, need int) bool { return crowded(path, need) }

// Owner is the number of the user that a file belongs to, where the system has such numbers.
func Owner(info fs.FileInfo) (uid int, known bool) { return owner(info) }
