package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/tarebench/tare/stat"
)

// figure is a figure measured by tare, and the true value.
type figure struct {
	name  string
	truth []float64 // one per fork
	got   []float64 // one per fork
	unit  string
	aim   float64 // the largest error, as a share of the truth; 0 for exact
	most  bool    // truth is the most that got may be
}

// off returns the median error over the forks, relative to the true value.
func (f figure) off() float64 {
	var errs []float64
	for i := range f.got {
		errs = append(errs, f.got[i]/f.truth[i]-1)
	}
	return stat.Median(errs)
}

// exact returns how many forks had the truth. The counters are the process's: what the
// runtime allocates for itself meanwhile is in them.
func (f figure) exact() (n int) {
	for i := range f.got {
		if f.got[i] == f.truth[i] {
			n++
		}
	}
	return n
}

func (f figure) met() bool {
	switch {
	case len(f.got) == 0:
		return false
	case f.most:
		return stat.Median(f.got) <= stat.Median(f.truth)
	case f.aim == 0:
		return f.off() == 0
	}
	return math.Abs(f.off()) <= f.aim
}

func print(w io.Writer, figures []figure) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	wide := 0
	for _, f := range figures {
		wide = max(wide, len(f.name))
	}
	fmt.Fprintf(t, "  %*s\ttruth\tmeasured\terror\tasked\t\t\n", wide, "")
	for _, f := range figures {
		fmt.Fprintf(t, "  %-*s\t%s\t%s\t%s\t%s\t%s\t\n", wide, f.name, amount(stat.Median(f.truth), f.unit), amount(stat.Median(f.got), f.unit), f.err(), f.asked(), f.word())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

func (f figure) err() string {
	switch {
	case f.most:
		return "–"
	case f.aim == 0:
		return fmt.Sprintf("%d of %d exact", f.exact(), len(f.got))
	}
	return fmt.Sprintf("%+.3f %%", 100*f.off())
}

func (f figure) asked() string {
	switch {
	case f.most:
		return "at most"
	case f.aim == 0:
		return "exact"
	}
	return fmt.Sprintf("± %g %%", 100*f.aim)
}

func (f figure) word() string {
	switch {
	case len(f.got) == 0:
		return "not measured"
	case f.met():
		return "reached"
	}
	return "missed"
}

func amount(x float64, unit string) string {
	switch unit {
	case "MB":
		return fmt.Sprintf("%.3f MB", x/1e6)
	case "%":
		return fmt.Sprintf("%.3f %%", 100*x)
	case "ms":
		return fmt.Sprintf("%.2f ms", x/1e6)
	}
	return fmt.Sprintf("%.2f %s", x, unit)
}
