package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
)

// forks are n forks of case 1, from the samples that f makes for each.
func forks(n int, f func(i int) string) string {
	var b strings.Builder
	fmt.Fprintln(&b, "case 1 A procs=4")
	for i := range n {
		b.WriteString(repeatForks(i+1, 1, 1, f(i), ""))
	}
	return b.String()
}

// steady is a value with the noise of a good machine: 1 % up and down, in no
// order.
func steady(i int) float64 {
	return 100 + math.Sin(float64(i*i)*1.7)
}

// TestWarnings: each warning appears in its case only.
func TestWarnings(t *testing.T) {
	floor := func(base, score string) string {
		return "tare loop=0.25\n" + forks(8, func(int) string { return base + "\n" + score + fmt.Sprintf(" ns=%d", 20*ms) })
	}
	one := func(f func(i int) float64) func(int) string {
		return func(i int) string { return fmt.Sprintf("m %.9g ns=%d wall=%d iter=2", f(i), 20*ms, 21*ms) }
	}
	good := forks(20, one(steady))
	timed := func(ns, wall int64) string {
		return forks(8, func(i int) string {
			return fmt.Sprintf("w 99 ns=%d wall=%d\nm %.9g ns=%d wall=%d\nm %.9g ns=%d wall=%d", ns, 50*wall, steady(i), ns, wall, steady(i+1), ns, wall)
		})
	}
	setup := func(share float64) string {
		var b strings.Builder
		fmt.Fprintln(&b, "case 1 A")
		for i := range 8 {
			b.WriteString(repeatForks(i+1, 1, 1, one(steady)(i), fmt.Sprintf("wall=%d setup=%d", 100*ms, int64(share*100)*ms)))
		}
		return b.String()
	}
	loop := func(value float64, mode string, procs int) string {
		words := strings.Replace(forks(8, one(func(i int) float64 { return value })), "procs=4", fmt.Sprintf("procs=%d mode=%s", procs, mode), 1)
		return "tare loop=0.25\n" + words
	}
	for _, test := range []struct {
		name, words string
		want        []string
		text        string // of the first
	}{
		{"none", good, nil, ""},

		{"few forks", forks(5, one(steady)), []string{diagnosis.FewForks}, "5 forks are too few for a 95 % interval"},
		{"enough forks", forks(6, one(steady)), nil, ""},
		{"few forks for 99.9 %", "run confidence=0.999\n" + forks(10, one(steady)), []string{diagnosis.FewForks}, "10 forks are too few for a 99.9 % interval"},
		{"enough forks for 99.9 %", "run confidence=0.999\n" + forks(11, one(steady)), nil, ""},

		{"two groups", forks(20, one(func(i int) float64 { return steady(i) + 50*float64(i%2) })), []string{diagnosis.Bimodal}, "two groups: 10 forks near 100 ns"},
		{"two groups that do not matter", forks(20, one(func(i int) float64 { return 100 + 0.01*steady(i) + float64(i%2) })), nil, ""},
		{"one straggler", forks(20, one(func(i int) float64 { return steady(i) + 200*float64(i/19) })), nil, ""},

		{"slower and slower iterations", forks(20, func(i int) string {
			return fmt.Sprintf("m %.9g ns=%d iter=2\nm %.9g ns=%d iter=3", steady(i), 20*ms, 1.05*steady(i), 20*ms)
		}), []string{diagnosis.Trend}, "the last iteration of a fork is 5.0 % higher than the first, in 20 of 20 forks"},
		{"faster iterations", forks(20, func(i int) string {
			return fmt.Sprintf("m 120 ns=%d iter=2\nm 110 ns=%d iter=3\nm %.9g ns=%d iter=4", 20*ms, 20*ms, steady(i), 20*ms)
		}), []string{diagnosis.Trend}, "the last iteration of a fork is 17 % lower than the first"},
		{"a trend that does not matter", forks(20, func(i int) string {
			return fmt.Sprintf("m %.9g ns=%d iter=2\nm %.9g ns=%d iter=3", steady(i), 20*ms, 1.01*steady(i), 20*ms)
		}), nil, ""},
		{"iterations that differ by chance", forks(20, func(i int) string {
			d := 0.05 * float64(i%2*2-1)
			return fmt.Sprintf("m %.9g ns=%d iter=2\nm %.9g ns=%d iter=3", (1+d)*steady(i), 20*ms, (1-d)*steady(i), 20*ms)
		}), nil, ""},
		{"a warm-up that is slow", forks(20, func(i int) string {
			return fmt.Sprintf("w 500 ns=%d\nm %.9g ns=%d\nm %.9g ns=%d", 20*ms, steady(i), 20*ms, steady(i+1), 20*ms)
		}), nil, ""},

		{"drift", forks(20, one(func(i int) float64 { return 100 + 2*float64(i) + 0.3*steady(i) })), []string{diagnosis.Drift}, "the last third of the run is"},
		{"drift that does not matter", forks(20, one(func(i int) float64 { return 100 + 0.05*float64(i) })), nil, ""},
		{"drift of too few forks", forks(9, one(func(i int) float64 { return 100 + 5*float64(i) })), nil, ""},
		{"drift from nothing", forks(21, one(func(i int) float64 { return max(0, float64(i-8)) })), nil, ""},

		{"stopped timer", timed(1*ms, 30*ms), []string{diagnosis.TimerStopped}, "the timer ran for 3.3 % of an iteration's wall time (1.0 ms measured)"},
		{"stopped timer, long iterations", timed(400*ms, 1000*ms), []string{diagnosis.TimerStopped}, "the timer ran for 40 % of an iteration's wall time (400 ms measured)"},
		{"half measured", timed(15*ms, 30*ms), nil, ""},
		{"wall time unknown", timed(15*ms, 0), nil, ""},
		{"only the first iteration is seen", forks(8, func(i int) string { return fmt.Sprintf("m %.9g ns=%d wall=%d", steady(i), 10*ms, 900*ms) }), nil, ""},

		{"short", timed(4*ms, 5*ms), []string{diagnosis.IterationShort}, "an iteration measures only 4.0 ms"},
		{"long enough", timed(5*ms, 6*ms), nil, ""},
		{"time unknown", timed(0, 6*ms), nil, ""},

		{"set-up", setup(0.21), []string{diagnosis.Setup}, "start and set-up take 21 % of a fork"},
		{"little set-up", setup(0.2), nil, ""},

		{"empty loop", loop(0.3, "N", 1), []string{diagnosis.EmptyLoop}, "as fast as an empty loop (0.25 ns/op)"},
		{"its own floor", floor("b 0.5", "m 0.59"), []string{diagnosis.EmptyLoop}, "as fast as an empty body (0.5 … 0.75 ns/op, by address)"},
		{"its own floor at a bad address", floor("b 0.5", "m 0.89"), []string{diagnosis.EmptyLoop}, "as fast as an empty body"},
		{"above its own floor", floor("b 0.5", "m 0.91"), nil, ""},
		{"a rate at its floor", floor("b op/s=4e9", "m op/s=3.5e9"), []string{diagnosis.EmptyLoop}, "as fast as an empty body (4e+09 op/s)"},
		{"a rate below its floor", floor("b op/s=4e9", "m op/s=3e9"), nil, ""},
		{"a floor of another unit", floor("b 9", "m op/s=3e9"), nil, ""},
		{"nothing at all", loop(0, "N", 1), []string{diagnosis.EmptyLoop}, ""},
		{"cheap, but something", loop(0.31, "N", 1), nil, ""},
		{"a parallel loop", loop(0.07, "time", 4), []string{diagnosis.EmptyLoop}, "as fast as an empty loop (0.062 ns/op)"},
		{"something in parallel", loop(0.08, "time", 4), nil, ""},
		{"not measured what an empty loop takes", strings.TrimPrefix(loop(0.1, "N", 1), "tare loop=0.25\n"), nil, ""},
		{"an operation per second is no loop", "tare loop=0.25\n" + forks(8, func(int) string { return fmt.Sprintf("m op/s=0.1 ns=%d", 20*ms) }), nil, ""},

		{"flaky", good + "fork 21 case=1 failed\nfork 22 case=1 timeout\n", []string{diagnosis.Flaky}, "2 of 22 forks failed: timeout"},
		{"interrupted is not flaky", good + "fork 21 case=1 partial\n", nil, ""},

		{"recorded, and still true of what cannot be derived", good + "warn case 1 parallel-fixed-n old words\nwarn case 1 bimodal out of date\nwarn case 2 other x\nwarn run 1 other x\n", []string{"parallel-fixed-n"}, "RunParallel with a fixed N"},
		{"recorded twice", good + "warn case 1 parallel-fixed-n x\nwarn case 1 parallel-fixed-n x\n", []string{"parallel-fixed-n"}, "RunParallel with a fixed N"},
		{"NaN", forks(20, func(int) string { return "m NaN" }), []string{diagnosis.Impossible}, "20 of 20 forks: NaN ns/op, which cannot be measured"},
		{"less than nothing", good + "s 21 m -5\nfork 21 case=1 ok\n", []string{diagnosis.Impossible}, "1 of 21 forks: -5 ns/op, which cannot be measured"},
		{"one iteration less than nothing", good + "s 21 m 100\ns 21 m -5\ns 21 m 101\nfork 21 case=1 ok\n", []string{diagnosis.Impossible}, "1 of 21 forks: -5 ns/op, which cannot be measured"},
		{"one iteration NaN", good + "s 21 m 100\ns 21 m NaN\ns 21 m 101\nfork 21 case=1 ok\n", []string{diagnosis.Impossible}, "1 of 21 forks: NaN ns/op, which cannot be measured"},
		{"a rate below zero", forks(20, func(int) string { return fmt.Sprintf("m 5 MB/s=-7 ns=%d", 20*ms) }), []string{diagnosis.Impossible}, "20 of 20 forks: -7 MB/s"},
		{"memory below zero", forks(20, func(int) string { return fmt.Sprintf("m 5 usedHeap_settled-B=-7 ns=%d", 20*ms) }), []string{diagnosis.Impossible}, "20 of 20 forks: -7 usedHeap_settled-B"},
		{"a heap that has shrunk", forks(20, func(int) string { return fmt.Sprintf("m 5 usedHeap_growth-B=-7 ns=%d", 20*ms) }), nil, ""},
		{"an own difference of bytes", forks(20, func(int) string { return fmt.Sprintf("m 5 delta-B=-7 delta-ns=-3 ns=%d", 20*ms) }), nil, ""},
		{"an own unit that is NaN", forks(20, func(int) string { return fmt.Sprintf("m 5 delta-B=NaN ns=%d", 20*ms) }), []string{diagnosis.Impossible}, "20 of 20 forks: NaN delta-B"},
		{"an own unit below zero", forks(20, func(int) string { return fmt.Sprintf("m 5 celsius=-7 ns=%d", 20*ms) }), nil, ""},
		{"infinite", forks(20, func(int) string { return "m +Inf\nm +Inf" }), []string{diagnosis.Impossible}, "20 of 20 forks: +Inf ns/op, which cannot be measured"},
		{"several", "tare loop=99\n" + timed(1*ms, 30*ms) + "fork 99 case=1 failed\n", []string{diagnosis.Flaky, diagnosis.TimerStopped, diagnosis.EmptyLoop}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := read(t, test.words)
			if len(s.Results) != 1 {
				t.Fatalf("%d rows", len(s.Results))
			}
			var codes []string
			for _, w := range s.Results[0].Warnings {
				codes = append(codes, w.Code)
				if w.Text == "" || strings.Contains(w.Text, "\n") || (w.Advice == "" && diagnosis.Of(w.Code).Derived) {
					t.Errorf("%+v", w)
				}
			}
			if !slices.Equal(codes, test.want) {
				t.Fatalf("doubts %q, want %q: %+v", codes, test.want, s.Results[0].Warnings)
			}
			if len(codes) > 0 && !strings.HasPrefix(s.Results[0].Warnings[0].Text, test.text) {
				t.Errorf("text %q, want %q", s.Results[0].Warnings[0].Text, test.text)
			}
		})
	}
}

