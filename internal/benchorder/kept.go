package benchorder

// Kept calls line with each line of the record of an order that was run with the same Records, as Run did while it ran:
// for a machine that was out of reach meanwhile. The error is that of line, or of the file.
func (r Runner) Kept(o Order, line func([]byte) error) error {
	if err := o.Validate(); err != nil {
		return err
	}
	t := &tail{path: r.kept(o), line: o.labelled(line)}
	defer t.close()
	if err := t.open(); err != nil {
		return err
	}
	t.read()
	return t.err
}
