package tui

// suspend is not known here.
func (a *app) suspend() {}
