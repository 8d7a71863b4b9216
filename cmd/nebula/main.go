// Command nebula is a coding agent for the terminal.
package main

import "nebula/internal/cli"

func main() { cli.Main(cli.Linked{}) }
