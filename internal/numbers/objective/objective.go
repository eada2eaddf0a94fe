// Package objective reads the objectives of a load run, as --slo takes them.
package objective

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// An Objective is a condition on a load run, as `--slo` takes it:
//
//	p99<10ms              of the response time of every operation
//	READ p99.9<20ms       of one operation
//	READ service p50<1ms  of its service time
//	buy/login p99<50ms    of a step of a scenario, which has a service time only
//	mean<5ms, max<=1s
//	errors<0.1%           share of the operations that were due, not_found is no error;
//	                      one that was never answered is
//	errors<10             number of them
//	rate>=950/s, rate>99% operations without an error, per second or of those asked for
//
// In a closed loop and of steps, which know no response time, service time is meant.
type Objective struct {
	Text    string  // as it was written
	Name    string  // of the operation in capitals, "" if it is about each or all of them
	Kind    string  // record.TagResponse …, "" for what there is
	Metric  string  // Percentile, Mean, Max, Errors or Rate
	Percent float64 // of Percentile: above 0, up to 100
	Strict  bool    // < or >, without =
	Share   bool    // Bound is a share of 1
	Bound   float64 // ns, operations, or operations per second
}

// The metrics of an objective.
const (
	Percentile = "p"
	Mean       = "mean"
	Max        = "max"
	Errors     = "errors"
	Rate       = "rate"
)

// About reports whether the objective is about an operation of this name. It ignores case.
func (o Objective) About(name string) bool { return o.Name == "" || strings.EqualFold(o.Name, name) }

// Within reports whether a value keeps the bound.
func (o Objective) Within(x float64) bool {
	if o.Metric == Rate {
		return x > o.Bound || x == o.Bound && !o.Strict
	}
	return x < o.Bound || x == o.Bound && !o.Strict
}

var form = regexp.MustCompile(`^(?:([A-Za-z][A-Za-z0-9_./-]*)\s+)??(?:(response|service)\s+)?(p[0-9]+(?:\.[0-9]+)?|mean|max|errors|rate)\s*(<=|<|>=|>)\s*(\S.*)$`)

// Parse reads an objective. The error names the text and what is wrong with it.
func Parse(text string) (Objective, error) {
	text = strings.TrimSpace(text)
	m := form.FindStringSubmatch(text)
	if m == nil {
		return Objective{}, fmt.Errorf("%q is no objective: want one such as p99<10ms, 'READ p99.9<20ms', errors<0.1%% or rate>=950/s", text)
	}
	o := Objective{Text: text, Name: strings.ToUpper(m[1]), Kind: m[2], Metric: m[3], Strict: len(m[4]) == 1}
	if err := o.parseMetric(); err != nil {
		return Objective{}, fmt.Errorf("%q: %w", text, err)
	}
	if less := m[4][0] == '<'; less != (o.Metric != "rate") {
		return Objective{}, fmt.Errorf("%q: %s cannot be an objective with %s", text, m[3], m[4])
	}
	if err := o.parseBound(strings.TrimSpace(m[5])); err != nil {
		return Objective{}, fmt.Errorf("%q: %w", text, err)
	}
	return o, nil
}

func (o *Objective) parseMetric() error {
	if p, ok := strings.CutPrefix(o.Metric, "p"); ok {
		o.Metric = "p"
		var err error
		if o.Percent, err = strconv.ParseFloat(p, 64); err != nil || !(o.Percent > 0 && o.Percent <= 100) {
			return fmt.Errorf("p%s is not a percentile above 0 and up to 100", p)
		}
	}
	if o.Kind != "" && (o.Metric == "errors" || o.Metric == "rate") {
		return fmt.Errorf("%s have no %s time", o.Metric, o.Kind)
	}
	if o.Name != "" && o.Metric == "rate" {
		return fmt.Errorf("the rate is that of all operations")
	}
	return nil
}

func (o *Objective) parseBound(s string) (err error) {
	share, isShare := strings.CutSuffix(s, "%")
	switch {
	case o.Metric != "errors" && o.Metric != "rate":
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return fmt.Errorf("%q is not a duration above 0 such as 10ms", s)
		}
		o.Bound = float64(d)
		return nil
	case isShare:
		o.Share = true
		o.Bound, err = strconv.ParseFloat(strings.TrimSpace(share), 64)
		o.Bound /= 100
	case o.Metric == "rate":
		o.Bound, err = strconv.ParseFloat(strings.TrimSuffix(s, "/s"), 64)
	default:
		var n int64
		n, err = strconv.ParseInt(s, 10, 64)
		o.Bound = float64(n)
	}
	if err != nil || !(o.Bound >= 0) || math.IsInf(o.Bound, 0) || o.Share && o.Bound > 1 {
		return fmt.Errorf("%q is not a bound for %s", s, o.Metric)
	}
	return nil
}
