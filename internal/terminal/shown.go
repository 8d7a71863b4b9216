package terminal

import (
	"context"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/phrase"
)

// mentions are the files that a message names with an at sign, in quotes where a name holds blanks.
var mentions = lazy.Regexp(`(?:^|\s)@(?:"([^"\n]+)"|(\S+))`)

// Mentioned are the files that a message names with an at sign and that are pictures by their names.
func Mentioned(text string) []string {
	var paths []string
	for _, m := range mentions().FindAllStringSubmatch(text, -1) {
		if name := m[1] + strings.TrimRight(m[2], ",.;:!?)、。"); nebula.Pictured(name) {
			paths = append(paths, name)
		}
	}
	return paths
}

// Show is what a message shows a model of pictures: of those that are given already by their names, else of files. Trouble is what
// cannot be shown, and why, in a language; empty where all is.
func Show(ctx context.Context, host nebula.Host, lang, model string, paths []string, given map[string]nebula.Image) (images []nebula.Image, trouble string) {
	say := func(err error) string { return phrase.Told(lang, phrase.Of(err)) }
	info, err := host.Model(ctx, model)
	if err != nil || !info.Images {
		return nil, say(nebula.Errorf("%s takes no pictures: it reads your words only", model))
	}
	for _, p := range paths {
		image, here := given[p]
		if !here {
			if image, err = host.Image(ctx, p); err != nil {
				trouble = say(err)
				continue
			}
		}
		if err := info.Takes(image); err != nil {
			trouble = say(nebula.Errorf("%s is not shown: %w", p, err))
			continue
		}
		images = append(images, image)
	}
	return images, trouble
}
