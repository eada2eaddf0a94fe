package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

func seedWithGolden(f *testing.F) {
	for line := range bytes.Lines(v1(f)) {
		f.Add(bytes.TrimSuffix(line, []byte("\n")))
	}
}

// FuzzRoundTrip writes lines of every kind with any content and reads them
// back.
func FuzzRoundTrip(f *testing.F) {
	for kind := range len(golden()) {
		f.Add(byte(kind), []byte("some bytes \x00\x01\xff\x7f\x80 to fill the fields with: \"quoted\" <html> µ \u2028"))
		f.Add(byte(kind), v1(f)[:200])
		f.Add(byte(kind), []byte{})
	}
	f.Fuzz(func(t *testing.T, kind byte, content []byte) {
		lines := golden()
		l := lines[int(kind)%len(lines)]
		fill(reflect.ValueOf(l).Elem(), &source{content})
		if run, ok := l.(*Run); ok {
			run.Version = Version
		}
		if x, ok := l.(interface{ possible() error }); ok && x.possible() != nil {
			t.Skip("it is refused when it is read")
		}
		var buf bytes.Buffer
		w := NewWriter(&buf)
		w.Write(&Run{})
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(buf.Bytes(), []byte("\n")); n != 2 {
			t.Fatalf("%d lines:\n%s", n, buf.Bytes())
		}
		r := NewReader(bytes.NewReader(buf.Bytes()), "f")
		r.Next()
		got, err := r.Next()
		if err != nil {
			t.Fatalf("%v\n%s", err, buf.Bytes())
		}
		if !equal(got, l) {
			t.Fatalf("got  %+v\nwant %+v\n%s", got, l, buf.Bytes())
		}
		if _, err := r.Next(); err != io.EOF {
			t.Fatalf("then %v", err)
		}
	})
}

// FuzzReader reads any bytes. They begin with a run line, since little happens
// where there is none, unless prefix is false.
func FuzzReader(f *testing.F) {
	f.Add(false, v1(f))
	f.Add(false, v1(f)[:len(v1(f))/2])
	f.Add(false, []byte("goos: linux\n"))
	f.Add(true, []byte("x\n\n{}\n[1]\n{\"k\":\"end\"}\r\n{\"k\":\"new\"}\n"))
	for line := range bytes.Lines(v1(f)) {
		f.Add(true, line)
	}
	f.Fuzz(func(t *testing.T, prefix bool, input []byte) {
		if prefix {
			input = append([]byte(runLine), input...)
		}
		r := NewReader(bytes.NewReader(input), "f")
		r.scan.max = 100 << 10
		seen, whole := 0, int64(0)
		var last error
		for {
			l, err := r.Next()
			if (l == nil) == (err == nil) {
				t.Fatalf("line %v with error %v", l, err)
			}
			if r.Whole() < whole || r.Whole() > int64(len(input)) {
				t.Fatalf("whole bytes went from %d to %d of %d", whole, r.Whole(), len(input))
			}
			whole, last = r.Whole(), err
			if _, ok := errors.AsType[*SyntaxError](err); err != nil && !ok {
				break
			}
			if seen++; seen > linesIn(input) {
				t.Fatal("more results than lines")
			}
			if l != nil {
				checkRewritable(t, l)
			}
		}
		if _, again := r.Next(); again != last {
			t.Fatalf("after %v came %v", last, again)
		}
		checkWhole(t, input[:whole], seen, last)
	})
}

// checkRewritable tests that what was read can be written and means the same.
func checkRewritable(t *testing.T, l Line) {
	text, err := appendLine(nil, l)
	if err != nil {
		if run, ok := l.(*Run); ok && run.Version == Version {
			if _, terr := run.Start.MarshalJSON(); terr != nil {
				return // encoding/json reads a few times that it does not write
			}
		}
		t.Fatalf("%+v cannot be written: %v", l, err)
	}
	again := newLine(l.kind())
	if err := json.Unmarshal(text, again); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	rewritten, err := appendLine(nil, again)
	if err != nil || !bytes.Equal(rewritten, text) {
		t.Fatalf("%s became %s, %v", text, rewritten, err)
	}
}

// checkWhole tests that the whole lines of an input give the same results
// without an end that is cut off.
func checkWhole(t *testing.T, whole []byte, seen int, last error) {
	if _, ok := errors.AsType[*TruncatedError](last); !ok || seen == 0 {
		return
	}
	r := NewReader(bytes.NewReader(whole), "f")
	r.scan.max = 100 << 10
	for range r.All() {
		seen--
	}
	if seen != 0 || r.end != io.EOF {
		t.Fatalf("without the cut-off line %d results are missing, then %v", seen, r.end)
	}
}

