package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/subjects/calls"
	"github.com/tarebench/tare/internal/show/subjects/profile"
	"github.com/tarebench/tare/record"
)

// ProfileDifferences returns the differences of what was sampled or traced on two sides, of each benchmark or program that
// is on both. The first side is the base. It returns none for a result without sides.
func ProfileDifferences(s *result.Result, shown StackOptions) ([]*View, error) {
	var out []*View
	for _, pair := range pairUp(s.Stacks) {
		v, err := stackDifference(pair, shown)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	for _, pair := range pairUp(s.Calls) {
		v, err := callsDifference(s, pair, shown)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// WriteDifferences writes differences in a format, as tare compare does. It refuses formats of benchmarks.
func WriteDifferences(w io.Writer, f Format, views []*View, o Options) error {
	switch f {
	case Text, Markdown, JSON:
		return WriteViews(w, f, views, o)
	case SVG:
		var b bytes.Buffer
		if err := writeViewPicture(&b, views); err != nil {
			return err
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	return &FormatError{f, record.KindSample, []Format{Text, Markdown, JSON, SVG, HTML}}
}

// Beside returns two results as one, whose profiles have the names of their sides. It has nothing but profiles.
func Beside(before, after *result.Result, names [2]string) *result.Result {
	out := &result.Result{Run: after.Run}
	for i, s := range []*result.Result{before, after} {
		out.Stacks = append(out.Stacks, asSide(s.Stacks, names[i])...)
		out.Calls = append(out.Calls, asSide(s.Calls, names[i])...)
	}
	return out
}

// asSide returns the profiles with a side's name, for profiles that have no side.
func asSide[T any](list []result.Profiled[T], side string) (out []result.Profiled[T]) {
	for _, x := range list {
		if x.Side == "" {
			x.Side = side
			out = append(out, x)
		}
	}
	return out
}

// pairUp returns the profiles of the first side, each with that of another side. Where either side has only one, as of
// programs, which may have other names, these are a pair.
func pairUp[T any](list []result.Profiled[T]) (out [][2]*result.Profiled[T]) {
	var base, others []*result.Profiled[T]
	for i := range list {
		if list[i].Side == list[0].Side {
			base = append(base, &list[i])
		} else {
			others = append(others, &list[i])
		}
	}
	for _, x := range base {
		for _, y := range others {
			if x.Pkg == y.Pkg && x.Name == y.Name && x.Procs == y.Procs {
				out = append(out, [2]*result.Profiled[T]{x, y})
			}
		}
	}
	if len(out) == 0 && len(base) == 1 && len(others) == 1 {
		return [][2]*result.Profiled[T]{{base[0], others[0]}}
	}
	return out
}

func stackDifference(pair [2]*result.Profiled[result.CallStacks], shown StackOptions) (*View, error) {
	var sides [2]*profile.View
	for i, x := range pair {
		how, p, err := stacksOf(x)
		if err == nil {
			sides[i], err = stackProfile(how, p, shown)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", printable(x.Title), err)
		}
	}
	return differenceView(sides, [2]string{pair[0].Side, pair[1].Side}, pairTitle(pair[0], pair[1]), shown.Confidence)
}

func callsDifference(s *result.Result, pair [2]*result.Profiled[record.Trace], shown StackOptions) (*View, error) {
	var sides [2]*profile.View
	for i, x := range pair {
		c, err := callsOf(s, x, calls.Config{Top: shown.Top, Selection: shown.Selection})
		if err == nil {
			sides[i], err = c.View()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", printable(x.Title), err)
		}
	}
	return differenceView(sides, [2]string{pair[0].Side, pair[1].Side}, pairTitle(pair[0], pair[1]), shown.Confidence)
}

// pairTitle names what two profiles are of.
func pairTitle[T any](x, y *result.Profiled[T]) string {
	name := x.Name
	if x.Name != y.Name {
		name += " and " + y.Name
	}
	if x.Pkg != "" {
		name = x.Pkg + " · " + name
	}
	return printable(fmt.Sprintf("%s · %s → %s", name, x.Side, y.Side))
}

func differenceView(sides [2]*profile.View, names [2]string, title string, confidence float64) (*View, error) {
	d, err := profile.NewDifference(sides[0], sides[1], [2]string{printable(names[0]), printable(names[1])}, confidence)
	if err != nil {
		return nil, errors.New(title + ": " + strings.TrimPrefix(err.Error(), "profile: "))
	}
	return &View{
		Title:      title,
		Text:       func(w io.Writer, o Options) error { return d.Text(w, titled(o, title)) },
		JSON:       d.JSON,
		Files:      map[string]func(io.Writer) error{".svg": d.Flame},
		Difference: d,
	}, nil
}
