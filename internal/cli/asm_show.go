package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/profiler/asm"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/listing"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

// asmPrinter shows what was sampled.
type asmPrinter struct {
	cfg     listing.Config
	show    *showFlags
	compare bool
	record  string // the file of the records, for --format jsonl
	chosen  bool   // --counts was given
}

// asmFormats are those that a listing has.
var asmFormats = []render.Format{render.Text, render.JSON, render.JSONL}

// withoutListing are the formats of reports that a listing does not have.
func withoutListing() []render.Format {
	return slices.DeleteFunc(slices.Clone(render.Formats()), func(f render.Format) bool { return slices.Contains(asmFormats, f) })
}

// printer checks the flags that say what is shown.
func (f *asmFlags) printer() (*asmPrinter, error) {
	cfg, err := f.list.config()
	if err != nil {
		return nil, err
	}
	format, err := f.show.check()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(asmFormats, format) {
		return nil, usageError(fmt.Errorf("--format %s: a listing has no such form", format), "there is text, json, and jsonl for the records")
	}
	if of, known := render.FormatOfPath(f.show.out); known && !slices.Contains(asmFormats, of) || !known && filepath.Ext(f.show.out) != "" {
		return nil, usageError(fmt.Errorf("-o %s: a listing has no such form", f.show.out), "use .jsonl (records), .json or .txt")
	}
	return &asmPrinter{cfg: cfg, show: &f.show}, nil
}

// sampled is one case of a record.
type sampled struct {
	pkg, name, side string
	title           string
	asms            []*record.Asm
}

// sampledIn are the cases of a summary that somebody sampled.
func sampledIn(sum *result.Result) []sampled {
	var out []sampled
	for _, x := range sum.Sampled {
		title := x.Name
		if x.Pkg != "" {
			title = x.Pkg + " · " + x.Name
		}
		out = append(out, sampled{pkg: x.Pkg, name: x.Name, side: x.Side, title: title, asms: x.Asm})
	}
	return out
}

// errNothingSampled is about a result without a listing.
var errNothingSampled = errors.New("nothing was sampled")

// summary shows all that was sampled in a run.
func (p *asmPrinter) summary(w io.Writer, format render.Format, sum *result.Result) error {
	if format == render.JSONL {
		return session.CopyFile(w, p.record)
	}
	cases := sampledIn(sum)
	if len(cases) == 0 {
		return whyNothing(sum)
	}
	return p.cases(w, format, cases)
}

// whyNothing finds out why a run has no listing: what failed, or what the sampler said.
// Other warnings are about figures, which are not asked for here.
func whyNothing(sum *result.Result) error {
	for _, r := range sum.Results {
		if r.Failed != "" {
			return failed(fmt.Errorf("%w: %s: %s", errNothingSampled, r.Name, r.Failed), "")
		}
	}
	for _, w := range sum.Warnings {
		if ofSampler(w.Text) {
			return failed(fmt.Errorf("%w: %s", errNothingSampled, w.Text), w.Advice)
		}
	}
	for _, r := range sum.Results {
		for _, w := range r.Warnings {
			if ofSampler(w.Text) {
				return failed(fmt.Errorf("%w: %s: %s", errNothingSampled, r.Name, w.Text), w.Advice)
			}
		}
	}
	return failed(errNothingSampled, "sample benchmarks by tare asm, or tare bench --prof asm")
}

// ofSampler tells by the name of the profiler before it what a warning is about.
func ofSampler(text string) bool { return strings.Contains(text, asm.Name+": ") }

// cases shows one after another, or two sides beside each other.
func (p *asmPrinter) cases(w io.Writer, format render.Format, cases []sampled) error {
	if p.compare {
		return p.pairs(w, format, cases)
	}
	for i, c := range cases {
		if i > 0 && format == render.Text {
			fmt.Fprintln(w)
		}
		title := c.title
		if c.side != "" {
			title += " · " + c.side
		}
		a, err := listing.Merge(c.asms)
		if err != nil {
			return failed(fmt.Errorf("%s: %w", title, err), "")
		}
		l, err := listing.New(a, p.cfg)
		if err != nil {
			return failed(fmt.Errorf("%s: %w", title, err), "")
		}
		if err := p.one(w, format, l, title, caseKeys{c.pkg, c.name, c.side, ""}); err != nil {
			return err
		}
	}
	return nil
}

// viewable is what can be shown as text and as JSON.
type viewable interface {
	json.Marshaler
	Text(io.Writer, listing.Options) error
}

// caseKeys say in JSON what a listing or a comparison is of, before what it says.
type caseKeys struct {
	Pkg  string `json:"pkg,omitempty"`
	Name string `json:"name"`
	Side string `json:"side,omitempty"`
	Base string `json:"base,omitempty"` // the side that it is compared with
}

// one shows one of them: as JSON in a line.
func (p *asmPrinter) one(w io.Writer, format render.Format, l viewable, title string, keys caseKeys) error {
	var b bytes.Buffer
	if format == render.JSON {
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(keys); err != nil {
			return err
		}
		b.Truncate(b.Len() - len("}\n"))
		at := b.Len()
		if err := e.Encode(l); err != nil {
			return err
		}
		b.Bytes()[at] = ',' // two objects become one
	} else {
		o := p.show.options(w)
		if !o.UTF8 {
			title = strings.NewReplacer(" · ", " | ", " → ", " -> ").Replace(title)
		}
		if err := l.Text(&b, listing.Options{Title: title, Width: o.Width, UTF8: o.UTF8, Color: o.Color}); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// pairs shows benchmarks of two sides.
func (p *asmPrinter) pairs(w io.Writer, format render.Format, cases []sampled) error {
	n := 0
	for i, old := range cases {
		j := slices.IndexFunc(cases[i+1:], func(c sampled) bool { return c.title == old.title && c.side != old.side })
		if j < 0 {
			continue
		}
		if n++; n > 1 && format == render.Text {
			fmt.Fprintln(w)
		}
		c, err := listing.Compare(old.asms, cases[i+1+j].asms, p.pairConfig(old.asms, cases[i+1+j].asms))
		if err != nil {
			return failed(fmt.Errorf("%s: %w", old.title, err), "")
		}
		base, side := old.side, cases[i+1+j].side
		if err := p.one(w, format, c, fmt.Sprintf("%s · %s → %s", old.title, base, side), caseKeys{old.pkg, old.name, side, base}); err != nil {
			return err
		}
	}
	if n == 0 {
		return failed(errors.New("nothing to compare: no benchmark was sampled on both sides"), "leave out --compare to see what was")
	}
	return nil
}

// pairConfig has times compared where both sides know them: shares do not tell which
// side is slower.
func (p *asmPrinter) pairConfig(sides ...[]*record.Asm) listing.Config {
	c := p.cfg
	if p.chosen {
		return c
	}
	for _, a := range slices.Concat(sides...) {
		if a.Ops == 0 || a.Events[0].Period == 0 {
			return c
		}
	}
	c.Counts = listing.PerOp
	return c
}
