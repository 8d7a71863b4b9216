package record

import "nebula"

// Often are the bodies that have a quick way.
var Often = often

// Quick is what the decoder reads by itself; ok is false where it would ask encoding/json.
func Quick(name, text string) (body nebula.Body, ok bool) {
	d := NewDecoder()
	_, _ = d.Body(name, "null") // makes the plans
	k := d.kinds[name]
	if k == nil {
		return nil, false
	}
	d.text, d.at = text, 0
	k.place.SetZero()
	ok = k.plan(d, k.place) && d.at == len(text)
	return k.place.Interface().(nebula.Body), ok
}
