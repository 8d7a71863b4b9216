//go:build !linux

package confine

import "errors"

// NewView makes a view of a folder: nowhere here.
func NewView(string, string) (View, error) { return View{}, errors.ErrUnsupported }

// Try reports whether a view can be had: it cannot.
func (View) Try() error { return errors.ErrUnsupported }

// Changed tells nothing here.
func (View) Changed() ([]Entry, error) { return nil, errors.ErrUnsupported }

// Remove takes nothing away here.
func (View) Remove() error { return nil }
