package line

// suspend is not known here.
func (t *talk) suspend() {}
