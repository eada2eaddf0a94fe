package summary

import "github.com/tarebench/tare/record"

// Summary is what a record file says. It is also the object that
// `--format json` prints; keys are absent where they do not apply.
type Summary struct {
	Run         *record.Run  `json:"run,omitempty"`
	Results     []Result     `json:"results"`
	Comparisons []Comparison `json:"comparisons,omitempty"`
	Tare        record.Tare  `json:"tare"`
	Warnings    []Warning    `json:"warnings,omitempty"` // about the whole run
	End         *record.End  `json:"end,omitempty"`      // nil: the run was cut off
}

// Result is one benchmark on one side, seen through its main unit; Metrics
// holds the other units.
type Result struct {
	Case   int    `json:"-"` // ID in the record
	Pkg    string `json:"pkg"`
	Name   string `json:"name"` // without "Benchmark" and "-procs"
	Params Params `json:"params,omitempty"`
	Procs  int    `json:"procs,omitempty"`
	Side   string `json:"side,omitempty"`
	Role   string `json:"role,omitempty"`
	Mode   string `json:"mode,omitempty"`
	N      int64  `json:"n,omitempty"` // operations per iteration, mode N

	Unit        string `json:"unit,omitempty"`         // the main unit: ns/op if the benchmark reports it
	Forks       int    `json:"forks"`                  // forks that count
	ForksFailed int    `json:"forks_failed,omitempty"` // forks that failed, replaced ones included
	Interval
	Confidence    float64  `json:"confidence,omitempty"`     // true coverage of lo … hi; 0 if infinite
	SpreadWithin  float64  `json:"spread_within,omitempty"`  // relative sd of the iterations inside a fork
	SpreadBetween float64  `json:"spread_between,omitempty"` // robust relative sd of the fork values
	Values        []Number `json:"values,omitempty"`         // one per fork that counts, in time order

	Metrics  Metrics   `json:"metrics,omitempty"`  // the other units, in the order reported
	Warnings []Warning `json:"warnings,omitempty"` // JSON: their codes

	Failed string `json:"failed,omitempty"` // why there is no number, one line
	Tail   string `json:"tail,omitempty"`   // end of the output of a failed fork
}

// Interval is a median with its confidence interval. Lo and Hi are infinite
// where there are too few forks for the confidence asked for.
type Interval struct {
	Median Number `json:"median"`
	Lo     Number `json:"lo"`
	Hi     Number `json:"hi"`
}

// Metric is one of the other units of a result.
type Metric struct {
	Unit string
	Interval
	Values []Number // one per fork that counts, in time order; NaN where a fork did not report it
}

// Metrics are written to JSON as one object {unit: {median, lo, hi}}.
type Metrics []Metric

// Params are written to JSON as one object {key: value}.
type Params []record.Param

// Warning is a doubt that a report prints as a footnote.
type Warning struct {
	Code   string `json:"code"`
	Text   string `json:"text"`
	Advice string `json:"advice,omitempty"`
}

// Comparison is one unit of one benchmark on two sides.
type Comparison struct {
	Pkg         string   `json:"pkg"`
	Name        string   `json:"name"`
	Unit        string   `json:"unit"`
	Old         Number   `json:"old"`
	New         Number   `json:"new"`
	Ratio       Number   `json:"ratio"`
	Lo          Number   `json:"lo"`
	Hi          Number   `json:"hi"`
	P           Number   `json:"p"`
	Verdict     string   `json:"verdict"`
	Trusted     bool     `json:"trusted"`
	Reasons     []string `json:"reasons,omitempty"`
	ForksNeeded int      `json:"forks_needed,omitempty"`
}

// Number is a float64 that JSON can carry: NaN and the infinities are written
// as the strings "NaN", "+Inf" and "-Inf".
type Number float64
