package terminal

// Spoken is the name of our command for a word that people know from elsewhere; any other word stays as it is.
func Spoken(name string) string {
	switch name {
	case "clear":
		return "new"
	case "cost", "usage":
		return "status"
	case "resume", "continue":
		return "sessions"
	}
	return name
}
