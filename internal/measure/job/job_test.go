package job

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// examples are values that options take, other than their defaults.
var examples = map[string]string{
	"gomaxprocs": "1,2", "mode": "time", "with": "job_test.go", "env": "A=b", "gogc": "50", "memory-limit": "1048576", "memory-max": "1073741824",
	"benchtime": "100x", "precision": "1%", "side": "a=HEAD", "toolchain": "a=go1.25.5", "side-env": "a=K=V", "side-flags": "a=-race", "side-deep": "a",
	"property": "a=b", "threshold": "7%", "test": record.TestU, "correction": "holm", "confidence": "0.99", "seed": "7f", "order": "grouped", "prof": "asm,mem", "include": "Sort", "exclude": "Less",
	"param": "n=1,2", "room": "2097152", "events": "cycles,cpu-clock",
}

// example returns a value for an option.
func example(o Option) string {
	switch v := examples[o.Name]; {
	case v != "":
		return v
	case o.Value.Type() == "bool":
		return "true"
	case o.Value.Type() == "int":
		return "7"
	case o.Value.Type() == "duration":
		return "90s"
	}
	return "Example"
}

// TestOptions: each option sets a field of its own, and reads as it is written.
func TestOptions(t *testing.T) {
	t.Run("bench", func(t *testing.T) { testOptions(t, DefaultBench, (*Bench).Options) })
	t.Run("load", func(t *testing.T) { testOptions(t, DefaultLoad, (*Load).Options) })
	t.Run("command", func(t *testing.T) { testOptions(t, DefaultCommand, (*Command).Options) })
	t.Run("program", func(t *testing.T) {
		testOptions(t, func() Program { return DefaultProgram(record.KindTrace) }, (*Program).Options)
	})
}

func testOptions[J any](t *testing.T, defaults func() J, options func(*J) []Option) {
	seen := map[string]bool{}
	for i, o := range options(new(J)) {
		if seen[o.Name] || seen["key "+o.Key] || o.On == 0 || o.Daily&^o.On != 0 || o.Group == "" || o.Help == "" {
			t.Errorf("%s is there twice, or lacks something", o.Name)
		}
		seen[o.Name] = true
		if o.Key != "" {
			seen["key "+o.Key] = true
		}
		a, b := defaults(), defaults()
		x, y := options(&a)[i], options(&b)[i]
		if err := x.Value.Set(example(o)); err != nil {
			t.Fatalf("%s: %v", o.Name, err)
		}
		if reflect.DeepEqual(a, b) {
			t.Errorf("--%s %s sets nothing", o.Name, example(o))
		}
		if err := y.Value.Set(x.Value.String()); err != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("--%s %s reads as %s, %v", o.Name, example(o), x.Value, err)
		}
		for _, other := range append(slices.Clone(o.Overrules), o.Name) {
			if !slices.ContainsFunc(options(&a), func(o Option) bool { return o.Name == other }) {
				t.Errorf("%s overrules %s, which is no option", o.Name, other)
			}
		}
	}
}

// TestPlanHasEverything: each option that changes what is measured is in the head of the record.
func TestPlanHasEverything(t *testing.T) {
	j := DefaultBench()
	plain, err := j.Plan()
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range new(Bench).Options() {
		if o.Name == "against" {
			continue // as side
		}
		j := DefaultBench()
		j.Sides.Others = o.Name != "side-by"
		if o.Name == "include" || o.Name == "exclude" {
			j.Profilers = []string{"trace"}
		}
		if strings.HasPrefix(o.Name, "prof-") {
			j.Profilers = []string{"mem"}
		}
		j.Seed = plain.Seed.String()
		without, err := j.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if o.Name == "threshold" || o.Name == "correction" {
			j.Sides.Side = []string{"a=HEAD"}
		}
		if err := j.Options()[i].Value.Set(example(o)); err != nil {
			t.Fatal(err)
		}
		with, err := j.Plan()
		if err != nil {
			t.Errorf("--%s %s: %v", o.Name, example(o), err)
		} else if reflect.DeepEqual(with, without) {
			t.Errorf("--%s %s leaves no trace in the record", o.Name, example(o))
		}
	}
}

