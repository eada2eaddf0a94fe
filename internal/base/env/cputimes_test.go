package env

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestParseCPUTimes(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	tests := []struct {
		name string
		text string
		want CPUTimes
		ok   bool
	}{
		{"usual", "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3\n",
			CPUTimes{ms(10), ms(20), ms(30), ms(40), ms(50), ms(60), ms(70), ms(80)}, true},
		{"without guests", "cpu  1 2 3 4 5 6 7 8\n",
			CPUTimes{ms(10), ms(20), ms(30), ms(40), ms(50), ms(60), ms(70), ms(80)}, true},
		{"without steal", "cpu  1 2 3 4 5 6 7\n", CPUTimes{}, false},
		{"no line of all CPUs", "cpu0 1 2 3 4 5 6 7 8 9 10\n", CPUTimes{}, false},
		{"empty", "", CPUTimes{}, false},
		{"cut off in a number", "cpu  1 2 3 4 5 6 7 8", CPUTimes{}, false},
		{"negative", "cpu  1 2 3 -4 5 6 7 8 9 10\n", CPUTimes{}, false},
		{"words", "cpu  one two\n", CPUTimes{}, false},
		{"too long", "cpu  1 2 3 4 5 6 7 123456789012345678901\n", CPUTimes{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseCPUTimes([]byte(tt.text))
			if got != tt.want || (err == nil) != tt.ok {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestSteal(t *testing.T) {
	s := time.Second
	before := CPUTimes{User: 10 * s, Idle: 100 * s, IOWait: 5 * s, Steal: 1 * s}
	tests := []struct {
		name  string
		after CPUTimes
		want  time.Duration
		share float64
	}{
		{"a quarter", CPUTimes{User: 12 * s, Idle: 101 * s, IOWait: 5 * s, Steal: 2 * s}, s, 0.25},
		{"nothing happened", before, 0, 0},
		{"iowait went back", CPUTimes{User: 12 * s, Idle: 101 * s, IOWait: 4 * s, Steal: 2 * s}, s, 0.25},
		{"all went back", CPUTimes{}, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, share := Steal(before, tt.after)
			if got != tt.want || share != tt.share {
				t.Errorf("got %v, %v; want %v, %v", got, share, tt.want, tt.share)
			}
		})
	}
}

// TestSubWraps: the idle time of a large machine passes the end of int64.
func TestSubWraps(t *testing.T) {
	read := func(idle string) CPUTimes {
		c, err := parseCPUTimes([]byte("cpu  1 2 3 " + idle + " 5 6 7 8\n"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	before, after := read("922337203685"), read("922337203785") // × 10 ms = 2⁶³ ns within these 100 ticks
	if d := after.Sub(before).Idle; d != time.Second || after.Idle > 0 {
		t.Errorf("idle from %d to %d differs by %v, want 1s", before.Idle, after.Idle, d)
	}
}

func TestCPUReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stat")
	write := func(s string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("cpu  1 2 3 4 5 6 7 8 0 0\n" + strings.Repeat("cpu0 1 2 3 4 5 6 7 8 0 0\n", 100))
	r, err := openCPU(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if c, err := r.Read(); err != nil || c.Steal != 80*time.Millisecond {
		t.Errorf("first reading: %+v, %v", c, err)
	}
	write("cpu  1 2 3 4 5 6 7 9 0 0\n")
	if c, err := r.Read(); err != nil || c.Steal != 90*time.Millisecond {
		t.Errorf("second reading: %+v, %v", c, err)
	}
	write("")
	if _, err := r.Read(); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("an empty file yields %v", err)
	}
	if _, err := openCPU(path + "x"); err == nil || !strings.Contains(err.Error(), "not available") {
		t.Errorf("a missing file yields %v", err)
	}
}

func TestCPUHere(t *testing.T) {
	before, err := ReadCPU()
	if runtime.GOOS != "linux" {
		if err == nil {
			t.Error("times from nowhere")
		}
		return
	}
	if err != nil {
		t.Skip(err)
	}
	if n := testing.AllocsPerRun(20, openHere(t)); n != 0 {
		t.Errorf("%v allocations per reading", n)
	}
	after, err := ReadCPU()
	if err != nil || after.Busy() < before.Busy() {
		t.Errorf("%+v, then %+v, %v", before, after, err)
	}
}

// openHere returns a function that reads this machine's times once.
func openHere(t testing.TB) func() {
	r, err := OpenCPU()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { r.Close() })
	return func() {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLoad(t *testing.T) {
	tests := []struct {
		text string
		want float64
		ok   bool
	}{
		{"0.34 0.13 0.04 1/88 4620\n", 0.34, true},
		{"16.29", 16.29, true},
		{"", 0, false},
		{"NaN 1 2", 0, false},
		{"-1 1 2", 0, false},
		{"+Inf", 0, false},
		{"much", 0, false},
	}
	for _, tt := range tests {
		if got, err := parseLoad(tt.text); got != tt.want || (err == nil) != tt.ok {
			t.Errorf("parseLoad(%q) = %v, %v", tt.text, got, err)
		}
	}
	if v, err := Load(); err == nil && v < 0 {
		t.Errorf("load is %v", v)
	}
}

func FuzzCPUTimes(f *testing.F) {
	f.Add([]byte("cpu  1 2 3 4 5 6 7 8 9 10\n"))
	f.Add([]byte("cpu 99999999999999999999 0 0 0 0 0 0 0\n"))
	f.Add([]byte("cpu  1 2 3"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parseCPUTimes(b)
		if err != nil && c != (CPUTimes{}) {
			t.Errorf("times %+v beside the error %v", c, err)
		}
		if d := c.Sub(c); d != (CPUTimes{}) {
			t.Errorf("a reading differs from itself by %+v", d)
		}
	})
}

func BenchmarkReadCPU(b *testing.B) {
	b.Run("open", func(b *testing.B) {
		read := openHere(b)
		b.ReportAllocs()
		for b.Loop() {
			read()
		}
	})
	b.Run("once", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ReadCPU(); err != nil {
				b.Skip(err)
			}
		}
	})
}
