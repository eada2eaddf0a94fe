package result

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// TestSameCode: sides with the same code are reported, in one run and in records of different runs. Verdicts stay
// trusted.
func TestSameCode(t *testing.T) {
	const code, one, binary = "machine code is the same", "the same binary on both sides: ", "the same binary on both sides: what differs is its environment"
	files := [2]string{"f", "f"}
	for what, tt := range map[string]struct {
		old, new [2]string // SHA-256 of the binary, digest of the code
		env      []string
		files    [2]string // digests of what can be read
		want     string
	}{
		"other code":           {[2]string{"a", "1"}, [2]string{"b", "2"}, nil, files, ""},
		"not known":            {[2]string{"a", ""}, [2]string{"b", ""}, nil, files, ""},
		"same code":            {[2]string{"a", "1"}, [2]string{"b", "1"}, nil, files, code},
		"identical":            {[2]string{"a", "1"}, [2]string{"a", "1"}, nil, files, "with the same files and settings: what differs is the machine or its environment"},
		"other files":          {[2]string{"a", "1"}, [2]string{"a", "1"}, nil, [2]string{"f", "g"}, one + "what differs is files that it can read"},
		"files not known":      {[2]string{"a", "1"}, [2]string{"a", "1"}, nil, [2]string{}, one + "whether the files that it reads differ is not known"},
		"another environment":  {[2]string{"a", "1"}, [2]string{"a", "1"}, []string{"GOGC=50"}, files, binary + ", GOGC=50 against none"},
		"binary, code unknown": {[2]string{"a", ""}, [2]string{"a", ""}, []string{"GOGC=50"}, files, binary},
	} {
		t.Run(what, func(t *testing.T) {
			s := newSided(record.Config{Confidence: 0.95}, "old", "new")
			all := NewBuilder()
			for i, x := range [][2]string{tt.old, tt.new} {
				name := []string{"old", "new"}[i]
				s.add(name, "X", "ns/op", 20, 100+20*float64(i), 0.02)
				s.bins[i+1].SHA256, s.bins[i+1].Files, s.cases[i].line.Code = x[0], tt.files[i], x[1]
				one := newSided(record.Config{Confidence: 0.95})
				one.Add(&record.Bin{ID: 1, Pkg: "p", SHA256: x[0], Files: tt.files[i]})
				one.add("", "X", "ns/op", 20, 100+20*float64(i), 0.02)
				one.cases[0].line.Bin, one.cases[0].line.Code = 1, x[1]
				if i == 1 {
					s.run.Sides[1].Setenv, one.run.Config.Setenv = tt.env, tt.env
				}
				must(t, all.Absorb(one.Builder, name))
			}
			for _, c := range []Comparison{only(t, s.Result()), only(t, all.Result())} {
				got := append(texts(c.Warnings, diagnosis.SameCode), texts(c.Warnings, diagnosis.OneBinary)...)
				if tt.want == "" && len(got) > 0 || tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)) || slices.Contains(c.Reasons, diagnosis.SameCode) {
					t.Errorf("%q, want %q; %v", got, tt.want, c.Reasons)
				}
			}
			s.Add(&record.Warn{About: record.AboutCase, ID: 2, Code: diagnosis.SameCode, Text: "recorded by an older version"})
			if got := texts(only(t, s.Result()).Warnings, diagnosis.SameCode); tt.want == code && len(got) != 1 {
				t.Errorf("said twice: %q", got)
			}
		})
	}
}

// TestSameBinary: the figures of one binary from two runs are judged as those of any other. A difference between them
// is not trusted, and what one side has no figures of is lost.
func TestSameBinary(t *testing.T) {
	files := "f"
	side := func(unit string, value float64, forks int) *Builder {
		one := newSided(record.Config{Confidence: 0.95})
		one.Add(&record.Bin{ID: 1, Pkg: "p", SHA256: "a", Files: files})
		one.add("", "X", unit, forks, value, 0.001)
		one.cases[0].line.Bin = 1
		return one.Builder
	}
	for _, tt := range []struct {
		unit    string
		value   float64
		verdict stat.Verdict
		differs bool
		files   string // of the new side
	}{
		{"ns/op", 100, stat.Equivalent, false, "f"},
		{"ns/op", 130, stat.Slower, true, "f"},
		{"ns/op", 70, stat.Faster, true, "f"},
		{"op/s", 70, stat.Slower, true, "f"},
		{"ns/op", 130, stat.Slower, true, "g"},
		{"ns/op", 130, stat.Slower, true, ""},
		{"allocs/op", 130, stat.More, true, "f"},
		{"allocs/op", 70, stat.Less, true, "f"},
	} {
		all := NewBuilder()
		must(t, all.Absorb(side(tt.unit, 100, 20), "old"))
		files = tt.files
		must(t, all.Absorb(side(tt.unit, tt.value, 20), "new"))
		files = "f"
		c := only(t, all.Result())
		if c.Verdict != string(tt.verdict) || slices.Contains(c.Reasons, diagnosis.OneBinary) != tt.differs || tt.differs && c.Trusted || len(texts(c.Warnings, diagnosis.OneBinary)) > 0 != tt.differs {
			t.Errorf("%s 100 → %v: %s, trusted %v, %v", tt.unit, tt.value, c.Verdict, c.Trusted, c.Reasons)
		}
		if math.Abs(float64(c.New)-tt.value) > 1 {
			t.Errorf("%s 100 → %v: new is shown as %v", tt.unit, tt.value, c.New)
		}
	}
	all := NewBuilder()
	must(t, all.Absorb(side("ns/op", 100, 20), "old"))
	must(t, all.Absorb(side("ns/op", 100, 0), "new"))
	if res := all.Result(); len(res.Comparisons) != 0 || len(res.Lost) != 1 {
		t.Errorf("a side without figures: %+v, lost %+v", res.Comparisons, res.Lost)
	}
}

// TestSameBinaryMeasured: one run that measured both sides has figures of both.
func TestSameBinaryMeasured(t *testing.T) {
	s := newSided(record.Config{Confidence: 0.95}, "old", "new")
	s.bins[2].SHA256, s.bins[1].Files, s.bins[2].Files = s.bins[1].SHA256, "f", "f"
	s.add("old", "X", "ns/op", 20, 100, 0.001)
	s.add("new", "X", "ns/op", 20, 130, 0.001)
	if c := only(t, s.Result()); c.Verdict != string(stat.Slower) || c.Trusted {
		t.Errorf("%s, trusted %v", c.Verdict, c.Trusted)
	}
}
