package calls

import (
	"encoding/json"
	"math"

	"github.com/tarebench/tare/record"
)

// object is the JSON form of Calls. Times are in ns, rounded to 0.1 ns. Keys that do not apply are absent: there
// are no times if calls were only counted.
type object struct {
	Benchmark  string  `json:"benchmark,omitempty"`
	Binary     string  `json:"binary,omitempty"`
	Go         string  `json:"go,omitempty"`
	Mode       string  `json:"mode"`
	Every      int64   `json:"every,omitempty"`
	Clock      string  `json:"clock,omitempty"`
	Tick       float64 `json:"tick_ns"`
	Ended      bool    `json:"ended"`
	Window     string  `json:"window,omitempty"`
	Windows    int     `json:"windows,omitempty"`
	Ops        int64   `json:"ops,omitempty"`
	Forks      int     `json:"forks,omitempty"`
	Calls      int64   `json:"calls"`
	Goroutines int64   `json:"goroutines,omitempty"`
	Lost       int64   `json:"lost"`
	System     int64   `json:"system,omitempty"`

	Probe record.TraceProbe `json:"probe"`
	Added float64           `json:"added_ns"`
	Scale float64           `json:"probe_scale,omitempty"`      // what probes took by forks without probes, in units of what they took at program start; corrected times go by it
	Ratio float64           `json:"calibrated_ratio,omitempty"` // what operations take without probes by the calibration at program start alone, in units of forks without probes

	Waited float64 `json:"waited,omitempty"` // share of its time that the program waited for a processor that others had
	Others float64 `json:"others,omitempty"` // share of the machine's processor time that other processes had; absent: hardly any, or not known

	Functions []jsonFunction     `json:"functions"` // most own time without probes first, then those that were not called
	Tree      []jsonCall         `json:"tree,omitempty"`
	Path      []jsonStep         `json:"path"`
	Dropped   int64              `json:"path_dropped"`
	Left      []record.TraceLeft `json:"left,omitempty"`
	Inlined   []string           `json:"inlined,omitempty"`
	Unknown   string             `json:"inlined_unknown,omitempty"`
	Unchecked string             `json:"unchecked,omitempty"` // why times are not checked against operations without probes
	Warnings  []Warning          `json:"warnings,omitempty"`
}

type jsonFunction struct {
	Name       string `json:"name"`
	File       string `json:"file,omitempty"`
	Line       int    `json:"line,omitempty"`
	Calls      int64  `json:"calls"`
	Timed      int64  `json:"timed"`
	Open       int64  `json:"open,omitempty"`
	Panics     int64  `json:"panics,omitempty"`
	Goexits    int64  `json:"goexits,omitempty"`
	Goroutines int64  `json:"goroutines,omitempty"`

	PerOp  *float64 `json:"calls_per_op,omitempty"`
	Fewest *float64 `json:"fewest_calls_per_op,omitempty"` // of a fork, if there are several
	Most   *float64 `json:"most_calls_per_op,omitempty"`

	*jsonTimes
	Probe     float64 `json:"probe_ns"`                // what its own probes took, all of them
	Long      int64   `json:"long_calls,omitempty"`    // those that took most of its time: its first, of more work, or interrupted
	LongTotal float64 `json:"long_calls_ns,omitempty"` // what they took, without probes as far as that is known
	Dominated bool    `json:"dominated,omitempty"`
}

// jsonTimes holds the times of a function whose calls were timed.
type jsonTimes struct {
	Total          float64            `json:"total_ns"`
	Self           float64            `json:"self_ns"`
	Min            float64            `json:"min_ns"`
	Max            float64            `json:"max_ns"`
	Corrected      float64            `json:"corrected_total_ns"`
	CorrectedSelf  float64            `json:"corrected_self_ns"`
	Off            float64            `json:"corrected_total_uncertainty_ns"` // for what is not known of the probes' time
	SelfOff        float64            `json:"corrected_self_uncertainty_ns"`
	Unreliable     bool               `json:"corrected_total_unreliable,omitempty"` // it may be off by more than a fifth
	SelfUnreliable bool               `json:"corrected_self_unreliable,omitempty"`
	Mean           float64            `json:"mean_ns"`
	Deviation      float64            `json:"sd_ns,omitempty"`
	Error          float64            `json:"total_error_ns,omitempty"` // standard error of an estimate
	Quantiles      map[string]float64 `json:"percentiles_ns,omitempty"` // by "50", "90", "99", "99.9"
}

