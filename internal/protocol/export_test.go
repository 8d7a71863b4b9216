package protocol

// Openings are what the calls of each form begin with.
func Openings() (all [][]string) {
	for _, f := range forms {
		all = append(all, f.opens)
	}
	return all
}