func TestStealWarning(t *testing.T) {
	for steal, want := range map[string]int{"0.01": 0, "0.011": 1, "0": 0} {
		s := read(t, "case 1 A\ntare steal="+steal+"\n")
		if len(s.Warnings) != want || (want == 1 && (s.Warnings[0].Code != diagnosis.Steal || !strings.HasPrefix(s.Warnings[0].Text, "1.1 % of"))) {
			t.Errorf("%s: %+v", steal, s.Warnings)
		}
	}
}

// TestStealUnknown: no machine loses more than all of its time.
func TestStealUnknown(t *testing.T) {
	for _, steal := range []string{"1.5", "1e308"} {
		s := read(t, "case 1 A\ntare steal="+steal+"\n")
		if len(s.Warnings) != 1 || s.Warnings[0].Code != diagnosis.Steal || !strings.Contains(s.Warnings[0].Text, "is not known") {
			t.Errorf("%s: %+v", steal, s.Warnings)
		}
	}
}

// TestWarningsOfRoles: a row has the warnings of its own role, and the record has each once.
func TestWarningsOfRoles(t *testing.T) {
	words := forks(20, func(i int) string {
		return fmt.Sprintf("m op/s=%.9g role=producer ns=%d wall=%d iter=2\nm op/s=%.9g role=consumer ns=%d wall=%d iter=2", steady(i)+50*float64(i%2), 20*ms, 21*ms, steady(i), 2*ms, 3*ms)
	}) + "fork 99 case=1 failed\n"
	s := read(t, words)
	got := ""
	for _, r := range s.Results {
		got += r.Role
		for _, w := range r.Warnings {
			got += " " + w.Code
		}
		got += "\n"
	}
	if want := "producer flaky bimodal\nconsumer flaky iteration-short\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	b := NewBuilder()
	must(t, b.ReadAll(strings.NewReader(lines(t, words)), ""))
	got = ""
	for _, w := range b.Warnings() {
		got += fmt.Sprintf("%s %d %s: %.25s\n", w.About, w.ID, w.Code, w.Text)
	}
	want := `case 1 flaky: 1 of 21 forks failed: why
case 1 bimodal: producer: two groups: 10 
case 1 iteration-short: consumer: an iteration me
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestWarningsOfForks: warnings that forks report become one warning of each code about their case, if the forks count.
func TestWarningsOfForks(t *testing.T) {
	var b strings.Builder
	b.WriteString("case 1 A\ncase 2 B\n")
	for id := 1; id <= 6; id++ {
		fmt.Fprintf(&b, "s %d m %d\n", id, id)
		if id%2 == 0 {
			fmt.Fprintf(&b, "warn fork %d pipe garbage %d\nwarn fork %d pipe again\n", id, id, id)
		}
		fmt.Fprintf(&b, "fork %d case=1 ok\n", id)
	}
	b.WriteString("warn fork 7 pipe x\nfork 7 case=1 partial\nwarn fork 8 pipe x\ns 9 m 1\nfork 9 case=2 ok\n")
	s := read(t, b.String())
	if w := s.Results[0].Warnings; len(w) != 1 || w[0].Code != "pipe" || w[0].Text != "3 of 6 forks: garbage 2" {
		t.Errorf("%+v", w)
	}
	if w := s.Results[1].Warnings; len(w) != 1 || w[0].Code != diagnosis.FewForks {
		t.Errorf("%+v", w)
	}
}

// TestWarningsAreWrittenOnce: what a measurer writes at its end is what a reader
// derives.
func TestWarningsAreWrittenOnce(t *testing.T) {
	words := "tare steal=0.5\n" + forks(20, func(i int) string {
		return fmt.Sprintf("m %.9g ns=%d wall=%d iter=2", steady(i)+50*float64(i%2), ms, 30*ms)
	})
	b := NewBuilder()
	must(t, b.ReadAll(strings.NewReader(lines(t, words)), ""))
	before := b.Result()
	for _, w := range b.Warnings() {
		b.Add(&w)
	}
	after := b.Result()
	if fmt.Sprint(before.Results[0].Warnings, before.Warnings) != fmt.Sprint(after.Results[0].Warnings, after.Warnings) || len(after.Warnings) != 1 || len(after.Results[0].Warnings) != 2 {
		t.Errorf("before %+v %+v\nafter %+v %+v", before.Results[0].Warnings, before.Warnings, after.Results[0].Warnings, after.Warnings)
	}
}

func TestWords(t *testing.T) {
	if than(0.05) != "5.0 % higher" || than(-0.2) != "20 % lower" {
		t.Error(than(0.05), than(-0.2))
	}
}
