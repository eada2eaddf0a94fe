package fork

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/record"
)

// resultFields matches a result at the end of a line: the count, then pairs of value and unit, as testing's
// BenchmarkResult.String and MemString print them. Before it may stand what the benchmark itself printed.
var resultFields = regexp.MustCompile(`(?:^|[^0-9.])([0-9]+)((?:\t *[-+]?[0-9NI][^\s]* [^\s]+)+)\s*$`)

// benchResult is one printed result.
type benchResult struct {
	name string // with "Benchmark" and "-procs"
	n    int64
	v    record.Values
	t    int64 // arrival
	usage
}

// hasNoTime reports whether a result lacks ns/op. Some benchmarks suppress it. testing may also print such a
// result for a single operation that panicked.
func hasNoTime(v record.Values) bool {
	_, ok := v.Get("ns/op")
	return !ok
}

// parseResult parses the result at the end of a line with x/perf's parser, without the text between name and result.
func parseResult(name, text string) (benchResult, bool) {
	m := resultFields.FindStringSubmatch(text)
	if m == nil || name == "" {
		return benchResult{}, false
	}
	r := benchfmt.NewReader(strings.NewReader(name+"\t"+m[1]+m[2]+"\n"), "")
	if !r.Scan() {
		return benchResult{}, false
	}
	res, ok := r.Result().(*benchfmt.Result)
	if !ok {
		return benchResult{}, false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return benchResult{}, false
	}
	out := benchResult{name: name, n: n}
	for _, v := range res.Values {
		unit, val := v.Unit, v.Value
		if v.OrigUnit != "" { // benchfmt tidies ns/op to sec/op; records keep Go's units
			unit, val = v.OrigUnit, v.OrigValue
		}
		out.v = append(out.v, record.Value{Unit: unit, Value: val})
	}
	return out, true
}

// samples turns the results of a fork into samples. Iterations up to warmup are marked as such. start is the fork's
// start; the first iteration's wall time includes the start of the process. A result that was read after the fork's end
// counts as printed at its end.
func samples(fork int, rs []benchResult, warmup int, start, end int64) []*record.Sample {
	var out []*record.Sample
	prev := start
	before := usage{cpuKnown: true, delayKnown: true}
	for i, r := range rs {
		r.t = max(prev, min(r.t, end))
		s := &record.Sample{Fork: fork, Iter: i + 1, Phase: record.PhaseMeasure, T: r.t, Wall: r.t - prev, Batched: r.batched, Ops: r.n, V: r.v}
		s.CPU, s.Delay = r.since(before)
		before = r.usage
		if i < warmup {
			s.Phase = record.PhaseWarmup
		}
		if ns, ok := r.v.Get("ns/op"); ok && ns > 0 && !math.IsInf(ns, 0) {
			s.Ns = int64(math.Round(ns * float64(r.n)))
		}
		prev = r.t
		out = append(out, s)
	}
	return out
}

// setup estimates how long a fork took to start and set up, in ns. The wall time of the first iteration includes it; that of
// the shortest later iteration is subtracted. The time for which other processes had the processor is left out of both.
//
// The estimate is a lower bound if there was run delay: all of it is subtracted, although some of the threads may not have
// delayed the start. It is at most wall, the fork's wall time. It is 0 if results were read together, because then the
// iterations' own wall times are not known.
func setup(ss []*record.Sample, wall int64) int64 {
	if len(ss) == 0 || ss[0].Batched {
		return 0
	}
	rest := int64(math.MaxInt64)
	for _, s := range ss[1:] {
		if !s.Batched {
			rest = min(rest, loss.Own(s))
		}
	}
	return min(max(0, ss[0].Wall-max(0, ss[0].Delay)-rest), wall)
}
