package result

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestRows builds summaries from hand-written lines and looks at their rows.
func TestRows(t *testing.T) {
	six := func(first int, extra string) string {
		var b strings.Builder
		for i := range 6 {
			fmt.Fprintf(&b, "s %d m %d%s\nfork %d case=1 ok\n", first+i, 10+i, extra, first+i)
		}
		return b.String()
	}
	for _, test := range []struct {
		name, words string
		want        []string
	}{
		{"a fork is the median of its measured iterations", `
			case 1 A
			s 1 w 90
			s 1 m 10
			s 1 m 20
			s 1 m 12
			s 1 baseline=7
			fork 1 case=1 ok`,
			[]string{"A 1 × 12 ns/op [few-forks]"}},
		{"interval over forks", "case 1 A\n" + six(1, ""), []string{"A 6 × 12.5 ns/op (10 … 15, 0.9688)"}},
		{"no measuring, no row", "case 1 A\ncase 2 B\n", nil},
		{"other units", "case 1 A\n" + six(1, " B/op=16 allocs/op=2 x-B=5"), []string{"A 6 × 12.5 ns/op (10 … 15, 0.9688) 16 B/op 2 allocs/op 5 x-B"}},
		{"without ns/op the first that is not about memory", `
			case 1 A
			s 1 m B/op=1 heap-B=2 allocs/op=3 MB/s=4 op/s=5
			fork 1 case=1 ok`,
			[]string{"A 1 × 4 MB/s 1 B/op 2 heap-B 3 allocs/op 5 op/s [few-forks]"}},
		{"nothing but memory", `
			case 1 A
			s 1 m B/op=1 allocs/op=3
			fork 1 case=1 ok`,
			[]string{"A 1 × 1 B/op 3 allocs/op [few-forks]"}},
		{"a unit that only some forks report", `
			case 1 A
			s 1 m 5
			fork 1 case=1 ok
			s 2 m 6 hits=9
			fork 2 case=1 ok`,
			[]string{"A 2 × 5.5 ns/op 9 hits [few-forks]"}},
		{"a unit that stands twice: the first counts", `
			case 1 A
			s 1 m 5 x=1 x=100
			fork 1 case=1 ok`,
			[]string{"A 1 × 5 ns/op 1 x [few-forks]"}},
		{"roles", `
			case 1 A
			s 1 w role=consumer op/s=1
			s 1 m role=producer op/s=5
			s 1 m role=consumer op/s=7 lag=2
			fork 1 case=1 ok
			s 2 m role=producer op/s=6
			fork 2 case=1 ok`,
			[]string{"A consumer 1 × 7 op/s 2 lag [few-forks]", "A producer 2 × 5.5 op/s [few-forks]"}},
		{"the order is that of the cases", `
			case 1 B
			case 2 A
			s 1 m 5
			fork 1 case=2 ok
			s 2 m 6
			fork 2 case=1 ok`,
			[]string{"B 1 × 6 ns/op [few-forks]", "A 1 × 5 ns/op [few-forks]"}},
		{"samples of a fork that was cut off do not count", "case 1 A\n" + six(1, "") + "s 7 m 1000\n", []string{"A 6 × 12.5 ns/op (10 … 15, 0.9688)"}},
		{"nor those of a fork that was interrupted, and it is no failure", "case 1 A\n" + six(1, "") + "s 7 m 1000\nfork 7 case=1 partial\n", []string{"A 6 × 12.5 ns/op (10 … 15, 0.9688)"}},
		{"nor those of a fork that failed", "case 1 A\n" + six(1, "") + "s 7 m 1000\nfork 7 case=1 failed\n", []string{"A 6 × 12.5 ns/op (10 … 15, 0.9688) 1 failed tail: tail 7 [flaky]"}},
		{"nor pilots and profilers", "case 1 A\n" + six(1, "") + "s 7 m 1000\nfork 7 case=1 ok purpose=pilot\ns 8 m 1000\nfork 8 case=1 ok purpose=mem\n", []string{"A 6 × 12.5 ns/op (10 … 15, 0.9688)"}},
		{"failed in every fork", "case 1 A\nfork 1 case=1 failed\nfork 2 case=1 timeout\nfork 3 case=1 failed\n", []string{"A 3 failed FAILED why 3 tail: tail 3"}},
		{"a failure without a reason has a state", "case 1 A\nfork 1 case=1 timeout\n", []string{"A 1 failed FAILED timeout"}},
		{"failed in discovery", "case 1 A\nfork 1 case=1 failed purpose=discovery\n", []string{"A 1 failed FAILED why 1 tail: tail 1"}},
		{"good forks without a measured sample", "case 1 A\ns 1 w 5\nfork 1 case=1 ok\nfork 2 case=1 ok\n", []string{"A FAILED no fork has a measured iteration"}},
		{"samples without a value", "case 1 A\ns 1 m ns=5\nfork 1 case=1 ok\n", []string{"A FAILED no fork has a measured iteration"}},
		{"a fork of no case", "case 1 A\n" + six(1, "") + "s 7 m 1000\nfork 7 case=9 ok\n", []string{"A 6 × 12.5 ns/op (10 … 15, 0.9688)"}},
		{"a corrected case", "case 1 A\n" + six(1, "") + "case 1 A/b\n", []string{"A/b 6 × 12.5 ns/op (10 … 15, 0.9688)"}},
		{"resumed", "case 1 A\ns 1 m 10\nfork 1 case=1 ok\ns 2 m 5\nend partial\nwarn case 1 few-forks old\ns 3 m 30\nfork 3 case=1 ok\nend completed\n", []string{"A 2 × 20 ns/op [few-forks]"}},
		{"confidence of the run", "run confidence=0.99\ncase 1 A\n" + six(1, ""), []string{"A 6 × 12.5 ns/op [few-forks]"}},
		{"confidence of a look", "run confidence=0.95\ncase 1 A\n" + six(1, "") + "look 6 0.9875\n", []string{"A 6 × 12.5 ns/op [few-forks]"}},
		{"no confidence is named", "run\ncase 1 A\n" + six(1, ""), []string{"A 6 × 12.5 ns/op (10 … 15, 0.9688)"}},
		{"not finite", "case 1 A\ns 1 m NaN\nfork 1 case=1 ok\ns 2 m +Inf\nfork 2 case=1 ok\n", []string{"A 2 × NaN ns/op [few-forks] [impossible]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, r := range read(t, test.words).Results {
				got = append(got, show(r))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(test.want, "\n  "))
			}
		})
	}
}

