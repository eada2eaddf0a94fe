package listing

import (
	"errors"
	"fmt"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// ErrNoSamples is what New returns, wrapped, where there is nothing to show.
var ErrNoSamples = errors.New("no samples")

// A Listing is what a record says about where a program spent its time. It is
// not changed once it is made: goroutines may show it at the same time.
type Listing struct {
	asm   *record.Asm
	cfg   Config
	unit  unit
	funcs []*function
	all   []int64 // samples of each event

	regions []*region // most samples first
	own     *region   // the hottest of the user's own code, see ownHottest; nil: no region has code
	inlined []row     // functions, by the innermost that was inlined
	symbols []row     // functions, as the linker knows them
	areas   []row

	warnings []Warning
}

// Warning is a warning about a listing.
type Warning = result.Warning

// New splits the record into functions. It keeps a, which must not be changed from then on.
//
// It fails if the configuration or the record is invalid. The error wraps [ErrNoSamples] if there are too few samples, and
// says how long to measure. Code of an architecture that cannot be disassembled is a warning, not an error: the lists are
// complete without it.
func New(a *record.Asm, c Config) (*Listing, error) {
	if a == nil {
		return nil, errors.New("listing: no record")
	}
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("listing: %w", err)
	}
	if err := a.Validate(); err != nil {
		return nil, fmt.Errorf("listing of %s: %w", a.Binary, err)
	}
	l := &Listing{asm: a, cfg: c.filled()}
	for _, e := range a.Events {
		l.all = append(l.all, e.Samples)
	}
	if l.all[0] == 0 {
		return nil, fmt.Errorf("listing of %s: %w", a.Binary, noSamples(&a.Events[0]))
	}
	l.unit = newUnit(a, l.cfg.Counts)
	l.split()
	l.sortRegions()
	l.own = l.ownHottest()
	l.makeLists()
	l.warn()
	return l, nil
}

// Warnings returns the warnings about the listing, the gravest first. Text and JSON have
// them, too.
func (l *Listing) Warnings() []Warning { return l.warnings }

// split disassembles the functions and finds their regions.
func (l *Listing) split() {
	var unreadable error
	for i := range l.asm.Funcs {
		f := newFunction(&l.asm.Funcs[i], len(l.all))
		if err := f.disassemble(l.asm.Arch, l.cfg.Syntax); err != nil {
			unreadable = err
		}
		l.funcs = append(l.funcs, f)
		if l.selected(f) {
			l.regions = append(l.regions, f.whole())
			continue
		}
		l.regions = append(l.regions, f.regions(l.cfg.Merge, l.cfg.Margin)...)
	}
	if unreadable != nil {
		l.warnings = append(l.warnings, Warning{Code: "no-disassembler", Text: unreadable.Error()})
	}
}

// selected reports whether a function is to be shown whole.
func (l *Listing) selected(f *function) bool {
	return l.cfg.Func != nil && l.cfg.Func.MatchString(f.rec.Name)
}

// hot reports whether the share of a region is above the threshold.
func (l *Listing) hot(r *region) bool { return l.share(r.samples) > l.cfg.Hot }

// share returns the share that samples have of all samples of the first event, 0 to 1.
func (l *Listing) share(samples []int64) float64 {
	return float64(samples[0]) / float64(l.all[0])
}

// many reports whether there is more than one kind of event.
func (l *Listing) many() bool { return len(l.all) > 1 }
