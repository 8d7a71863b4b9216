//go:build !linux

package workspace

// below would open a directory some way below this one in one step.
func (h *handle) below(string) *handle { return nil }

// exchange would swap two files in one step.
func (h *handle) exchange(a, b string) (bool, error) { return false, nil }

// renameNew would rename a file to a name that nothing has.
func (h *handle) renameNew(a, b string) (bool, error) { return false, nil }
