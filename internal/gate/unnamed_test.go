package gate

import (
	"strings"
	"testing"
)

// A word in the place of a program that the shell makes one of only when it runs is told as a program that may be any.
func TestWhichProgramIsNotSaid(t *testing.T) {
	for line, want := range map[string]bool{
		"/b?n/rm x": true, "/bin/r[m] x": true, "rm${IFS}x": true, "r* x": true, "{rm,x}": true, "$X y": true, "a && $X y": true, "echo $($X y)": true,
		"env r? x": true, "env A=1 r? x": true, "sudo $X y": true, "ls | xargs r?": true, "timeout 5 $X": true, "find . -exec $X ;": true,
		"bash -c \"$X y\"": true, "eval $X": true, "eval rm${IFS}x": true,
		"X=rm; $X x": false, "ls *.go": false, "ls $X": false, "[ -f x ]": false, "[[ -f $X ]]": false, "for f in *; do wc $f; done": false,
		"ls | xargs -I {} cp {} x": false, "trap \"kill $X\" EXIT": false, "r\"m\" x": false, "A=$X ls": false, "echo $(ls *)": false, "bash x.sh $Y": false,
	} {
		got := false
		for _, a := range Started(line) {
			got = got || a.Name == "run" && strings.HasPrefix(a.By, Unnamed)
		}
		if got != want {
			t.Errorf("%s: %v, %v", line, got, Started(line))
		}
	}
}
