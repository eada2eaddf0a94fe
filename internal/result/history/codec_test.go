package history

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"testing"
)

// TestRoundTrip: what was read is written as it was.
func TestRoundTrip(t *testing.T) {
	r := seeded(t)
	for range 200 {
		e := entryOf(r, hash(r.Uint64()), r.IntN(4), 1+r.IntN(30))
		e.Dirty, e.Anchor = r.IntN(2) == 0, r.IntN(2) == 0
		for i := range e.Series {
			s := &e.Series[i]
			s.Exact, s.Warnings = r.IntN(2) == 0, []string{"few-forks", "<&>\u2028\n"}[:r.IntN(3)]
			if len(s.Warnings) == 0 {
				s.Warnings = nil
			}
			for k := range s.Values {
				switch r.IntN(4) {
				case 0:
					s.Values[k] = float64(r.Int64N(maxWhole))
				case 1:
					s.Values[k] = math.Exp(700 * r.NormFloat64() / 3)
				}
				if math.IsInf(s.Values[k], 0) {
					s.Values[k] = 0
				}
			}
		}
		first, err := Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		read, err := decode(first, nil, &names{map[string]string{}})
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		for i, s := range read.Series {
			for k, x := range s.Values {
				want := e.Series[i].Values[k]
				if want == math.Trunc(want) && want < maxWhole && x != want || math.Abs(x-want) > 5e-5*math.Abs(want) {
					t.Errorf("%g was read as %g", want, x)
				}
			}
		}
		again, err := Encode(read)
		if err != nil || !bytes.Equal(first, again) {
			t.Errorf("%v\n%s\n%s", err, first, again)
		}
	}
}

func FuzzDecode(f *testing.F) {
	e := entryOf(seeded(f), hash(1), 2, 3)
	e.Gaps, e.Verdicts = []Gap{{Why: "x"}}, []Verdict{{State: Refuted, After: hash(1)}}
	text, _ := Encode(e)
	f.Add(text)
	f.Add([]byte(`{"k":"entry","v":1,"commit":"` + hash(1) + `"}` + "\n" + `{"values":[1, 2e3 ,-0.5],"k":"series","name":"A","unit":"B"}`))
	f.Add([]byte(`{"k":"entry"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := decode(text, nil, &names{map[string]string{}})
		if err != nil {
			return
		}
		first, err := Encode(e)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		read, err := decode(first, nil, &names{map[string]string{}})
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first)
		}
		if again, err := Encode(read); err != nil || !bytes.Equal(first, again) {
			t.Fatalf("%v\n%s\n%s", err, first, again)
		}
	})
}

// FuzzSeries: what the fast reader takes, encoding/json reads alike.
func FuzzSeries(f *testing.F) {
	text, _ := Encode(entryOf(seeded(f), hash(1), 3, 3))
	for line := range bytes.Lines(text) {
		f.Add(line)
	}
	f.Add([]byte(`{"k":"series","name":"A","values":[-0.5,1e+06,0],"exact":true}`))
	f.Add([]byte(`{"values":[01]}`))
	f.Add([]byte(`{"values":[1.]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		fast, ok := fastSeries(line, &names{map[string]string{}})
		if !ok {
			return
		}
		var slow Series
		if err := json.Unmarshal(line, &slow); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if !reflect.DeepEqual(fast, slow) && len(fast.Values)+len(slow.Values) > 0 {
			t.Fatalf("%s: %+v, and slowly %+v", line, fast, slow)
		}
	})
}

// TestPaths: only paths of the store are taken for entries.
func TestPaths(t *testing.T) {
	f := File{Commit: hash(1), Run: "0123456789abcdef"}
	for path, gone := range map[string]bool{f.Path(): false, f.tombstone(): true} {
		got, is, ok := parsePath(path)
		if !reflect.DeepEqual(got, f) || is != gone || !ok {
			t.Errorf("%s: %v %v %v", path, got, is, ok)
		}
	}
	for _, path := range []string{"", "v1", "v2/00/" + hash(1) + "/0123456789abcdef.jsonl", "v1/01/" + hash(1) + "/0123456789abcdef.jsonl", "v1/00/" + hash(1) + "/01.jsonl", "v1/00/" + hash(1) + "/0123456789abcdef.txt", "v1/00/../0123456789abcdef.jsonl"} {
		if got, _, ok := parsePath(path); ok {
			t.Errorf("%s is %v", path, got)
		}
	}
}
