package dialect_test

import "testing"

// A file that is handed over whole, under its name, is an edit that asks; what else stands in a code block is an answer.
func TestAFileThatIsHandedOverIsAnEditThatAsks(t *testing.T) {
	const edit = `?editFile {"new_content":"x = 2\n","path":"a.py"}`
	fence := func(label, text string) string { return "```" + label + "\n" + text + "```" }
	for text, want := range map[string]string{
		"Here is the fixed file a.py:\n" + fence("python", "x = 2\n"):                                         edit,
		"The sign was wrong.\n\nHere's the corrected `a.py`:\n\n" + fence("", "x = 2\n") + "\nThat fixes it.": edit,
		"修正した a.py です。\n" + fence("python", "x = 2\n"):                                                        edit,
		"a.py の修正版:\n" + fence("py", "x = 2\n"):                                                               edit,
		"Here is an example of a.py:\n" + fence("python", "x = 2\n"):                                          "",
		"Here is a.py as it stands:\n" + fence("python", "x = 2\n"):                                           "",
		"Here is how the fixed function would look:\n" + fence("python", "x = 2\n"):                           "",
		"Here is the fixed a.py:\n" + fence("python", "x = 2\n") + "\nShall I write it?":                      "",
		"Here is the fixed a.py:\n" + fence("", "x = 2\n") + "\nand b.py:\n" + fence("", "y = 2\n"):           "",
		"Here is the new output of a.py:\n" + fence("12:14:a.py", "x = 2\n"):                                  "",
	} {
		if got := acts(decode(text)); got != want {
			t.Errorf("%q:\n%s\nwant %s", text, got, want)
		}
	}
}
