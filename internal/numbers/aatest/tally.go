package aatest

// A Tally is how the windows so far were judged.
type Tally struct {
	Forks, ForksDifferent int
	Usual, UsualDifferent int
}

// Tally counts the windows so far, for a progress line.
func (d *Data) Tally() Tally {
	var t Tally
	for _, x := range d.list {
		n, k := count(x.forks.usable())
		t.Forks, t.ForksDifferent = t.Forks+n, t.ForksDifferent+k
		n, k = count(x.usual.usable())
		t.Usual, t.UsualDifferent = t.Usual+n, t.UsualDifferent+k
	}
	return t
}

// count returns how many windows there are and how many are called different.
func count(ws []*window) (n, different int) {
	for _, w := range ws {
		if w.different() {
			different++
		}
	}
	return len(ws), different
}
