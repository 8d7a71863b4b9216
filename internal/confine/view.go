package confine

import "io/fs"

// A View is a folder as a command sees it that may change it while it stays as it is: what is changed goes to Upper, which
// holds a whole copy of each changed file, and marks for what is gone. Upper and Work are empty folders of one file system,
// made by [NewView], and belong to one command. Nothing of it lasts by itself: [View.Changed] tells what is different, and
// [View.Remove] takes it away.
//
// What differs from the folder itself: a folder that was there before cannot be renamed in one step (rename(2) gives EXDEV;
// mv copies it instead), and of a file with several names only the one is changed that was used.
type View struct {
	Lower string // the folder
	Upper string
	Work  string
	Since int64 // what changed in the folder after it (ctime, in nanoseconds) was changed while the view was in use
}

// An Entry is a path at which a view differs from its folder, or may.
type Entry struct {
	Path string      // relative, with slashes; "." for the folder itself
	Gone bool        // what was there in the folder, with all that is below it, is not there in the view
	Mode fs.FileMode // of what is there, which may have been opened to be read since
	Was  bool        // it is a changed copy of what was there, not something new in its place
}
