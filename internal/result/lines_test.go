package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// lines turns short words into the lines of a record file, one per line:
//
//	run confidence=0.99
//	case 1 Encode/size=1k mode=time
//	s 7 m 12.5 B/op=16 role=producer ns=600 wall=900      a measured sample of fork 7: ns/op 12.5
//	s 7 w MB/s=3                                           a warm-up without ns/op
//	s 7 b 0.25                                             a baseline
//	fork 7 case=1 ok                                       ok, failed, timeout or partial
//	tare loop=0.25
//	warn case 1 code text
//	look 20 0.9875
//	end completed
func lines(t testing.TB, words string) string {
	t.Helper()
	var b bytes.Buffer
	w := record.NewWriter(&b)
	iters := map[int]int{}
	begun := false
	for l := range strings.Lines(words) {
		f := strings.Fields(l)
		if len(f) == 0 {
			continue
		}
		if !begun && f[0] != "run" {
			must(t, w.Write(&record.Run{Config: record.Config{Confidence: 0.95}}))
		}
		begun = true
		keys := map[string]string{}
		for _, x := range f[1:] {
			if k, v, ok := strings.Cut(x, "="); ok {
				keys[k] = v
			}
		}
		number := func(s string) float64 {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil && s != "" {
				t.Fatalf("%s: %v", l, err)
			}
			return x
		}
		key := func(k string) int64 { return int64(number(keys[k])) }
		id := func(i int) int { return int(number(f[i])) }
		var line record.Line
		switch f[0] {
		case "run":
			line = &record.Run{Config: record.Config{Confidence: number(keys["confidence"]), Precision: number(keys["precision"]), Forks: int(key("forks")), Budget: time.Duration(key("budget"))}}
		case "case":
			mode, procs := record.ModeN, int(key("procs"))
			if keys["mode"] != "" {
				mode = keys["mode"]
			}
			line = &record.Case{ID: id(1), Pkg: "p", Name: f[2], Params: record.ParseName(f[2]), Bin: 1, Procs: max(procs, 1), Mode: mode, N: key("n")}
		case "s":
			iters[id(1)]++
			s := &record.Sample{Fork: id(1), Iter: iters[id(1)], Phase: record.PhaseWarmup, Role: keys["role"], Ops: 1, Ns: key("ns"), Wall: key("wall")}
			switch f[2] {
			case "m":
				s.Phase = record.PhaseMeasure
			case "b":
				s.Phase = record.PhaseBaseline
			}
			for _, x := range f[3:] {
				switch u, v, ok := strings.Cut(x, "="); {
				case !ok:
					s.V = append(s.V, record.Value{Unit: "ns/op", Value: number(x)})
				case u == "iter":
					s.Iter = int(number(v))
				case u != "role" && u != "ns" && u != "wall":
					s.V = append(s.V, record.Value{Unit: u, Value: number(v)})
				}
			}
			line = s
		case "fork":
			purpose := record.PurposeTiming
			if keys["purpose"] != "" {
				purpose = keys["purpose"]
			}
			x := &record.Fork{ID: id(1), Case: int(key("case")), Round: id(1), Purpose: purpose, State: f[3], Wall: key("wall"), Setup: key("setup")}
			if x.State == record.StateFailed {
				x.Why, x.Tail = fmt.Sprintf("why %d", x.ID), fmt.Sprintf("tail %d", x.ID)
			}
			line = x
		case "tare":
			line = &record.Overhead{Fork: int(key("fork")), Loop: number(keys["loop"]), Steal: number(keys["steal"]), Clock: number(keys["clock"])}
		case "warn":
			line = &record.Warn{About: f[1], ID: id(2), Code: f[3], Text: strings.Join(f[4:], " ")}
		case "look":
			line = &record.InterimAnalysis{Round: id(1), Confidence: number(f[2]), Widest: number(keys["widest"]), Case: int(key("case")), Stop: keys["stop"] != ""}
		case "end":
			line = &record.End{State: f[1], Why: strings.Join(f[2:], " ")}
		default:
			t.Fatalf("what is %q?", l)
		}
		must(t, w.Write(line))
	}
	return b.String()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// read is the summary of such lines.
func read(t testing.TB, words string) *Result {
	t.Helper()
	s, err := Read(strings.NewReader(lines(t, words)), "test")
	must(t, err)
	return s
}

// repeatForks are n forks of a case with the ids from first on, whose samples
// are what f says, %d being the fork.
func repeatForks(first, n, caseID int, samples string, fork string) string {
	var b strings.Builder
	for id := first; id < first+n; id++ {
		for l := range strings.Lines(samples) {
			if l = strings.TrimSpace(l); l != "" {
				fmt.Fprintf(&b, "s %d %s\n", id, l)
			}
		}
		fmt.Fprintf(&b, "fork %d case=%d ok %s\n", id, caseID, fork)
	}
	return b.String()
}

// show is a row as one line.
func show(r Benchmark) string {
	s := r.Name
	if r.Role != "" {
		s += " " + r.Role
	}
	if r.Forks > 0 {
		s += fmt.Sprintf(" %d × %v %s", r.Forks, float64(r.Median), r.Unit)
		if r.Confidence > 0 {
			s += fmt.Sprintf(" (%v … %v, %.4g)", float64(r.Lo), float64(r.Hi), r.Confidence)
		}
	}
	for _, m := range r.Metrics {
		s += fmt.Sprintf(" %v %s", float64(m.Median), m.Unit)
	}
	if r.ForksFailed > 0 {
		s += fmt.Sprintf(" %d failed", r.ForksFailed)
	}
	if r.Failed != "" {
		s += " FAILED " + r.Failed
	}
	if r.Tail != "" {
		s += " tail: " + r.Tail
	}
	for _, w := range r.Warnings {
		s += " [" + w.Code + "]"
	}
	return s
}

const ms = int64(time.Millisecond)

// TestSecretNames: names of an old record lose their secrets and stay several.
func TestSecretNames(t *testing.T) {
	b := NewBuilder()
	b.Add(&record.Run{Kind: record.KindBench, Command: []string{"tare"}, Dir: "/x?token=HUNTER1"})
	for i, name := range []string{"G/http://u:HUNTER2@h", "G/http://u:HUNTER3@h", "G/http://u:HUNTER2@h", "Plain"} {
		c := &record.Case{ID: i + 1, Name: name, Procs: 2, Mode: record.ModeN, N: 1}
		b.Add(c)
		b.Add(c) // as a resumed run may write it
		b.Add(&record.Sample{Fork: i + 1, Iter: 1, Phase: record.PhaseMeasure, Ops: 1, Ns: 1, V: record.Values{{Unit: "ns/op", Value: 1}}})
		b.Add(&record.Fork{ID: i + 1, Case: c.ID, Purpose: record.PurposeTiming, State: record.StateOK, Round: 1})
		if c.Name != name {
			t.Errorf("the caller's line has changed: %s", c.Name)
		}
	}
	var names []string
	for _, r := range b.Result().Results {
		names = append(names, r.Name)
	}
	if want := []string{"G/http://u:***@h", "G/http://u:***@h#01", "G/http://u:***@h#02", "Plain"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	text, err := json.Marshal(b.Result())
	if err != nil || strings.Contains(string(text), "HUNTER") {
		t.Errorf("%v, %s", err, text)
	}
}