// TestRunParts: what is about the whole run.
func TestRunParts(t *testing.T) {
	s := read(t, `
		run confidence=0.9
		case 1 A
		tare clock=20 loop=0.25
		s 1 m 5
		fork 1 case=1 ok
		tare fork=1 loop=99 clock=99
		tare loop=0.5 steal=0.004
		warn run 0 resumed-elsewhere x
		warn run 0 resumed-elsewhere x
		warn run 0 steal out of date
		end completed`)
	if s.Run == nil || s.Confidence != 0.9 || s.End == nil || s.End.State != record.EndCompleted {
		t.Errorf("%+v", s)
	}
	if s.Tare.Loop != 0.5 || s.Tare.Clock != 20 || s.Tare.Steal != 0.004 {
		t.Errorf("tare %+v", s.Tare)
	}
	if len(s.Warnings) != 1 || s.Warnings[0].Code != "resumed-elsewhere" {
		t.Errorf("warnings %+v", s.Warnings)
	}
	if s := read(t, "case 1 A\nend partial\nfork 1 case=1 failed\n"); s.End != nil {
		t.Error("a run that went on after its end has ended")
	}
	if s, err := Read(strings.NewReader(""), "empty"); err == nil || s == nil || s.Results == nil {
		t.Errorf("an empty file: %+v, %v", s, err)
	}
}

