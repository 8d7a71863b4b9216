//go:build !unix

package workspace

func pipe(string) bool { return false }
