package profile_test

import (
	"fmt"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/show/subjects/profile"
	"github.com/tarebench/tare/record"
)

// made makes a profile of lines "a;b;c state/reason 1 2 3": outermost first.
func made(types string, lines ...string) *pprof.Profile {
	p := &pprof.Profile{}
	for _, s := range strings.Fields(types) {
		name, unit, _ := strings.Cut(s, "/")
		p.SampleType = append(p.SampleType, &pprof.ValueType{Type: name, Unit: unit})
	}
	locations := map[string]*pprof.Location{}
	for _, l := range lines {
		f := strings.Split(l, "|")
		s := &pprof.Sample{}
		for _, name := range strings.Split(f[0], ";") {
			if locations[name] == nil {
				fn := &pprof.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: "/src/main.go"}
				p.Function = append(p.Function, fn)
				locations[name] = &pprof.Location{ID: fn.ID, Line: []pprof.Line{{Function: fn, Line: 7}}}
				p.Location = append(p.Location, locations[name])
			}
			s.Location = append([]*pprof.Location{locations[name]}, s.Location...)
		}
		if state, reason, _ := strings.Cut(f[1], "/"); state != "" {
			s.Label = map[string][]string{record.LabelState: {state}}
			if reason != "" {
				s.Label[record.LabelReason] = []string{reason}
			}
		}
		for _, v := range strings.Fields(f[2]) {
			var x int64
			if _, err := fmt.Sscan(v, &x); err != nil {
				panic(err)
			}
			s.Value = append(s.Value, x)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

// wall is the article's program, looked at every 10 ms.
func wall() (*pprof.Profile, *record.Sampled) {
	p := made("samples/count wall/nanoseconds twice/nanoseconds",
		"runtime.main;main.main;main.sleep100;time.Sleep|waiting/sleep|40 402000000 381000000",
		"runtime.main;main.main;main.sleep500;time.Sleep|waiting/sleep|50 501000000 490000000",
		"runtime.main;main.main;main.sleep50;time.Sleep|waiting/sleep|10 99000000 80000000",
		"main.worker;main.crunch;main.crunch;main.step|running|30 301000000 250000000",
		"main.worker;main.crunch|runnable|3 30000000 0",
		"main.worker;main.crunch;os.(*File).Read;syscall.read|syscall|1 10000000 0",
		"main.worker|waiting/chan receive|66 660000000 650000000",
	)
	p.DefaultSampleType = "wall"
	return p, &record.Sampled{
		Program: "watched", Mode: record.SampledWall, Source: record.SampledStacks, Window: record.AsmWhole,
		Interval: 10_000_000, Achieved: 10_020_000, Samples: 100, Skipped: 3, Goroutines: 2, Wall: 1_002_000_000, SampleCost: 31_400, MaxSampleCost: 120_000, Cost: 0.0031,
		Limitations: []string{"functions of C"},
	}
}

// stopped is wall of a benchmark that stops its timer.
func stopped() (*pprof.Profile, *record.Sampled) {
	p, how := wall()
	how.Window, how.Windows, how.Ops, how.Stopped = record.AsmMarks, 3, 3000, 0.9149
	return p, how
}

// cpu is of perf events, with names that make trouble.
func cpu() (*pprof.Profile, *record.Sampled) {
	p := made("samples/count cpu/nanoseconds",
		"main.main;example.com/much/longer/path/of/a/package/indeed/that/goes/on.(*Type[example.com/x.Y]).Method|| 700 700000000",
		"main.main;main.<weird>&;b\x1b[31m;c\u202ed|| 200 200000000",
		"main.main;b|| 100 100000000",
	)
	return p, &record.Sampled{
		Program: "server", Mode: record.SampledCPU, Source: record.SampledPerf, Rejected: []string{"cycles: this machine has no such counter"}, Window: record.AsmRough,
		Interval: 1_003_009, Achieved: 1_010_000, Samples: 1000, Wall: 2_000_000_000, CPU: 1_010_000_000, Cost: 0.016,
	}
}

// woven is what counting calls gives: no sampling at all.
func woven() (*pprof.Profile, *record.Sampled) {
	return made("calls/count time/nanoseconds",
		"main.main|| 1 1000",
		"main.main;main.f|| 10 5000",
		"main.main;main.f;main.g|| 100000000 2500000000",
	), nil
}

// idle is a program of 200 goroutines that wait, with names that are longer than a column, and shorter
// without their paths.
func idle() (*pprof.Profile, *record.Sampled) {
	p := made("samples/count wall/nanoseconds twice/nanoseconds",
		"main.main;github.com/BurntSushi/toml.Marshal;github.com/BurntSushi/toml.(*Encoder).eStruct.func2|running|30 300000000 250000000",
		"main.main;github.com/BurntSushi/toml.Marshal;github.com/BurntSushi/toml.(*Encoder).eMapOrStruct;github.com/BurntSushi/toml.(*Encoder).eStruct|running|70 700000000 650000000",
		"example.com/idle/v2.(*Pool).worker|waiting/chan receive|20000 200000000000 198000000000",
	)
	p.DefaultSampleType = "wall"
	return p, &record.Sampled{
		Program: "idle", Mode: record.SampledWall, Source: record.SampledStacks, Window: record.AsmWhole,
		Interval: 10_000_000, Achieved: 10_000_000, Samples: 100, EffectiveSamples: 75, Goroutines: 201, Wall: 1_000_000_000,
		Errors: []record.SampledError{
			{Name: "main.main"},
			{Name: "github.com/BurntSushi/toml.Marshal"},
			{Name: "github.com/BurntSushi/toml.(*Encoder).eStruct.func2", Self: 5.3e7, Total: 5.3e7, SelfShare: 2.6e-4, TotalShare: 2.6e-4},
			{Name: "github.com/BurntSushi/toml.(*Encoder).eStruct", Self: 5.3e7, Total: 5.3e7, SelfShare: 2.6e-4, TotalShare: 2.6e-4},
			{Name: "github.com/BurntSushi/toml.(*Encoder).eMapOrStruct", Total: 5.3e7, TotalShare: 2.6e-4},
			{Name: "example.com/idle/v2.(*Pool).worker"},
		},
	}
}

// server is a program with code of all kinds, sampled by CPU time. Shares of main.handle and of the collector are given in per cent;
// what is left runs in another library.
func server(handle, collector int64, more ...string) (*pprof.Profile, *record.Sampled) {
	lines := []string{
		"runtime.main;main.main;net/http.(*conn).serve;main.handle|| %d %d0000000",
		"runtime.gcBgMarkWorker;runtime.gcDrain;runtime.scanobject|| %d %d0000000",
		"runtime.main;main.main;net/http.(*conn).serve;example.com/json.Marshal|| %d %d0000000",
		"runtime.main;main.main;example.com/server/store.(*Store).Get;runtime.mapaccess2|| %d %d0000000",
		"[kernel]|| %d %d0000000",
	}
	for i, n := range []int64{handle, collector, 100 - handle - collector - 11, 10, 1} {
		lines[i] = fmt.Sprintf(lines[i], n, n)
	}
	p := made("samples/count cpu/nanoseconds", append(lines, more...)...)
	for _, f := range p.Function {
		switch root, _, _ := strings.Cut(f.Name, "."); root {
		case "example":
			f.Filename = map[bool]string{true: "/go/pkg/mod/example.com/json@v1.2.0/json.go", false: "/src/server/store/store.go"}[strings.Contains(f.Name, "json")]
		case "runtime":
			f.Filename = map[bool]string{true: "/usr/local/go/src/runtime/mgc.go", false: "/usr/local/go/src/runtime/proc.go"}[strings.Contains(f.Name, "gc") || strings.Contains(f.Name, "scan")]
		case "net/http":
			f.Filename = "/usr/local/go/src/net/http/server.go"
		case "[kernel]":
			f.Filename = ""
		}
	}
	var samples int64
	for _, s := range p.Sample {
		samples += s.Value[0]
	}
	return p, &record.Sampled{
		Program: "server", Mode: record.SampledCPU, Source: record.SampledPerf, Window: record.AsmWhole,
		Interval: 10_000_000, Achieved: 10_000_000, Samples: samples, Wall: 2_000_000_000, CPU: 10_000_000 * samples,
	}
}

// before and after are two versions of it: handle takes much less of the time, and the library, of which it is not certain, more.
func before() (*pprof.Profile, *record.Sampled) {
	return server(50, 20, "runtime.main;main.main;main.old<&>\x1b[31m|| 3 30000000")
}

func after() (*pprof.Profile, *record.Sampled) {
	return server(10, 19, "runtime.main;main.main;example.com/server/store.(*Store).Put|| 2 20000000")
}

func difference(t testing.TB, old, now func() (*pprof.Profile, *record.Sampled), c profile.Config) *profile.Difference {
	t.Helper()
	d, err := profile.NewDifference(withoutPath(t, old, c), withoutPath(t, now, c), [2]string{"old", "new"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// wovenAgain is woven after a change.
func wovenAgain() (*pprof.Profile, *record.Sampled) {
	return made("calls/count time/nanoseconds", "main.main|| 1 1000", "main.main;main.f|| 10 1005000", "main.main;main.h|| 10 1000000"), nil
}

// empty is a program that ended at once.
func empty() (*pprof.Profile, *record.Sampled) {
	return made("samples/count cpu/nanoseconds"), &record.Sampled{
		Program: "quick", Mode: record.SampledCPU, Source: record.SampledRuntime, Window: record.AsmWhole, Interval: 10_000_000, Wall: 3_000_000,
	}
}

// asleep is a server that was looked at by CPU time, of which it used none.
func asleep() (*pprof.Profile, *record.Sampled) {
	return made("samples/count cpu/nanoseconds"), &record.Sampled{
		Program: "127.0.0.1:6060", Mode: record.SampledCPU, Source: record.SampledURL, Window: record.AsmWhole, Interval: 10_000_000, Achieved: 10_000_000, Wall: 5_000_000_000,
	}
}

func view(t testing.TB, of func() (*pprof.Profile, *record.Sampled), c profile.Config) *profile.View {
	t.Helper()
	c.Path = true
	return withoutPath(t, of, c)
}

func withoutPath(t testing.TB, of func() (*pprof.Profile, *record.Sampled), c profile.Config) *profile.View {
	t.Helper()
	p, how := of()
	c.How = how
	v, err := profile.New(p, c)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
