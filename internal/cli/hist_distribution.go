package cli

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/hist"
)

// distribution is all that was asked for of one tag of one file.
type distribution struct {
	src       *histSource
	tag       string
	hist      *hist.Histogram
	intervals int
	first     time.Duration // where the first interval starts, since the log's start
	last      time.Duration // where the last one ends
	corrected time.Duration // it is an estimate: values were added for this interval; else 0
}

// name tells it apart from the others of its file.
func (d *distribution) name() string {
	if d.corrected > 0 {
		return tagName(d.tag) + ", corrected"
	}
	return tagName(d.tag)
}

// add merges an interval.
func (d *distribution) add(at time.Duration, i hist.Interval) error {
	if d.hist == nil {
		d.hist = hist.New(i.Histogram.Config()) // and so its digits
		d.first = at
	}
	d.intervals++
	d.first, d.last = min(d.first, at), max(d.last, at+i.Length)
	if err := d.hist.Merge(i.Histogram); err != nil {
		return failed(fmt.Errorf("%s: %s: %w", d.src.name, tagName(d.tag), err), "")
	}
	return nil
}

// distributions reads all files: one distribution for each tag of each, in the order
// in which they come.
func (in *input) distributions() ([]*distribution, error) {
	var all []*distribution
	type key struct {
		file int
		tag  string
	}
	at := map[key]*distribution{}
	err := in.each(func(src *histSource, i hist.Interval) error {
		k := key{src.number, i.Tag}
		d := at[k]
		if d == nil {
			d = &distribution{src: src, tag: i.Tag}
			at[k] = d
			all = append(all, d)
		}
		return d.add(i.Start.Sub(src.start()), i)
	})
	return all, err
}

// valueFlags say what the values are and what is to be done to them.
type valueFlags struct {
	values  string
	correct string

	unit     int64 // of the values, ns
	expected time.Duration
}

func (f *valueFlags) register(fl *pflag.FlagSet, correct bool) {
	fl.StringVar(&f.values, "values", "ns", "what the logs' values are: ns, us, ms or s; YCSB for Java logs us")
	if correct {
		fl.StringVar(&f.correct, "correct", "", "estimate what a closed loop left out that was to send every `INTERVAL` (4ms)")
	}
}

func (f *valueFlags) check() (err error) {
	if f.unit, err = parseUnit("--values", f.values); err != nil || f.correct == "" {
		return err
	}
	f.expected, err = time.ParseDuration(f.correct)
	switch {
	case err != nil:
		return usageError(fmt.Errorf("--correct %q is not a duration such as 4ms", f.correct), "")
	case int64(f.expected) < f.unit:
		return usageError(fmt.Errorf("--correct %s is less than 1 %s, the unit of the values", f.correct, f.values), "")
	}
	return nil
}

// withCorrected puts beside each distribution what it would be without coordinated
// omission, by estimate. Those whose values count from the time at which they were
// due have nothing to be corrected.
func (f *valueFlags) withCorrected(all []*distribution) ([]*distribution, error) {
	if f.expected == 0 {
		return all, nil
	}
	var out []*distribution
	for _, d := range all {
		out = append(out, d)
		if fromDue(d.tag) {
			continue
		}
		h, err := d.hist.Correct(int64(f.expected) / f.unit)
		if err != nil {
			return nil, failed(fmt.Errorf("%s: %s: %w", d.src.name, tagName(d.tag), err), "give a longer --correct")
		}
		c := *d
		c.hist, c.corrected = h, f.expected
		out = append(out, &c)
	}
	if len(out) == len(all) {
		return nil, usageError(fmt.Errorf("--correct: %s counts from the time at which operations were due: nothing was left out", all[0].tag), "")
	}
	return out, nil
}
