package mcp

func odd([]string) bool { return false }
