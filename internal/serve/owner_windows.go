package serve

import "io/fs"

// owned reports whether a file is this user's: what lies in a person's folder there is.
func owned(fs.FileInfo) bool { return true }
