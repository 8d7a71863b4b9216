package symops

func parseStrict(text string) (*Document, bool) { return nil, false }
