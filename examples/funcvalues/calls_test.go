package main

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/bench"
)

func BenchmarkInlined(b *testing.B) {
	for i := range b.N {
		bench.Sink(inlined(i))
	}
}

func BenchmarkDirect(b *testing.B) {
	for i := range b.N {
		bench.Sink(direct(i))
	}
}

func BenchmarkValue(b *testing.B) {
	f := bench.Opaque(inlined)
	for i := range b.N {
		bench.Sink(f(i))
	}
}

// BenchmarkKnownValue is what the compiler makes of a function value that it can
// follow: the function itself, inlined.
func BenchmarkKnownValue(b *testing.B) {
	f := inlined
	for i := range b.N {
		bench.Sink(f(i))
	}
}

func BenchmarkClosure(b *testing.B) {
	f := closure(1)
	for i := range b.N {
		bench.Sink(f(i))
	}
}

func BenchmarkMethodValue(b *testing.B) {
	f := bench.Opaque(halver{1}).step
	for i := range b.N {
		bench.Sink(f(i))
	}
}

func BenchmarkInterface(b *testing.B) {
	s := bench.Opaque[stepper](halver{1})
	for i := range b.N {
		bench.Sink(s.step(i))
	}
}

// BenchmarkKnownInterface is devirtualized: the compiler sees what is in s.
func BenchmarkKnownInterface(b *testing.B) {
	var s stepper = halver{1}
	for i := range b.N {
		bench.Sink(s.step(i))
	}
}

// BenchmarkTwoTypes calls by turns what two types have, in a fixed order that the
// processor learns.
func BenchmarkTwoTypes(b *testing.B) {
	s := bench.Opaque([2]stepper{halver{1}, doubler{}})
	for i := range b.N {
		bench.Sink(s[i&1].step(i))
	}
}

func BenchmarkGeneric(b *testing.B) {
	for i := range b.N {
		bench.Sink(generic(halver{1}, i))
	}
}

func TestAllComputeTheSame(t *testing.T) {
	for x := range 100 {
		want := x/2 + 1
		for i, got := range []int{inlined(x), direct(x), closure(1)(x), halver{1}.step(x), generic(halver{1}, x)} {
			if got != want {
				t.Errorf("way %d: %d of %d, want %d", i, got, x, want)
			}
		}
	}
	if (doubler{}).step(3) != 6 {
		t.Error("doubler does not double")
	}
}

func TestProgram(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = w
	measure(100 * time.Microsecond)
	os.Stdout = stdout
	w.Close()
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	rate := regexp.MustCompile(`^[a-z ]+ [0-9.]+ iterations per millisecond$`)
	rates := 0
	for line := range strings.Lines(string(out)) {
		if rate.MatchString(strings.TrimSpace(line)) {
			rates++
		}
	}
	if rates != 7 || !strings.Contains(string(out), "overhead (tare), not subtracted") {
		t.Errorf("printed %d rates:\n%s", rates, out)
	}
}