// TestDamaged: a record with bad lines and a cut-off end is read as far as possible, and the errors are reported.
func TestDamaged(t *testing.T) {
	text := lines(t, "case 1 A\ns 1 m 5\nfork 1 case=1 ok\n")
	text = strings.Replace(text, `{"k":"sample"`, `{"k":"sample","bad":}`+"\n"+`{"k":"later","x":1}`+"\n"+`{"k":"sample"`, 1) + `{"k":"sample","fork":2,"it`
	s, err := Read(strings.NewReader(text), "f.jsonl")
	var syntax *record.SyntaxError
	var cut *record.TruncatedError
	if !errors.As(err, &syntax) || !errors.As(err, &cut) || len(s.Results) != 1 || s.Results[0].Median != 5 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestCase: the row of one case while measuring.
func TestCase(t *testing.T) {
	b := NewBuilder()
	if _, ok := b.Case(1); ok {
		t.Error("a row of no case")
	}
	b.Add(&record.Case{ID: 1, Name: "A"})
	if _, ok := b.Case(1); ok {
		t.Error("a row before the first fork")
	}
	b.Add(&record.Fork{ID: 1, Case: 1, Purpose: record.PurposeTiming, State: record.StateOK})
	if r, ok := b.Case(1); !ok || r.Failed == "" || r.Forks != 0 { // must not panic
		t.Errorf("%+v", r)
	}
	for id := 2; id < 8; id++ {
		b.Add(&record.Sample{Fork: id, Iter: 1, Phase: record.PhaseMeasure, V: record.Values{{Unit: "ns/op", Value: float64(id)}}})
		b.Add(&record.Fork{ID: id, Case: 1, Purpose: record.PurposeTiming, State: record.StateOK})
	}
	if r, ok := b.Case(1); !ok || r.Forks != 6 || r.Median != 4.5 || r.Lo != 2 || r.Hi != 7 {
		t.Errorf("%+v", r)
	}
	// A summary may be asked for again and again, at several confidences.
	if s := b.ResultAt(0.999); !math.IsInf(float64(s.Results[0].Hi), 1) || s.Results[0].Confidence != 0 || s.Confidence != 0.999 {
		t.Errorf("%+v", s.Results[0])
	}
	if s := b.Result(); s.Results[0].Hi != 7 {
		t.Errorf("%+v", s.Results[0])
	}
}

// TestValues: one per fork that counts, in time order, beside those of the other
// units.
func TestValues(t *testing.T) {
	r := read(t, `
		case 1 A
		s 1 m 9 x=1
		fork 1 case=1 ok
		fork 2 case=1 failed
		s 3 m 8
		fork 3 case=1 ok
		s 4 m x=3
		fork 4 case=1 ok
		s 5 m 7 x=2
		fork 5 case=1 ok`).Results[0]
	if fmt.Sprint(r.Values) != "[9 8 7]" || r.Forks != 3 || r.Rounds != 5 || len(r.Metrics) != 1 {
		t.Fatalf("%+v", r)
	}
	if x := r.Metrics[0]; fmt.Sprint(x.Values) != "[1 NaN 2]" || x.Median != 2 {
		t.Errorf("%+v", x)
	}
}

// TestProfiled: the times of a profiler's forks are no scores; its units are the
// case's, each with the values of the forks that measured it.
func TestProfiled(t *testing.T) {
	words := "case 1 A\n" + repeatForks(1, 6, 1, "m 5 B/op=8", "") + repeatForks(11, 6, 1, "m 50 B/op=80 VmHWM-B=1000", "purpose=mem") + "fork 30 case=1 failed purpose=mem\n"
	s := read(t, words)
	if len(s.Results) != 1 {
		t.Fatalf("%d rows", len(s.Results))
	}
	r := s.Results[0]
	if r.Forks != 6 || r.Median != 5 || r.ForksFailed != 0 || len(r.Metrics) != 2 {
		t.Fatalf("%s", show(r))
	}
	if m := r.Metrics[1]; m.Unit != "VmHWM-B" || m.Median != 1000 || len(m.Values) != 6 || r.Metrics[0].Median != 8 {
		t.Errorf("%+v", r.Metrics)
	}
}

func TestSpread(t *testing.T) {
	var still, noisy strings.Builder
	fmt.Fprintln(&still, "case 1 A")
	fmt.Fprintln(&noisy, "case 1 A")
	for id := 1; id <= 20; id++ {
		fmt.Fprintf(&still, "s %d m %d\ns %d m %d\nfork %d case=1 ok\n", id, 100+id%5, id, 100+id%5, id)
		fmt.Fprintf(&noisy, "s %d m 98\ns %d m 102\nfork %d case=1 ok\n", id, id, id)
	}
	if r := read(t, still.String()).Results[0]; r.SpreadWithin != 0 || math.Abs(r.SpreadBetween-0.0145) > 0.001 {
		t.Errorf("still forks that differ: within %g, between %g", r.SpreadWithin, r.SpreadBetween)
	}
	if r := read(t, noisy.String()).Results[0]; r.SpreadBetween != 0 || math.Abs(r.SpreadWithin-0.0283) > 0.0005 {
		t.Errorf("noisy forks that agree: within %g, between %g", r.SpreadWithin, r.SpreadBetween)
	}
	if r := read(t, "case 1 A\ns 1 m 0\ns 1 m 0\nfork 1 case=1 ok\n").Results[0]; r.SpreadWithin != 0 || r.SpreadBetween != 0 {
		t.Errorf("zeros: within %g, between %g", r.SpreadWithin, r.SpreadBetween)
	}
}
