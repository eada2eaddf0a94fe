package record

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// golden is what testdata/v1.jsonl holds. The file is the promise that files of
// version 1 stay readable: lines and keys may be added at its end, but what is
// in it is never changed or generated anew.
func golden() []Line {
	start := time.Date(2026, 1, 2, 3, 4, 5, 678900000, time.FixedZone("", 3600))
	return []Line{
		&Run{
			Version: 1, Tare: "v0.1.0", Start: start, Mono: 123456789012, Seed: 0xfedcba9876543210,
			Command: []string{"tare", "bench", "--against", "main", "-o", "a b.jsonl", "./..."},
			Config: Config{
				Packages: []string{"./...", "<std> & co"}, Bench: "Encode|Decode", Skip: "Slow", Filter: "size:1k", CPU: []int{1, 8},
				Forks: 20, Warmup: 2, Iterations: 5, Time: 100 * time.Millisecond, Benchtime: "100x", Mode: ModeN,
				Timeout: time.Minute, GOGC: "off", MemoryLimit: "4GiB", Setenv: []string{"API_KEY=***", "A=b=c"},
				Order: "interleaved", Precision: 0.01, Budget: time.Hour, Tags: "purego",
				Threshold: 0.03, Correction: "bh", Layouts: 8, Confidence: 0.95,
			},
			Sides: []Side{
				{Name: "old", Ref: "v1", Revision: "0a1b2c", Dir: "/home/gopher/old", Toolchain: "go1.25.0", Flags: []string{"-gcflags=-l"}, Setenv: []string{"X=1"}},
				{Name: "new", Dirty: true},
			},
			Env: Env{
				OS: "linux", Arch: "amd64", Kernel: "6.18.44", CPU: "AMD EPYC", Cores: 2, Memory: 8 << 30, Go: "go1.26.0",
				GOMAXPROCS: 2, GOGC: "100", GOMEMLIMIT: "6GiB", ClockSource: "tsc", Virtual: "kvm",
			},
			Dir: "/home/gopher/\"codec\"",
		},
		&Bin{ID: 1, Pkg: "example.org/codec", Side: "old", Layout: "42", SHA256: "e3b0c442", BuildID: "abc/def", Size: 5 << 20, Dir: "/home/gopher/codec", Version: "v1.2.3"},
		&Case{
			ID: 1, Pkg: "example.org/codec", Name: "Encode/size=1k/kind=a=b", Params: []Param{{"size", "1k"}, {"kind", "a=b"}}, Side: "old",
			Bin: 1, Procs: 8, Mode: ModeN, N: 1 << 40, Wall: 700_000_000, Roles: []string{"producer", "consumer"},
			Units: map[string]Unit{"B/op": {Better: Lower, Assume: Exact}, "op/s": {Better: Higher}},
		},
		&Sample{Fork: 1, Iter: 1, Phase: PhaseWarmup, T: 123556789012, Wall: 100_000_000, Ns: 99_000_000, Ops: 1000, V: Values{{"ns/op", 99000}, {"B/op", 0}, {"MB/s", 12.5}}},
		&Sample{Fork: 1, Iter: 2, Phase: PhaseMeasure, Role: "producer", T: 123656789012, Ns: 1, Ops: -1, V: Values{{"µs", math.Inf(1)}, {"a\"b", math.Inf(-1)}, {"", 1e-7}, {"z", math.NaN()}}},
		&Sample{Fork: 1, Iter: 3, Phase: PhaseBaseline},
		&Fork{
			ID: 1, Case: 1, Bin: 1, Round: 1, Order: 1, Purpose: PurposeTiming, Start: 123456789012, Wall: 300_000_000, Setup: 5_000_000, HarnessTime: 400_000,
			User: 290_000_000, Sys: 8_000_000, Vcsw: 12, Ivcsw: 3, Minflt: 900, Majflt: 1, Steal: 10_000_000, MaxRSS: 12 << 20, MaxRSSBy: "cgroup",
			Exit: "2", State: StateFailed, Why: "benchmark failed", Tail: "--- FAIL: BenchmarkEncode\n\tcodec_test.go:7: \x1b[31mbad\x1b[0m </html> \u2028",
		},
		&Overhead{Fork: 1, Clock: 41.5, Loop: 0.25, Probe: 19, Launcher: 400_000, Peak: 3 << 20, Steal: 0.004, Load: 1.25, Wall: 300_000_000, Planned: 290_000_000},
		&Warn{About: AboutCase, ID: 1, Code: "few-forks", Text: "1 fork tells nothing about the spread between forks", Advice: "use --forks 10"},
		&Attach{Case: 1, Fork: 1, Iter: 2, Name: "cpu", Media: "application/vnd.google.protobuf+gzip", Data: []byte{0, 1, 0xfe, 0xff}, Path: "run/cpu.pprof"},
		&InterimAnalysis{Round: 10, Of: 5, Confidence: 0.99, Widest: -1, Case: 1, Stop: true},
		&End{State: EndPartial, Why: "interrupted"},
		&Run{Version: 1, Start: start, Config: Config{SideBy: "impl", Deep: true, Prof: []string{"mem"}, ProfForks: 10}, Sides: []Side{{Name: "hooks", Deep: true}}},
		&Case{ID: 2, Bin: 1, Mode: ModeN, N: 1, SingleShot: true},
		&Bin{ID: 2, Purpose: "mem"},
		&Hist{Fork: 1, Name: "READ", Iter: 2, Role: "reader", Tag: TagResponse, Start: 123456789012, Length: 1_000_000_000, Unit: "ns", Data: []byte{0x1c, 0x84, 0x93, 0x14}},
		&Load{
			Phase: LoadRun, Iter: 1, Final: true, Start: 5_000_000_000, Length: 1_000_000_000, TargetRate: 1000, Achieved: 239,
			Scheduled: 1000, Started: 240, Completed: 239, Dropped: 2, Unsent: 758, Unfinished: 1, UnsentOldest: 760_000_000,
			UnfinishedOldest: 760_500_000, BacklogMax: 760, Errors: map[string]int64{"timeout": 1}, Workers: 1, CPU: 40_000_000,
		},
		&Run{Version: 1, Start: start, Config: Config{Load: &LoadConfig{
			DB: "bolt", Name: "bolt 1.4.3", Notes: []string{"sync=false"}, Workload: "a", Props: map[string]string{"redis.password": "***"},
			Arrivals: "constant 5000/s", Rate: 5000, Workers: 8, AutoWorkers: 100, Records: 1000, Warmup: 5 * time.Second,
			Duration: 10 * time.Second, Operations: 50_000, OnLate: "skip=10ms", Pace: "hybrid", Clock: "tsc",
			OpTimeout: 10 * time.Second, Drain: 5 * time.Second, Interval: time.Second, Kinds: []string{"READ", "UPDATE"},
		}}},
		&Run{Version: 1, Start: start, Config: Config{Prof: []string{"trace"}, TraceMatch: []string{"sort.*", "/^main/"}, TraceSkip: []string{"Less"}}},
		&Run{Version: 1, Kind: KindTrace, Start: start},
		&Sample{Fork: 2, Iter: 2, Phase: PhaseMeasure, T: 223656789012, Wall: 25_000_000, CPU: 15_500_000, Delay: 9_400_000, Batched: true, Ns: 24_000_000, Ops: 1000, V: Values{{"ns/op", 24000}}},
		&Overhead{Others: new(1.5)},
		&Run{Version: 1, Start: start, Config: Config{Spread: 10 * time.Minute}},
		&AnotherRun{Case: 1, Half: 0.125, Confidence: 0.95, Runs: 12, Seen: 31, Approximate: true},
		&Case{ID: 3, Pkg: "example.org/codec", Name: "Encode/a", Bin: 1, Procs: 1, Mode: ModeTime, Group: "Encode"},
		&Fork{ID: 3, Case: 3, Bin: 1, Process: 3},
		&Reference{Round: 3, T: 123456789012, Loops: []ReferenceLoop{{Name: "l3", Min: 17.25, Median: 19.5, Wall: 4_000_000, CPU: 3_900_000}}},
		&Fork{ID: 2, Case: 1, Bin: 1, Round: 1, Order: 2, Purpose: PurposeTiming, Start: 1, Wall: 2, Lost: new(0.375), Starved: true, Throttled: 12_000_000, Exit: "0", State: StateOK},
		&Run{Version: 1, Start: start, Config: Config{ShortIterations: true, Test: TestSavage}},
		&Case{ID: 3, Bin: 1, Mode: ModeN, N: 1, Iterations: 8, Time: 12500000},
		&Case{ID: 4, Bin: 1, Mode: ModeN, N: 1, Long: "few operations"},
		&Run{Version: 1, Start: start, Config: Config{NoRepeat: true}},
		&Case{ID: 3, Bin: 1, Mode: ModeN, N: 207000, Calibration: &Calibration{
			Target: 50_000_000, Time: 49_000_000, Untimed: 600_000, Fixed: 300_000, Limit: 1_200_000, Lost: 0.46, Forks: 7, Brief: true,
		}},
		&Replan{Case: 3, Round: 1, From: 120, To: 207000, Forks: 1, Time: 30_000, Why: "an iteration took 30 µs, the target is 50 ms"},
		&Run{Version: 1, Start: start, Config: Config{Args: []string{"-test.short", "-elems", "5"}}},
		&Run{Version: 1, Start: start, Config: Config{NoPriority: true}},
		&Overhead{Priority: "autogroup -20"},
		&Fork{ID: 3, Case: 1, Bin: 1, Round: 1, Order: 3, Purpose: PurposeTiming, Start: 1, Wall: 2, MaxRSSBelow: 2_359_296, Exit: "0", State: StateOK},
		&Bin{ID: 3, Build: map[string]string{"-ldflags": "-X main.token=***", "-race": "true", "GOAMD64": "v3"}},
		&Case{ID: 4, Bin: 1, Mode: ModeN, N: 207000, Forms: []string{FormN, FormLoop}, Resets: true, Calibration: &Calibration{
			Target: 50_000_000, Time: 49_000_000, Limit: 1_200_000, Forks: 2, Looks: []CalibrationLook{{1, 12_500}, {30, 12_800.5}},
		}},
		&Overhead{Bins: []int{1, 2}, EmptyLoops: []EmptyLoop{{Form: FormLoop, Procs: 2, Min: 0.5, Max: 0.75, First: 90}}},
		&Load{Phase: LoadRun, Iter: 1, TargetRate: 500, Silence: 1_950_000_000, SilenceDue: 975},
		&Fork{ID: 4, Case: 1, Bin: 1, Round: 1, Order: 4, Purpose: PurposeTiming, Start: 1, Wall: 2, Others: new(int64(150_000_000)), Idle: 40_000_000, Exit: "0", State: StateOK},
		&Case{ID: 5, Bin: 1, Mode: ModeN, N: 1, Code: "0a1b2c"},
		&Case{ID: 6, Name: "Get/http://h/x?sig=***", Bin: 1, Mode: ModeN, N: 1, NameHash: "9f86d081"},
		&Overhead{Harness: &Harness{Operations: 200, Service: 151, Response: 1180}},
		&Run{Version: 1, Start: start, Config: Config{MemoryMax: 67108864, MemoryMaxBy: "cgroup v2", GCBefore: true}},
		&Load{
			Phase: LoadRun, Final: true, Errors: map[string]int64{"server": 3}, Statuses: map[string]int64{"200": 97, "503": 3}, Sent: 12_000, Received: 34_000, Rows: 250,
			Failures: []Failure{{Name: "GET", Class: "server", Status: "503", Count: 3, First: "http: GET http://127.0.0.1:1: status 503 Service Unavailable"}},
		},
		&Run{Version: 1, Start: start, Sides: []Side{{Name: "old", Command: "go run ./cmd/server -port {port}"}, {Name: "new", URL: "http://127.0.0.1:8080/"}}},
		&Load{Phase: LoadRun, Final: true, Window: &LoadWindow{Side: "new", Pair: 7, Start: 2}},
		&Stall{By: "mock", Start: 5_250_000_000, Length: 200_000_000},
		&Load{Phase: LoadRun, Final: true, Slowest: []SlowOperation{
			{Name: "GET", K: 17, Due: 1_000_000, Start: 1_000_400, End: 86_000_000, Key: "/items/17?token=***", Part: "GET/first-byte", PartTime: 84_000_000},
			{Name: "buy", K: 9, Due: 2_000_000, Start: 2_000_000, End: 1_002_000_000, Paused: 990_000_000, Unanswered: true, Class: "server", Status: "503"},
		}},
		&Marks{
			Phase: LoadRun, Iter: 12, Start: 5_000_000_000, Length: 1_000_000_000,
			Generator: GeneratorMarks{GC: GCMarks{Count: 2, Pause: 150_000, Max: 90_000}, SchedP99: 20_000, SchedMax: 400_000, Process: &ProcessMarks{PID: 7, CPU: 40_000_000, RSS: 20 << 20}},
			Servers:   []ProcessMarks{{PID: 4711, CPU: 900_000_000, Delay: new(int64(600_000_000)), Stopped: 500_000_000, RSS: 1 << 30, Minflt: 1200, Majflt: 3}},
			ServerGC:  &GCMarks{Count: 1, Pause: 1_900_000, Max: 1_900_000},
			Window:    &LoadWindow{Side: "new", Pair: 7},
		},
		&Load{Phase: LoadRun, Iter: 3, Scheduled: 900, Started: 600, Completed: 600, Lost: 300, Agents: 2, Workers: 8},
		&Agent{
			Name: "b", Host: "load-2", OS: "linux", Arch: "amd64", Cores: 4, Tare: "v0.2.0", Weight: 2, Phase: LoadRun, Step: 1,
			Offset: -1_250_000, OffsetError: 40_000, Drift: 12.5, StartLate: 90_000, Intervals: 10, Missing: 1, Late: 2,
			Shares:    []AgentShare{{From: 0, To: 2000, Slots: 2, Of: 5}, {From: 2000, Slots: 2, Of: 4}},
			Scheduled: 1000, Started: 900, Completed: 890, Dropped: 1, Unsent: 9, Unfinished: 10, Lost: 90, Failed: 3, TargetRate: 400, Achieved: 356, CPU: 5_000_000_000, CoresUsed: 2,
			Response: &AgentTimes{Count: 887, P50: 1_200_000, P99: 4_000_000, P999: 9_000_000, Max: 21_000_000},
			Service:  &AgentTimes{Count: 887, P50: 1_100_000, P99: 3_900_000, P999: 8_900_000, Max: 20_000_000},
			Lateness: &AgentTimes{Count: 800, P50: 20_000, P99: 90_000, P999: 200_000, Max: 400_000},
			State:    AgentLost, Why: "no sign of life for 2s", At: 7_000_000_000,
		},
		&Run{Version: 1, Start: start, Group: "20260102T030405-7f", Machine: "build-3", Revision: "90de9d9f0c8d3c5f8b0d6f6c7a1e2b3c4d5e6f70", Dirty: true},
		&Case{ID: 7, Bin: 1, Mode: ModeN, N: 1, Threshold: 0.1},
		&Bisect{Pkg: "example.com/p", Name: "X", Metric: "ns/op", Better: "lower", State: "found", First: "b", Group: []string{"a", "b"}, Part: true, Merge: true, Ratio: 1.05, Lo: 1.04, Hi: 1.06, Forks: 120, Layouts: 4, Base: "v1",
			Commits: []BisectCommit{{Commit: "a", Subject: "s", Probability: 0.5, Forks: 20, Median: 7, Same: true, Skipped: "does not build"}, {Commit: "b"}}},
		&Run{Version: 1, Start: start, Config: Config{With: []AddedFile{{Path: "codec/new_test.go", SHA256: "e3b0c442"}}}},
		&Attach{Bin: 1, Name: AttachCompiler, Media: "application/json", Data: []byte("{}")},
		&Bin{ID: 4, Files: "5d41402a"},
		&Warn{About: AboutRun, Code: "steal", Form: "late", Text: "7 % of the CPU time was stolen", Facts: map[string]string{"share": "7 %"}},
	}
}