// TestValidate: every contradiction is named at once.
func TestValidate(t *testing.T) {
	j := DefaultBench()
	j.Forks, j.Time, j.Bench, j.Order, j.Confidence, j.Seed = 0, -time.Second, "(", "some", 1, "x"
	err := j.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"--forks 0", "--time -1s", `--bench "("`, `--order "some"`, "--confidence 1", "--seed"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: lacks %s", err, want)
		}
	}
}

// TestComplete: what was not given follows from what was.
func TestComplete(t *testing.T) {
	quick := DefaultBench()
	quick.Quick, quick.Given = true, Given{"quick": true, "forks": true}
	quick.Complete()
	if quick.Forks != 20 || quick.Iterations != 1 || quick.Time != 20*time.Millisecond || quick.ShortIterations {
		t.Errorf("%+v", quick)
	}
	plain := DefaultBench()
	if plain.Complete(); !plain.ShortIterations || plain.Forks != 20 {
		t.Errorf("%+v", plain)
	}
}

// TestContradictions: each pair of options that exclude each other is refused.
func TestContradictions(t *testing.T) {
	for want, change := range map[string]func(*Bench){
		"--mode time and --benchtime 100x":          func(b *Bench) { b.Mode, b.Operations = record.ModeTime, "100x" },
		"--precision needs --order interleaved":     func(b *Bench) { b.Precision, b.Order = 0.01, "grouped" },
		"--spread needs --order interleaved":        func(b *Bench) { b.Spread, b.Order = time.Hour, "grouped" },
		"--spread and --precision contradict":       func(b *Bench) { b.Spread, b.Precision = time.Hour, 0.01 },
		"--budget 1s is less than --spread":         func(b *Bench) { b.Spread, b.Budget = time.Hour, time.Second },
		"--spread needs at least":                   func(b *Bench) { b.Spread, b.Forks = time.Hour, 2 },
		"--with gives revisions a file":             func(b *Bench) { b.With = []string{"job_test.go"} },
		"--threshold needs sides to compare":        func(b *Bench) { b.Given = Given{"threshold": true} },
		"--include and --exclude are about":         func(b *Bench) { b.Include = []string{"X"} },
		"--timeout 0s is not above 0":               func(b *Bench) { b.Given = Given{"timeout": true} },
		"a 99.9 % interval needs at least 11 forks": func(b *Bench) { b.Confidence, b.Forks, b.Given = 0.999, 6, Given{"confidence": true} },
	} {
		b := DefaultBench()
		change(&b)
		if err := b.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestPlanAlone: a run without sides records neither a threshold nor a correction, one with sides both.
func TestPlanAlone(t *testing.T) {
	for _, sides := range [][]string{nil, {"a=HEAD"}} {
		b := DefaultBench()
		b.Sides.Side = sides
		run, err := b.Plan()
		if compares := sides != nil; err != nil || (run.Config.Threshold > 0) != compares || (run.Config.Correction != "") != compares {
			t.Errorf("%q: %+v, %v", sides, run.Config, err)
		}
	}
}

// TestResumed: a resumed run may be given the secrets of its forks again, which the record does not hold, and nothing else.
func TestResumed(t *testing.T) {
	if got := Resumed(new(Bench).Options()); !slices.Equal(got, []string{"env"}) {
		t.Errorf("%q", got)
	}
}

// TestOneSide: a single side is compared with the working tree, under a name that the side does not have.
func TestOneSide(t *testing.T) {
	for side, want := range map[string]string{"old=.": "old new", "new=.": "base new", "x=HEAD": "x new"} {
		b := DefaultBench()
		b.Sides.Side = []string{side}
		sides, err := b.Sides.List()
		if err != nil || len(sides) != 2 || sides[0].Name+" "+sides[1].Name != want {
			t.Errorf("--side %s: %+v, %v, want %s", side, sides, err, want)
		}
	}
}
