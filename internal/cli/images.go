package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"nebula"
	"nebula/internal/terminal"
)

// pictures are those that --image gives and that words of the request name, as in @shot.png. What is no picture, or is for a
// model that takes none, is refused where it was given, and left to be read as a file where it is only named.
func (s *session) pictures(text string) (images []nebula.Image, err error) {
	_, info, resolved := resolve(s.config, s.env, s.words, s.config.Model)
	blind := resolved == nil && !info.Images && s.replay == ""
	if len(s.images) > 0 && blind {
		return nil, usage("%s takes no pictures; choose another model with --model, or say that it does: nebula config set models.%s.images true", s.config.Model, s.config.Model)
	}
	for _, path := range s.images {
		if strings.Contains(path, "://") {
			return nil, usage(filesOnly, "--image", path)
		}
		img, err := s.picture(path)
		if err == nil && resolved == nil && s.replay == "" {
			err = info.Takes(img)
		}
		if err != nil {
			return nil, usage("--image %s: %w", path, cause(err))
		}
		images = append(images, img)
	}
	for _, path := range terminal.Mentioned(text) {
		img, err := s.picture(path)
		if err == nil && resolved == nil && s.replay == "" && !blind {
			err = info.Takes(img)
		}
		switch {
		case blind && !errors.Is(err, os.ErrNotExist):
			s.warn("%s is not shown: %s takes no pictures", path, s.config.Model)
		case err != nil:
			s.warn("%s is not shown: %w", path, cause(err))
		default:
			images = append(images, img)
		}
	}
	return images, nil
}

// picture reads a picture that the person gives; it may be anywhere.
func (s *session) picture(path string) (nebula.Image, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, filepath.FromSlash(path))
	}
	info, err := os.Stat(path)
	if err != nil {
		return nebula.Image{}, err
	}
	if info.IsDir() {
		return nebula.Image{}, nebula.Errorf("it is a folder; name a picture in it")
	}
	if info.Size() > nebula.PictureRead || !info.Mode().IsRegular() {
		return nebula.Image{}, nebula.Errorf("it has more than %d MB; make it smaller", nebula.PictureRead>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nebula.Image{}, err
	}
	return nebula.Picture(data)
}
