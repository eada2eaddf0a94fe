package job

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestProgramValidate: each contradiction is refused, by the kind of the profile.
func TestProgramValidate(t *testing.T) {
	for _, x := range []struct {
		kind, want string
		change     func(*Program)
	}{
		{record.KindTrace, "", func(*Program) {}},
		{record.KindSample, "", func(p *Program) { p.Include, p.Command = nil, []string{"./program"} }},
		{record.KindSample, "", func(p *Program) { p.Include, p.URL = nil, "http://127.0.0.1:1" }},
		{record.KindAsm, "", func(p *Program) { p.Include, p.Command = nil, []string{"./program"} }},
		{record.KindTrace, "", func(p *Program) { p.CountOnly = true }},
		{record.KindAsm, "--delay -1s is less than 0; --frequency -5 is less than 0; asm: no command", func(p *Program) { p.Delay, p.Frequency = -time.Second, -5 }},
		{record.KindTime, `no profile of kind "time"`, func(*Program) {}},
		{record.KindTrace, "which functions", func(p *Program) { p.Include = nil }},
		{record.KindContrast, "--keep-calls -1 is not from 0", func(p *Program) { p.KeepCalls = -1 }},
		{record.KindTrace, "have no order", func(p *Program) { p.CountOnly, p.Given = true, Given{"keep-calls": true} }},
		{record.KindTrace, "--room 5: want a size", func(p *Program) { p.Room = 5 }},
		{record.KindTrace, "--every 0", func(p *Program) { p.Every = 0 }},
		{record.KindTrace, "/(/", func(p *Program) { p.Include = []string{"/(/"} }},
		{record.KindTrace, "when it builds a program", func(p *Program) { p.Command = []string{"./program"} }},
		{record.KindTrace, "only a program that tare builds", func(p *Program) { p.URL = "http://127.0.0.1:1" }},
		{record.KindContrast, "exclude each other", func(p *Program) { p.Wall, p.CPUTime = true, true }},
		{record.KindSample, "--sample-interval 0s", func(p *Program) { p.Interval = 0 }},
		{record.KindSample, "2s of CPU time", func(p *Program) { p.Interval, p.Command = 2*time.Second, []string{"./program"} }},
		{record.KindSample, "--wall needs a program", func(p *Program) { p.Wall, p.Command = true, []string{"./program"} }},
		{record.KindSample, "which one?", func(p *Program) { p.URL, p.Packages = "http://127.0.0.1:1", []string{"."} }},
		{record.KindSample, "--env cannot be used here", func(p *Program) { p.URL, p.Given = "http://127.0.0.1:1", Given{"env": true} }},
		{record.KindSample, "one package at a time", func(p *Program) { p.Packages = []string{"a", "b"} }},
		{record.KindSample, "go run: no package", func(p *Program) { p.Command = []string{"go", "run"} }},
		{record.KindSample, "--tags cannot be used", func(p *Program) { p.Command, p.Tags = []string{"go", "run", "."}, "x" }},
		{record.KindAsm, "asm: no command", func(*Program) {}},
		{record.KindAsm, "--timeout -1s is not above 0; --env \"x\" is not of the form K=V; --duration -2s", func(p *Program) {
			p.Timeout, p.Setenv, p.Duration = -time.Second, []string{"x"}, -2*time.Second
		}},
	} {
		p := DefaultProgram(x.kind)
		p.Include = []string{"main.*"}
		x.change(&p)
		_, err := p.Plan()
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %s", x.kind, err, x.want)
		}
	}
}

// TestProgramPlan: the head of the record says what was run, and how. What is only counted has no order.
func TestProgramPlan(t *testing.T) {
	p := DefaultProgram(record.KindContrast)
	p.Include, p.CountOnly, p.Tags, p.Setenv = []string{"main.*"}, true, "x", []string{"A=b"}
	run, err := p.Plan()
	if err != nil || run.Kind != record.KindContrast || run.Config.Tags != "x" || !slices.Equal(run.Config.Setenv, p.Setenv) || !slices.Equal(run.Config.Prof, []string{"contrast"}) {
		t.Errorf("%+v, %v", run, err)
	}
	if p.KeepCalls != 0 || !p.Functions().CountOnly {
		t.Errorf("%+v", p)
	}
}

// TestProgramTarget: tare builds packages, go run and go test. Others are sampled by CPU time.
func TestProgramTarget(t *testing.T) {
	for _, x := range []struct {
		program Program
		built   string
		mode    string
	}{
		{Program{}, ".", record.SampledWall},
		{Program{Packages: []string{"./cmd"}, Args: []string{"-x"}}, "./cmd -x", record.SampledWall},
		{Program{Command: []string{"go", "run", "./cmd"}}, "./cmd", record.SampledWall},
		{Program{Command: []string{"go", "run", "./cmd"}, CPUTime: true}, "./cmd", record.SampledCPU},
		{Program{Command: []string{"./server"}}, "", record.SampledCPU},
		{Program{URL: "http://h:1"}, "", record.SampledWall},
	} {
		target, err := x.program.Target()
		built := ""
		if target != nil {
			built = target.Line()
		}
		if mode := x.program.Sampling().Mode; err != nil || built != x.built || mode != x.mode {
			t.Errorf("%+v: %q, %v, %s", x.program, built, err, mode)
		}
	}
}