// jsonCall is an element of the call tree. Parent is the index of the caller, which comes before.
type jsonCall struct {
	Name       string  `json:"name"`
	Parent     int     `json:"parent"` // -1: none
	Back       int     `json:"back,omitempty"`
	Calls      int64   `json:"calls"`
	Total      float64 `json:"total_ns"`
	Self       float64 `json:"self_ns"`
	Corrected  float64 `json:"corrected_total_ns"`
	Unreliable bool    `json:"corrected_total_unreliable,omitempty"`
}

type jsonStep struct {
	Name      string   `json:"name"`
	Goroutine int64    `json:"goroutine"`
	Begin     float64  `json:"begin_ns"`
	Length    *float64 `json:"length_ns,omitempty"` // absent: it had not ended, or was not timed
}

// MarshalJSON returns all functions and calls. The limits Top, Depth, Share and Steps apply to text only.
func (c *Calls) MarshalJSON() ([]byte, error) {
	t := c.t
	o := object{
		Benchmark: c.cfg.Name, Binary: t.Binary, Go: t.Version, Mode: t.Mode, Every: t.Every, Clock: t.Clock, Tick: t.Tick, Ended: t.Ended,
		Window: t.Window, Windows: t.Windows, Ops: t.Ops, Forks: t.Forks, Calls: t.Calls, Goroutines: t.Goroutines, Lost: t.Lost, System: t.System, Probe: t.Probe, Added: tenth(c.added()), Others: t.Others, Waited: t.Waited, Ratio: t.Scale.Ratio,
		Functions: []jsonFunction{}, Path: []jsonStep{}, Dropped: t.PathMore,
		Left: t.Left, Inlined: t.Inlined, Unknown: t.Unknown, Unchecked: c.unchecked(), Warnings: c.warnings,
	}
	if t.Scale.Used {
		o.Scale = t.Scale.Factor
	}
	for _, list := range [][]int{c.order, c.idle} {
		for _, i := range list {
			o.Functions = append(o.Functions, c.jsonFunction(i))
		}
	}
	for i, e := range t.Tree {
		o.Tree = append(o.Tree, jsonCall{t.Funcs[e.Func].Name, e.Parent, e.Back, e.Calls, tenth(e.Total), tenth(e.Self), tenth(e.Corrected), c.timed() && e.Timed > 0 && c.unreliable(netTime{e.Total, e.Corrected, c.extraCall[i]})})
	}
	for _, s := range t.Path {
		j := jsonStep{Name: t.Funcs[s.Func].Name, Goroutine: s.Goroutine, Begin: tenth(s.Begin)}
		if s.Length >= 0 {
			d := tenth(s.Length)
			j.Length = &d
		}
		o.Path = append(o.Path, j)
	}
	return json.Marshal(&o)
}

func (c *Calls) jsonFunction(i int) jsonFunction {
	f := &c.t.Funcs[i]
	j := jsonFunction{
		Name: f.Name, File: f.File, Line: f.Line, Calls: f.Calls, Timed: f.Timed, Open: f.Open, Panics: f.Panics, Goexits: f.Goexits,
		Goroutines: f.Goroutines, Probe: tenth(c.own(f)),
	}
	if t := c.t; t.Ops > 0 {
		mean, fewest, most := t.PerOp(f)
		j.PerOp = &mean
		if t.Forks > 1 {
			j.Fewest, j.Most = &fewest, &most
		}
	}
	if !c.timed() || f.Timed == 0 {
		return j
	}
	long := c.t.Long(f)
	j.Dominated, j.Long, j.LongTotal = f.Probes(), long.N, tenth(long.Total)
	j.jsonTimes = &jsonTimes{
		Total: tenth(f.Total), Self: tenth(f.Self), Min: tenth(f.Min), Max: tenth(f.Max), Corrected: tenth(f.Corrected), CorrectedSelf: tenth(f.CorrectedSelf),
		Off: tenth(c.off(c.netTotal(i))), SelfOff: tenth(c.off(c.netSelf(i))), Unreliable: c.unreliable(c.netTotal(i)), SelfUnreliable: c.unreliable(c.netSelf(i)),
		Mean: tenth(f.Mean), Deviation: tenth(deviation(f)), Quantiles: map[string]float64{},
	}
	if c.t.Mode == record.TraceEvery {
		j.Error = tenth(f.Error)
	}
	for _, q := range quantiles {
		if ns, ok := percentile(f, q); ok {
			j.Quantiles[percentName(q)] = tenth(ns)
		}
	}
	return j
}

// tenth rounds a time in ns to 0.1 ns. An infinite time, from a damaged record, becomes a very large one, because
// JSON has no infinity.
func tenth(ns float64) float64 {
	const most = math.MaxFloat64 / 100
	return math.Round(min(max(ns, -most), most)*10) / 10
}
