//go:build !linux

package index

func polite() {} // a thread has no priority of its own here that one may lower and leave
