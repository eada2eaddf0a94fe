package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

const runLine = `{"k":"run","v":1,"tare":"x"}` + "\n"

// outcome is all that a reader says about an input: one string per line or
// error.
func outcome(r *Reader) (all []string) {
	for l, err := range r.All() {
		switch {
		case err != nil:
			all = append(all, err.Error())
		default:
			_, n := r.Pos()
			all = append(all, fmt.Sprintf("%d %s", n, l.kind()))
		}
	}
	return all
}

func TestReader(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
		skipped     int
		notWhole    int // bytes at the end
	}{
		{"run only", runLine, []string{"1 run"}, 0, 0},
		{"cut off, and another run behind it", runLine + `{"k":"tare","loo` + runLine + `{"k":"tare"}` + "\n", []string{"1 run", "f:2: line is cut off, and another run begins behind it", "2 run", "3 tare"}, 0, 0},
		{"cut off, and another run behind it without a last newline", runLine + `{"k":"tare","loo` + strings.TrimSpace(runLine), []string{"1 run", "f:2: line is cut off, and another run begins behind it", "2 run"}, 0, 0},
		{"no last newline", runLine + `{"k":"tare"}`, []string{"1 run", "2 tare"}, 0, 0},
		{"no newline at all", strings.TrimSpace(runLine), []string{"1 run"}, 0, 0},
		{"sample without newline", runLine + `{"k":"sample","fork":1,"iter":1,"phase":"p","t":1,"ns":1,"ops":1,"v":{}}`, []string{"1 run", "2 sample"}, 0, 0},
		{"carriage returns and a mark", "\ufeff" + strings.ReplaceAll(runLine+"\n"+`{"k":"tare"}`+"\n", "\n", "\r\n"), []string{"1 run", "3 tare"}, 0, 0},
		{"blank lines", "\n  \n" + runLine + "\n\t\n{\"k\":\"tare\"}\n\n", []string{"3 run", "6 tare"}, 0, 0},
		{"blank end", runLine + "  ", []string{"1 run"}, 0, 2},
		{"unknown kinds", runLine + `{"k":"x"}` + "\n" + `{"k":"y","v":[{}]}` + "\n" + `{"k":"\u0065nd"}` + "\n", []string{"1 run", "4 end"}, 2, 0},
		{"unknown kind at the end", runLine + `{"k":"x"}`, []string{"1 run"}, 1, 0},
		{"k not first", runLine + `{"state":"x","k":"end"}` + "\n", []string{"1 run", "2 end"}, 0, 0},
		{"space", strings.ReplaceAll(runLine, ":", " : ") + ` { "k" : "end" } `, []string{"1 run", "2 end"}, 0, 0},
		{"second run", runLine + runLine, []string{"1 run", "2 run"}, 0, 0},
		{"second run, newer", runLine + `{"k":"run","v":7,"tare":5}` + "\n" + runLine, []string{"1 run",
			"f:2: record format version 7, written by tare an unknown version: a newer tare is needed, this one reads up to version 1"}, 0, len(runLine)},
		{"second run, no version", runLine + `{"k":"run"}` + "\n" + runLine, []string{"1 run", "f:2: run line: no format version", "3 run"}, 0, 0},
		{"malformed in the middle", runLine + "x\n{}\n[1]\n" + `{"k":1}` + "\n" + `{"k":"end"` + "\n" + `{"k":"new",}` + "\n" + `{"k":"end"}x` + "\n" + `{"k":"end"}`, []string{"1 run",
			"f:2: line: invalid character 'x' looking for beginning of value at byte 1",
			`f:3: no key "k"`,
			"f:4: line: is no object but a JSON array",
			`f:5: line: key "k" cannot be a JSON number`,
			"f:6: end line: unexpected end of JSON input at byte 10",
			"f:7: new line: invalid character '}' looking for beginning of object key string at byte 12",
			"f:8: end line: invalid character 'x' after top-level value at byte 12",
			"9 end"}, 0, 0},
		{"wrong types", runLine + `{"k":"sample","fork":"1"}` + "\n" + `{"k":"sample","v":{"a":{}}}` + "\n" + `{"k":"fork","id":1.5}` + "\n" + `{"k":"case","units":{"a":{"better":1}}}` + "\n" + `{"k":"end"}`, []string{"1 run",
			`f:2: sample line: key "fork" cannot be a JSON string`,
			`f:3: sample line: value of "a": want a number, "NaN", "+Inf" or "-Inf"`,
			`f:4: fork line: key "id" cannot be a JSON number 1.5`,
			`f:5: case line: key "units.better" cannot be a JSON number`,
			"6 end"}, 0, 0},
		{"wrong type at the end", runLine + `{"k":"end","state":1}`, []string{"1 run", `f:2: end line: key "state" cannot be a JSON number`}, 0, 0},
		{"cut off", runLine + `{"k":"sample","fo`, []string{"1 run", "f:2: last line is cut off after 17 bytes"}, 0, 17},
		{"cut off, zeros", runLine + "\x00\x00\x00", []string{"1 run", "f:2: last line is cut off after 3 bytes"}, 0, 3},
		{"cut off run line", `{"k":"run","v":1,"ta`, []string{"f:1: last line is cut off after 20 bytes"}, 0, 20},
		{"cut off at once", `{`, []string{"f:1: last line is cut off after 1 bytes"}, 0, 1},
		{"newer", `{"k":"run","v":2,"tare":"v3.0.0","start":{"not":"what it was"}}` + "\n", []string{
			"f:1: record format version 2, written by tare v3.0.0: a newer tare is needed, this one reads up to version 1"}, 0, 64},
		{"damaged run line", `{"k":"run","v":1,"mono":"x"}` + "\n", []string{
			`f:1: not a record file: found a damaged run line: key "mono" cannot be a JSON string`}, 0, 29},
		{"run line of no version", `{"k":"run","v":0}` + "\n", []string{"f:1: not a record file: found a damaged run line: no format version"}, 0, 18},
		{"huge version", `{"k":"run","v":1e300}` + "\n", []string{
			"f:1: record format version 1e300, written by tare an unknown version: a newer tare is needed, this one reads up to version 1"}, 0, 22},
		{"version of many digits", `{"k":"run","v":99999999999999999999}` + "\n", []string{
			"f:1: record format version 99999999999999999999, written by tare an unknown version: a newer tare is needed, this one reads up to version 1"}, 0, 37},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(test.input), "f")
			got := outcome(r)
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			if r.Skipped() != test.skipped {
				t.Errorf("skipped %d lines, want %d", r.Skipped(), test.skipped)
			}
			if want := len(test.input) - test.notWhole; r.Whole() != int64(want) {
				t.Errorf("%d bytes were whole lines, want %d", r.Whole(), want)
			}
			slow := NewReader(iotest.OneByteReader(strings.NewReader(test.input)), "f")
			if byByte := outcome(slow); !reflect.DeepEqual(byByte, got) {
				t.Errorf("byte by byte: %q", byByte)
			}
		})
	}
}