// FuzzSampleFastPath holds the fast decoder and encoder of samples to what
// encoding/json does.
func FuzzSampleFastPath(f *testing.F) {
	seedWithGolden(f)
	for _, v := range []string{
		`{"a":0}`, `{"a":-0}`, `{"a":-0.0}`, `{"a":01}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e5}`, `{"a":1E-5}`, `{"a":1e}`, `{"a":123456789012345678}`,
		`{"a":0.1234567890123456789}`, `{"a":9007199254740993}`, `{"a":5e-324}`, `{"a":1e999}`, `{"a":1,}`, `{"a":1,"a":2}`, `{"a":"Inf"}`, `{"\u0061":1}`, "{\"\xff\":1}",
		`{"a":96.48064786969077}`, `{"a":-943.4607133838363}`, `{"a":9007199254740991.1}`, `{"a":1}}`, `{"a":1},"v":{}`,
	} {
		f.Add([]byte(`{"k":"sample","fork":1,"iter":-2,"phase":"measure","t":3,"wall":0,"ns":4,"ops":999999999999999999,"v":` + v + `}`))
	}
	for _, n := range []string{"9223372036854775807", "9223372036854775808", "99999999999999999999", "-9223372036854775809", "00", "-", "1.0", "1e3"} {
		f.Add([]byte(`{"k":"sample","fork":1,"iter":2,"phase":"","t":` + n + `,"ns":4,"ops":5,"v":{}}`))
		f.Add([]byte(`{"k":"sample","fork":` + n + `,"iter":2,"phase":"","t":3,"ns":4,"ops":5,"v":{}}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var fast sampleDecoder
		for range 2 { // the second time with strings and units to guess from
			got := fast.decode(text)
			if got == nil {
				return
			}
			kind, err := kindOf(text)
			if err != nil || kind != "sample" {
				t.Fatalf("kind is %q, %v", kind, err)
			}
			var want Sample
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatalf("encoding/json refuses it: %v", err)
			}
			if !equal(got, &want) {
				t.Fatalf("got  %+v\nwant %+v", got, &want)
			}
			checkSampleText(t, got)
		}
	})
}

// FuzzSampleText writes samples of any content both ways.
func FuzzSampleText(f *testing.F) {
	f.Add("measure", "", "ns/op", 1.5, int64(0))
	f.Add("<&>", "\u2028\x7f\xff", "a\"b\\", math.Inf(-1), int64(math.MinInt64))
	for _, x := range []float64{0, math.Copysign(0, -1), 1e-6, 9.9e-7, 1e20, 1e21, -1e-10, 1e100, 1 << 53, 1<<53 - 1, -(1<<53 + 2), math.MaxFloat64, 5e-324, math.NaN()} {
		f.Add("p", "r", "µs", x, int64(x))
	}
	f.Fuzz(func(t *testing.T, phase, role, unit string, x float64, n int64) {
		checkSampleText(t, &Sample{
			Fork: int(n), Iter: int(-n), Phase: phase, Role: role, T: n, Wall: n >> 1, CPU: n >> 2, Delay: n >> 3, Batched: n&16 != 0, Ns: -n, Ops: n + 1,
			V: Values{{unit, x}, {phase, float64(n)}, {role, x / 3}},
		})
	})
}

// checkSampleText compares what is written of a sample with what encoding/json
// makes of it by reflection alone.
func checkSampleText(t *testing.T, s *Sample) {
	t.Helper()
	text := appendSample(nil, s)
	if !json.Valid(text) {
		t.Fatalf("not JSON: %s", text)
	}
	var v strings.Builder
	for i, x := range s.V {
		v.WriteString([]string{",", "{"}[b2i(i == 0)] + reflected(x.Unit) + ":" + reflectedFloat(x.Value))
	}
	if len(s.V) == 0 {
		v.WriteString("{")
	}
	type plain Sample
	want := reflected(struct {
		K string `json:"k"`
		plain
		V json.RawMessage `json:"v"` // before plain.V by the rules of embedding
	}{"sample", plain(*s), json.RawMessage(v.String() + "}")})
	if got := strings.TrimSuffix(string(text), "\n"); got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
}

func reflected(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func reflectedFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return `"NaN"`
	case math.IsInf(f, 1):
		return `"+Inf"`
	case math.IsInf(f, -1):
		return `"-Inf"`
	}
	return reflected(f)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
