package historyrun

import (
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/record"
)

// Every returns each nth commit of a line, the last one among them, the oldest first.
func Every(line []trend.Commit, n int) (out []trend.Commit) {
	for i := (len(line) - 1) % max(n, 1); i >= 0 && i < len(line); i += max(n, 1) {
		out = append(out, line[i])
	}
	return out
}

// Sequences divides commits into sequences of at most size commits. Adjacent commits are in different sequences. A slow
// sequence therefore looks like noise, not like a change of level, and a run that ends early covers the whole line.
func Sequences(commits []trend.Commit, size int) [][]trend.Commit {
	n := (len(commits) + size - 1) / size
	out := make([][]trend.Commit, n)
	for i, c := range commits {
		out[i%n] = append(out[i%n], c)
	}
	return out
}

// Done is what a store holds of a plan on a machine.
type Done struct {
	Machine, Toolchain, Plan string

	Commits map[string]bool   // that were measured, or of which is known why they cannot be
	bins    map[string]string // commits by package and digest of their test binaries
}

// Add takes an entry of the store.
func (d *Done) Add(_ history.File, e *history.Entry) {
	if e.Dirty || e.Machine != d.Machine || e.Toolchain != d.Toolchain || e.Plan != d.Plan {
		return
	}
	if d.Commits == nil {
		d.Commits = map[string]bool{}
	}
	d.Commits[e.Commit] = true
	for i := range e.Series {
		d.know(e.Series[i].Pkg, e.Series[i].Bin, e.Commit)
	}
}

// Forget forgets what was measured, so that it is measured again.
func (d *Done) Forget() { d.Commits, d.bins = nil, nil }

// know notes which commit a test binary was measured of.
func (d *Done) know(pkg, bin, commit string) {
	if d.bins == nil {
		d.bins = map[string]string{}
	}
	if key := pkg + " " + bin; bin != "" && d.bins[key] == "" {
		d.bins[key] = commit
	}
}

// of returns the commit that a test binary was measured of with the same files; "" if it was not.
func (d *Done) of(b *record.Bin) string { return d.bins[b.Pkg+" "+binOf(b)] }

// binOf returns what an entry holds of a test binary: a digest of it and of the files that it can read, "" if that is not known.
func binOf(b *record.Bin) string {
	p := b.Program()
	return p[:min(len(p), binDigits)]
}