func TestReaderNotRecord(t *testing.T) {
	tests := []struct{ input, found string }{
		{"", "an empty file"},
		{" \n\n", "an empty file"},
		{"\f\n", "a text of nothing but space"},
		{"goos: linux\ngoarch: amd64\n", "a Go benchmark text"},
		{"note: slow\nBenchmarkX-8 \t 100\t 12 ns/op\n", "a Go benchmark text"},
		{"BenchmarkX-8 100 12 ns/op", "a Go benchmark text"},
		{"hello\nworld\n", `a text that begins with "hello\nworld"`},
		{"\x7fELF\x02\x01\x01\x00\x00", "binary data"},
		{"a\xffb\n", "binary data"},
		{"\x00\x00\x00\x00", "binary data"},
		{"\x1f\x8b\x08\x00", "gzip-compressed data"},
		{"\x28\xb5\x2f\xfd", "zstd-compressed data"},
		{"\xff\xfe{\x00", "a text in UTF-16"},
		{"#[Histogram log format version 1.3]\n", "a histogram log"},
		{"<!doctype html>\n", "HTML or XML"},
		{"[1]", "JSON of another kind"},
		{"{}\n", "JSON of another kind"},
		{"{\n  \"results\": []\n}\n", "JSON of another kind"},
		{`{"a":1}`, "JSON of another kind"},
		{`{"k":5}`, "JSON of another kind"},
		{`{"run":{},"results":[]}`, "a result (tare --format json), which cannot be converted back to a record"},
		{`{"Time":"2026-01-02","Action":"start","Package":"x"}` + "\n", "the output of go test -json"},
		{`{"k":"sample","fork":1}` + "\n", `a line of kind "sample" before the run line`},
		{`{"k":"sample","fo`, "JSON of another kind"},
		{"\n\n" + `{"k":"hello"}` + "\n", `a line of kind "hello" before the run line`},
	}
	for _, test := range tests {
		r := NewReader(strings.NewReader(test.input), "f")
		_, err := r.Next()
		e, ok := errors.AsType[*NotRecordError](err)
		if !ok || e.Found != test.found {
			t.Errorf("%q: got %v, want %s", test.input, err, test.found)
		}
		if _, again := r.Next(); again != err {
			t.Errorf("%q: then %v", test.input, again)
		}
		if want := fmt.Sprintf("f:%d: not a record file: found ", e.Line); !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s…", test.input, err, want)
		}
	}
}

func TestReaderInputError(t *testing.T) {
	bad := errors.New("bad disk")
	in := io.MultiReader(strings.NewReader(runLine+`{"k":"tare"}`+"\n"+`{"k":"ta`), iotest.ErrReader(bad))
	r := NewReader(in, "f")
	want := []string{"1 run", "2 tare", "f:3: bad disk"}
	if got := outcome(r); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := r.Next(); !errors.Is(err, bad) {
		t.Errorf("then %v", err)
	}
}