func v1(t testing.TB) []byte {
	b, err := os.ReadFile("testdata/v1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestGolden(t *testing.T) {
	r := NewReader(bytes.NewReader(v1(t)), "v1.jsonl")
	want := golden()
	for i := 0; ; i++ {
		got, err := r.Next()
		if err == io.EOF {
			if i != len(want) {
				t.Errorf("read %d lines, want %d", i, len(want))
			}
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if i < len(want) && !equal(got, want[i]) {
			t.Errorf("line %d:\ngot  %+v\nwant %+v", i+1, got, want[i])
		}
	}
	if n := r.Skipped(); n != 1 {
		t.Errorf("skipped %d lines of unknown kinds, want 1", n)
	}
	if n := r.Whole(); n != int64(len(v1(t))) {
		t.Errorf("%d bytes were whole lines, want all %d", n, len(v1(t)))
	}
}

// What is written today must be what is in the file, except for what only
// foreign writers write.
func TestGoldenWritten(t *testing.T) {
	var buf bytes.Buffer
	w := NewWriter(&buf)
	for _, l := range golden() {
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	file := strings.ReplaceAll(string(v1(t)), `,"later":{"x":[1]}`, "")
	file = strings.ReplaceAll(file, `{"k":"later","x":1}`+"\n", "")
	if got := buf.String(); got != file {
		t.Errorf("got\n%s\nwant\n%s", got, file)
	}
}

// TestImpossibleAgent: a line with values that no run has is refused.
func TestImpossibleAgent(t *testing.T) {
	for key, change := range map[string]func(a *Agent){
		"shares":       func(a *Agent) { a.Shares = []AgentShare{{From: 5, To: 4, Slots: 1, Of: 1}} },
		"cores_used":   func(a *Agent) { a.CoresUsed = math.MaxFloat64 },
		"lost":         func(a *Agent) { a.Lost = -1 },
		"start_late":   func(a *Agent) { a.StartLate = math.MinInt64 },
		"offset_error": func(a *Agent) { a.OffsetError = math.MaxInt64 },
		"max":          func(a *Agent) { a.Service = &AgentTimes{Max: -5} },
	} {
		a := &Agent{Name: "a", Shares: []AgentShare{{From: 1, Slots: 1, Of: 2}}, Service: &AgentTimes{}}
		if err := a.possible(); err != nil {
			t.Fatal(err)
		}
		if change(a); a.possible() == nil || !strings.Contains(a.possible().Error(), `"`+key+`"`) {
			t.Errorf("%s: %v", key, a.possible())
		}
	}
}

// A key that is missing from the file is not covered by the promise: add a
// line with it at the file's end when adding a key.
func TestGoldenComplete(t *testing.T) {
	seen := make(map[string]bool)
	for line := range bytes.Lines(v1(t)) {
		var top map[string]any
		if err := json.Unmarshal(line, &top); err != nil {
			t.Fatal(err)
		}
		kind, _ := top["k"].(string)
		addKeys(seen, kind, top)
	}
	for _, l := range golden() {
		for _, key := range keysOf(l.kind(), reflect.TypeOf(l).Elem()) {
			if !seen[key] {
				t.Errorf("testdata/v1.jsonl has no %s", key)
			}
		}
	}
}

func addKeys(seen map[string]bool, prefix string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			seen[prefix+"."+k] = true
			addKeys(seen, prefix+"."+k, x)
		}
	case []any:
		for _, x := range v {
			addKeys(seen, prefix, x)
		}
	}
}

// keysOf returns the keys of a type and of the structs and slices in it.
func keysOf(prefix string, t reflect.Type) (keys []string) {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[Value]() {
		return nil
	}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		keys = append(keys, prefix+"."+name)
		keys = append(keys, keysOf(prefix+"."+name, t.Field(i).Type)...)
	}
	return keys
}

// equal compares lines: times by their instant, NaN equal to itself.
func equal(a, b Line) bool {
	return reflect.DeepEqual(canonical(a), canonical(b))
}

// canonical returns a copy of l for reflect.DeepEqual.
func canonical(l Line) Line {
	switch l := l.(type) {
	case *Run:
		c := *l
		c.Start = c.Start.UTC()
		return &c
	case *Sample:
		c := *l
		c.V = nil
		for _, v := range l.V {
			if math.IsNaN(v.Value) {
				v = Value{"NaN of " + v.Unit, 0}
			}
			if v.Value == 0 && math.Signbit(v.Value) {
				v.Unit = "negative zero of " + v.Unit
			}
			c.V = append(c.V, v)
		}
		return &c
	}
	return l
}
