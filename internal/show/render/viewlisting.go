package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/subjects/listing"
	"github.com/tarebench/tare/record"
)

// ListingViews returns the annotated machine code of each case.
func ListingViews(cases []result.Profiled[record.Asm], cfg listing.Config) ([]*View, error) {
	var out []*View
	for _, c := range cases {
		title := benchmarkTitle(c)
		if c.Side != "" {
			title += " · " + c.Side
		}
		a, err := listing.Merge(c.Forks)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", title, err)
		}
		l, err := listing.New(a, cfg)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", title, err)
		}
		v := listingView(l, title, listingKeys{c.Pkg, c.Name, c.Side, ""})
		v.Listing = l
		out = append(out, v)
	}
	return out, nil
}

// ListingPairs returns the machine code of those benchmarks that were sampled on two sides,
// compared.
func ListingPairs(cases []result.Profiled[record.Asm], cfg listing.Config) ([]*View, error) {
	var out []*View
	for i, base := range cases {
		j := slices.IndexFunc(cases[i+1:], func(c result.Profiled[record.Asm]) bool {
			return c.Pkg == base.Pkg && c.Name == base.Name && c.Side != base.Side
		})
		if j < 0 {
			continue
		}
		side := cases[i+1+j]
		title := fmt.Sprintf("%s · %s → %s", benchmarkTitle(base), base.Side, side.Side)
		c, err := listing.Compare(base.Forks, side.Forks, pairConfig(cfg, slices.Concat(base.Forks, side.Forks)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", benchmarkTitle(base), err)
		}
		out = append(out, listingView(c, title, listingKeys{base.Pkg, base.Name, side.Side, base.Side}))
	}
	return out, nil
}

// pairConfig returns the configuration of a comparison. If both sides know CPU times, and nothing else was
// requested, it compares those: shares do not show which side is slower.
func pairConfig(c listing.Config, forks []*record.Asm) listing.Config {
	timed := func(a *record.Asm) bool { return a.Ops > 0 && a.Events[0].Period > 0 }
	if c.Counts == "" && !slices.ContainsFunc(forks, func(a *record.Asm) bool { return !timed(a) }) {
		c.Counts = listing.PerOp
	}
	return c
}

// benchmarkTitle returns the package and name of a case. It omits the side.
func benchmarkTitle(c result.Profiled[record.Asm]) string {
	if c.Pkg == "" {
		return c.Name
	}
	return c.Pkg + " · " + c.Name
}

// listingKeys say in JSON what a listing or a comparison is of, before what it says.
type listingKeys struct {
	Pkg  string `json:"pkg,omitempty"`
	Name string `json:"name"`
	Side string `json:"side,omitempty"`
	Base string `json:"base,omitempty"` // the side that it is compared with
}

func listingView(l interface {
	json.Marshaler
	Text(io.Writer, listing.Options) error
}, title string, keys listingKeys) *View {
	return &View{
		Title: title,
		Text: func(w io.Writer, o Options) error {
			title := title
			if !o.UTF8 {
				title = strings.NewReplacer(" · ", " | ", " → ", " -> ").Replace(title)
			}
			return l.Text(w, titled(o, title))
		},
		JSON: func(w io.Writer) error {
			var b bytes.Buffer
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
			_, err := termtext.JSON(w).Write(b.Bytes())
			return err
		},
	}
}

// titled returns o with a title.
func titled(o Options, title string) Options {
	o.Title = title
	return o
}