func TestReaderLongLines(t *testing.T) {
	const limit = 200 << 10 // above the buffer's size
	warn := func(n int) string { return `{"k":"warn","text":"` + strings.Repeat("x", n) + `"}` }
	fits, long := warn(limit/2), warn(limit)
	tests := []struct {
		input string
		want  []string
		whole int
	}{
		{fits + "\n" + fits + "\n", []string{"1 run", "2 warn", "3 warn"}, 2*len(fits) + 2},
		{fits, []string{"1 run", "2 warn"}, len(fits)},
		{long + "\n" + fits, []string{"1 run", "f:2: line is longer than 204800 bytes, which no record has", "3 warn"}, len(long) + 1 + len(fits)},
		{fits + "\n" + long, []string{"1 run", "2 warn", "f:3: last line is cut off after 204822 bytes"}, len(fits) + 1},
	}
	for i, test := range tests {
		r := NewReader(strings.NewReader(runLine+test.input), "f")
		r.scan.max = limit
		if got := outcome(r); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%d: got %q, want %q", i, got, test.want)
		}
		if want := int64(len(runLine) + test.whole); r.Whole() != want {
			t.Errorf("%d: %d bytes were whole lines, want %d", i, r.Whole(), want)
		}
	}
}

// endless is an input of one character without end.
type endless struct {
	char byte
	read int64
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.char
	}
	e.read += int64(len(p))
	return len(p), nil
}

// TestReaderEndless: a line without end is an error after a bounded part of it.
func TestReaderEndless(t *testing.T) {
	const limit = 200 << 10
	for _, c := range []struct {
		begin string
		char  byte
		most  int64
		want  string
	}{
		{"", 'x', 2 * limit, "longer than"},
		{"", '\n', 2 * limit, "nothing but space"},
		{runLine, 'x', (maxSkipped + 2) * limit, "longer than"},
	} {
		in := &endless{char: c.char}
		r := NewReader(io.MultiReader(strings.NewReader(c.begin), in), "f")
		r.scan.max = limit
		got := outcome(r)
		if last := got[len(got)-1]; !strings.Contains(last, c.want) || in.read > c.most {
			t.Errorf("%q: got %q after %d bytes, at most %d were to be read", c.begin, got, in.read, c.most)
		}
		if _, err := r.Next(); err == nil || err == io.EOF {
			t.Errorf("%q: then %v", c.begin, err)
		}
	}
}

func TestReaderLongFirstLine(t *testing.T) {
	for _, end := range []string{"", "\n"} {
		r := NewReader(strings.NewReader(strings.Repeat("\x00", 200<<10)+end), "f")
		r.scan.max = 100 << 10
		want := []string{"f:1: not a record file: found a first line longer than 102400 bytes"}
		if got := outcome(r); !reflect.DeepEqual(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The longest line that a Writer writes is one that a Reader reads.
func TestLongestLine(t *testing.T) {
	const limit = 100 << 10
	const frame = len(`{"k":"end","state":""}` + "\n")
	state := strings.Repeat("x", limit-frame)
	var buf bytes.Buffer
	w := NewWriter(&buf)
	r := NewReader(&buf, "f")
	if w.max != MaxLine || r.scan.max != MaxLine {
		t.Fatalf("limits are %d and %d, want %d", w.max, r.scan.max, MaxLine)
	}
	w.max, r.scan.max = limit, limit
	w.Write(&Run{})
	if err := w.Write(&End{State: state}); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&End{State: state + "x"}); !errors.Is(err, errLong) {
		t.Errorf("one byte more: %v", err)
	}
	if got := outcome(r); !reflect.DeepEqual(got, []string{"1 run", "2 end"}) {
		t.Errorf("got %.200q", got)
	}
}

func TestAllStops(t *testing.T) {
	r := NewReader(bytes.NewReader(v1(t)), "v1.jsonl")
	for range r.All() {
		break
	}
	if l, err := r.Next(); err != nil || l.kind() != "bin" {
		t.Errorf("after a break: %v, %v", l, err)
	}
}

// What the caller does to a line must not reach its neighbours or the reader.
func TestReaderLinesAreTheCallers(t *testing.T) {
	r := NewReader(bytes.NewReader(benchFile(t, 200)), "f")
	r.Next()
	var all []*Sample
	for l, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		s := l.(*Sample)
		all = append(all, s)
		s.V = append(s.V, Value{"more", 1})
		s.V[0].Unit = "mine"
	}
	for i, s := range all {
		want := benchSample(i)
		want.V = append(want.V, Value{"more", 1})
		want.V[0].Unit = "mine"
		if !reflect.DeepEqual(s, want) {
			t.Fatalf("sample %d is %+v, want %+v", i, s, want)
		}
	}
}

func TestReaderAllocs(t *testing.T) {
	file := benchFile(t, 10_000)
	n := testing.AllocsPerRun(5, func() {
		for range NewReader(bytes.NewReader(file), "f").All() {
		}
	})
	if n > 1000 {
		t.Errorf("reading 10 000 samples allocates %v times, want at most 1000", n)
	}
}
