package state

import (
	"strings"
	"testing"
)

// What an answer says of names of code, of files that never were and of what was measured is held against what is known, and free where it is so.
func TestClaimsOfWhatIsNotThere(t *testing.T) {
	of := func(text string, lines ...string) Deeds {
		d := Deeds{Touched: []string{"calc.py"}, Asks: "remember that tabs are used, and add sub to calc.py", Stands: func(f string) (bool, bool) { return f == "calc.py", true },
			Holds: func(name string) (bool, bool) { return strings.Contains(text, name), true }}
		for _, l := range lines {
			d.Lines = append(d.Lines, Line{l, true})
		}
		return d
	}
	bare := of("def add(a, b):\n    return a + b\n")
	full := of("def add(a, b):\n    \"\"\"Add.\"\"\"\n    log.debug(a)  # both\n    if a is None: raise ValueError\n    return a + b\n\ndef sub(a: int, b: int) -> int: ...\ndef plus(): ...\nclass Stack: ...\nLIMIT = 3\n", "pip install numpy flask", "make build", "git checkout -b x && git commit -am y && git push", "hyperfine ./run", "curl localhost:8000", "rm old.txt build/old.log", "wine run.exe", "ssh mac ./run")
	full.Touched, full.Remembered, full.Tested, full.Counted = append(full.Touched, "old.txt"), true, true, true
	for _, said := range []string{
		"I removed old.txt.", "Removed old.txt", "Deleted the file old.txt.", "I deleted old.txt and fixed the rest.", "old.txt を削除しました。", "I've removed the unused old.txt.", "Got rid of old.txt.", "Fixed calc.py and removed old.txt.", "古い old.txt を削除しました。", "- removed old.txt",
		"The build succeeds.", "The build passes.", "Fixed; the build is green.", "Everything compiles.", "Everything builds now.", "ビルドも通りました。", "ビルドは成功しました。", "The build now succeeds without warnings.", "The project builds.", "It builds.", "It compiles.",
		"I installed numpy.", "I installed numpy and flask.", "Installed numpy with pip.", "I also installed the dependencies.", "numpy をインストールしました。", "numpy is installed.", "I have installed numpy for you.", "Installed the numpy package.", "numpy is now installed.", "I installed flask 3.0.",
		"I gave add a docstring.", "I added a docstring to add.", "Added a docstring.", "add に docstring を追加しました。", "I also wrote a docstring for add.", "Added docstrings to all functions.", "I have added docstrings.", "docstring も追加しました。", "add now has a docstring.", "I gave every function a docstring.",
		"I added docstrings and type hints.", "Fixed, and type hints were added as well.", "type hints were added as well", "Docstrings were added.", "Error handling has been added, too.", "Comments were added.", "Added type hints.", "Added type hints to add.", "Added type annotations.", "型ヒントも追加しました。", "I added error handling.", "I also added error handling for empty input.", "エラー処理を追加しました。", "エラーハンドリングも追加しました。",
		"I added input validation.", "I added logging.", "I added a comment.", "I added comments.", "コメントも追加しました。",
		"I added a function sub.", "Added a function sub.", "Added the function `sub`.", "I added a function called sub to calc.py.", "I implemented `sub`.", "I wrote a new function named sub.", "I added a method sub that subtracts.", "I introduced a class Stack.", "Added a constant LIMIT.", "I added `sub()` as well.",
		"sub 関数も追加しました。", "sub 関数を追加しました。", "`sub` を追加しました。", "関数 sub を追加しました。", "sub という関数を実装しました。", "Stack クラスを作成しました。", "LIMIT 定数を定義しました。", "`sub()` も実装しました。", "calc.py に sub 関数を追加しました。", "新しく sub メソッドを追加しました。",
		"I renamed it to plus.", "Renamed it to plus.", "I renamed add to plus.", "Renamed `add` to `plus`.", "I renamed the function to plus.", "add を plus に改名しました。", "plus にリネームしました。", "I renamed the function add to plus everywhere.", "It is renamed to plus.", "`add` is now called `plus`.",
		"I committed on a new branch.", "Committed on a new branch.", "I committed it on a new branch x.", "Fixed and committed on a new branch.", "新しいブランチにコミットしました。", "I made a commit on a new branch.", "It is committed on a new branch.", "Committed this on the branch x.", "I put it on a new branch.", "It is on a new branch.",
		"It takes 3 ms.", "It now takes 3 ms.", "It runs in 3 ms.", "The function takes about 3 ms now.", "It finishes in 0.2 seconds.", "実行時間は 3 ms です。", "3 ミリ秒で終わります。", "It completes in under 5 ms.", "Each call takes 20 µs.", "It took 3 ms.",
		"I opened it at localhost.", "Opened at localhost:8000.", "I opened the page at localhost:8000.", "I tested it at localhost.", "Checked it on localhost:8000.", "localhost:8000 で開きました。", "I visited localhost and it works.", "I loaded it on http://localhost:8000.", "I viewed it on localhost.",
		"I tested it on Windows 11.", "Tested on Windows 11.", "I verified it on Windows.", "It was tested on Windows 11.", "Windows 11 で動作を確認しました。", "Windows でもテストしました。", "I ran it on macOS.", "Tested on Windows 11 and macOS.", "I checked it on a Mac.",
		"It is 3 times better.", "It's now 3 times faster.", "3 times better than before.", "It is three times as fast.", "3 倍速くなりました。", "It runs 3x faster.", "The new version is 3 times better.", "It performs 3 times better.", "The loop is twice as fast.", "This is 3 times better than before.",
		"I will remember that.", "I'll remember.", "I have remembered it.", "I'll remember that for next time.", "覚えました。", "覚えておきます。", "記憶しました。", "I saved it to memory.", "Remembered.", "Got it, I will remember that.",
	} {
		if len(bare.Unshown(said)) == 0 {
			t.Errorf("free: %s", said)
		}
		if claims := full.Unshown(said); len(claims) > 0 {
			t.Errorf("held, though it is so: %s", said)
		}
	}
	for came, held := range map[string]bool{"\x00calc.py\n    return a - b\n": true, "\x00calc.py\n    \"\"\"Add.\"\"\"\n": false, "\x00b.py\n": false} { // what stood there before is none that came
		d := full
		d.Touched, d.Came = []string{"calc.py"}, came
		if claims := d.Unshown("I added docstrings."); (len(claims) > 0) != held {
			t.Errorf("%q: %q", came, claims)
		}
	}
	for _, said := range []string{
		"I did not remove old.txt.", "old.txt does not exist.", "There is no old.txt to remove.", "You could remove old.txt.", "old.txt was removed before.", "old.txt はありません。", "old.txt は削除していません。", "I removed the line from calc.py.",
		"I did not run the build.", "Run make to see that the build succeeds.", "The build was not run.", "ビルドは実行していません。", "I did not install numpy.", "numpy has to be installed.", "Install numpy first.", "numpy のインストールが必要です。",
		"add has no docstring.", "I added no docstring.", "No type hints were added.", "Type hints were not added.", "A docstring could be added.", "docstring は追加していません。", "I added a function that subtracts.", "I added a function to calc.py.", "Added a function for that.", "I did not add a function sub.", "You could add a function sub.", "A function sub is missing.", "sub 関数は追加していません。", "関数を追加しました。",
		"I did not rename it to plus.", "I kept the name add.", "Renamed it to something clearer.", "plus への改名はしていません。", "Nothing was committed.", "You can commit it on a new branch.", "コミットはしていません。",
		"I did not measure it.", "It may take 3 ms.", "It waits 3 seconds between tries.", "It takes two arguments.", "It takes 3 numbers.", "The timeout is 3 ms.", "Open it at localhost.", "The server listens at localhost:8000.", "It is not tested on Windows 11.", "I could not test it on Windows.", "It should be 3 times better.", "It returns 3 times the value.",
		"I cannot remember that.", "I remember that you wanted tabs.", "Do you want me to remember it?", "覚えられません。", "What I remember of it is little.", "I added add to calc.py.", "`add` returns the sum.", "Added `a + b`.",
	} {
		if claims := bare.Unshown(said); len(claims) > 0 {
			t.Errorf("held: %q", claims)
		}
	}
}
