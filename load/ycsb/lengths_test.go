package ycsb

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// countLengths counts how often each length up to a greatest one comes.
func countLengths(l *lengths, draws, greatest int) []int {
	counts := make([]int, greatest+2)
	r := random{}
	r.start(31, 0)
	for range draws {
		counts[min(l.next(&r), greatest+1)]++
	}
	return counts
}

func TestLengths(t *testing.T) {
	constant := newLengths(Constant, 100, 100)
	checkDistribution(t, "constant", countLengths(&constant, 1000, 100), func(i int) float64 {
		if i == 100 {
			return 1
		}
		return 0
	})
	uniform := newLengths(Uniform, 3, 40)
	checkDistribution(t, "uniform", countLengths(&uniform, 200_000, 40), func(i int) float64 {
		if i < 3 || i > 40 {
			return 0
		}
		return 1.0 / 38
	})
	zipfian := newLengths(Zipfian, 2, 101)
	checkDistribution(t, "zipfian", countLengths(&zipfian, 200_000, 101), func(i int) float64 {
		if i < 2 || i > 101 {
			return 0
		}
		return grayMass(&zipfian.zipf, int64(i-2))
	})
	for _, d := range []Distribution{Uniform, Zipfian} {
		l := newLengths(d, 7, 7)
		if got := countLengths(&l, 100, 7); got[7] != 100 {
			t.Errorf("%s from 7 to 7: %v", d, got)
		}
	}
}

func TestHistogram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hist.txt")
	text := "BlockSize\t10\n0\t1\n1\t0\n2\t5\r\n\n3\t4\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c := Default()
	c.FieldLengthDistribution, c.FieldLengthHistogram = Histogram, file
	l, err := c.fieldLengths()
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]float64{10: 0.1, 30: 0.5, 40: 0.4}
	checkDistribution(t, "histogram", countLengths(&l, 100_000, 40), func(i int) float64 { return want[i] })

	c.FieldLengthHistogram = "testdata/none.txt"
	if _, err := New(c, newStore()); err == nil || !strings.Contains(err.Error(), "fieldlengthhistogram: open testdata/none.txt") {
		t.Errorf("a histogram that is not there: %v", err)
	}
	if _, err := Loader(c, newStore()); err == nil {
		t.Error("a histogram that is not there: the loader does not mind")
	}
}

func TestHistogramErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "h: no bucket has a weight"},
		{"BlockSize\t10\n", "h: no bucket has a weight"},
		{"BlockSize\t10\n0\t0\n", "h: no bucket has a weight"},
		{"0\t1\n", `h:1: "0\t1": the first line must be BlockSize`},
		{"BlockSize 10\n", `h:1: "BlockSize 10": the first line must be BlockSize`},
		{"BlockSize\t0\n", `h:1: "BlockSize\t0": the first line`},
		{"BlockSize\t10\n\n0 1\n", `h:3: "0 1": a line must be a bucket`},
		{"BlockSize\t10\n-1\t1\n", "h:2: "},
		{"BlockSize\t1073741824\n0\t1\n1\t1\n", "h:3: "},
		{"BlockSize\t1073741825\n0\t1\n", "h:1: "},
		{"BlockSize\t10\n0\t-1\n", "h:2: \"0\\t-1\": the weight must be"},
		{"BlockSize\t10\n0\t4294967296\n", "h:2: "},
		{"BlockSize\t10\n3\t1\n3\t1\n", "h:3: bucket 3 occurs twice"},
		{"BlockSize\t10\n" + strings.Repeat("9", 100_000), "h:2: "},
	}
	for _, tt := range tests {
		_, err := parseLengths(strings.NewReader(tt.text), "h")
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%.60q: %.200v, want %s", tt.text, err, tt.want)
		}
	}
}

func FuzzHistogram(f *testing.F) {
	f.Add("BlockSize\t10\n0\t1\n1\t0\n2\t5\n")
	f.Add("BlockSize\t1\n1073741822\t4294967295\n0\t4294967295\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseLengths(strings.NewReader(text), "h")
		if err != nil {
			return
		}
		r := random{}
		for k := range uint64(20) {
			r.start(1, k)
			if n := l.next(&r); n < 1 || n > maxRecordBytes {
				t.Fatalf("length %d", n)
			}
		}
		if n := l.bucket(0); n != l.table[0].length {
			t.Fatalf("the least length is %d", n)
		}
		if n := l.bucket(l.weight - 1); n != l.table[len(l.table)-1].length {
			t.Fatalf("the greatest length is %d", n)
		}
	})
}

func TestMix(t *testing.T) {
	c := Default()
	c.ReadProportion, c.UpdateProportion, c.InsertProportion, c.ScanProportion, c.ReadModifyWriteProportion = 0.5, 0.25, 0.0625, 0.125, 0.0625
	m := c.mix()
	var counts [operations]int
	r := random{}
	for k := range uint64(200_000) {
		r.start(1, k)
		counts[m.operation(r.next())]++
	}
	checkDistribution(t, "mix", counts[:], func(i int) float64 { return c.shares()[i].share })
	// The ends belong to the first and the last.
	if m.operation(0) != opRead || m.operation(math.MaxUint64) != opReadModifyWrite {
		t.Errorf("0 means %v, the greatest number %v", m.operation(0), m.operation(math.MaxUint64))
	}
	for _, s := range c.shares() {
		one := Config{ReadProportion: 0}
		switch s.op {
		case opRead:
			one.ReadProportion = 1
		case opUpdate:
			one.UpdateProportion = 1
		case opInsert:
			one.InsertProportion = 1
		case opScan:
			one.ScanProportion = 1
		case opReadModifyWrite:
			one.ReadModifyWriteProportion = 1
		}
		m := one.mix()
		for _, x := range []uint64{0, 1, 1 << 63, math.MaxUint64} {
			if got := m.operation(x); got != s.op {
				t.Errorf("only %v: %d means %v", s.op, x, got)
			}
		}
		kinds, index := one.kinds()
		want := fmt.Sprint([]string{s.op.String()})
		if s.op == opReadModifyWrite {
			want = "[READ UPDATE READ-MODIFY-WRITE]"
		}
		if fmt.Sprint(kinds) != want || kinds[index[s.op]] != s.op.String() {
			t.Errorf("only %v: kinds %v, index %v", s.op, kinds, index)
		}
	}
}
