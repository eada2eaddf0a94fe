package fewlines

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/record"
)

// draw is a file that is being drawn.
type draw struct {
	*Source
	rng  *rand.Rand
	from real // the file of which most parts are taken
	ids       // of lines that belong together

	absent, invented, extreme float64 // shares of keys: left out, drawn although the real line has none, with values at their limits
}

// ids are what lines refer to, in a file whose lines belong together.
type ids struct {
	coherent bool
	sided    bool     // there are two sides
	about    []string // attachments that the file may have
	first    int      // which of them comes first

	cases, bins, fork, windows, attachments int // so many were drawn
}

// usualLines are kinds of lines as they follow each other. Others are put among them.
var usualLines = []string{
	"bin case case sample fork sample fork", "case sample sample fork end", "case sample fork another reference", "tare case sample fork warn", "case sample fork look end",
	"case case sample fork sample fork replan case sample fork", "reference case sample fork reference case sample fork", "tare bin case sample fork",
	"case case sample fork sample fork sample fork sample fork sample fork sample fork sample fork sample fork sample fork sample fork sample fork sample fork",
	"bin bin case case attach fork attach fork", "case attach attach fork", "case case attach attach fork attach attach fork", "case attach attach attach fork", "case case attach fork attach fork", "bin attach bin attach case case sample fork sample fork",
	"attach case fork", "run case sample fork", "bisect case sample fork",
	"hist load hist load", "hist load hist load end", "load load load", "hist load marks hist load marks", "load agent agent load", "hist hist load stall hist hist load end", "attach load load",
	"load load load load load load load load load load load load load load", "hist load hist load hist load hist load hist load hist load hist load hist load hist load hist load hist load hist load",
	"case hist fork hist fork", "case case hist sample fork hist sample fork",
}

// together are names of attachments of one fork that are read together.
var together = [][]string{{record.AttachSampled, record.AttachSampledProfile}, {record.AttachHeap, record.AttachHeapProfile}, {record.AttachAllocs, record.AttachAllocsProfile}, {record.AttachTrace, record.AttachSampled, record.AttachSampledProfile}}

// File draws a file.
func (s *Source) File(rng *rand.Rand) []byte {
	d := &draw{Source: s, rng: rng}
	if len(s.files) > 0 {
		d.from = pick(rng, s.files)
	}
	d.coherent, d.sided = d.chance(0.75), d.chance(0.5)
	if d.about = []string{pick(rng, attachments())}; d.chance(0.5) {
		d.about = pick(rng, together)
	}
	if d.chance(0.2) {
		d.about = attachments()
	}
	d.first = rng.IntN(len(d.about))
	out := d.line("run")
	for out == nil {
		out = d.line("run")
	}
	for _, kind := range d.order() {
		if d.chance(0.1) && len(s.files) > 0 {
			d.from = pick(rng, s.files)
		}
		l := d.line(kind)
		out = append(out, l...)
		if d.chance(0.03) {
			out = append(out, l...)
		}
	}
	return out
}

// order draws the kinds of the lines behind the first.
func (d *draw) order() (out []string) {
	if d.coherent || d.chance(0.3) {
		for kind := range strings.FieldsSeq(pick(d.rng, usualLines)) {
			if !d.chance(0.05) {
				out = append(out, kind)
			}
			if d.chance(0.08) {
				out = append(out, pick(d.rng, d.kinds))
			}
		}
	} else {
		for range d.rng.IntN(8) {
			out = append(out, pick(d.rng, d.kinds))
		}
	}
	if d.chance(0.1) {
		d.rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	}
	return out
}

// line draws a line that the reader accepts, nil if it drew none.
func (d *draw) line(kind string) []byte {
	empty, err := new(record.LineDecoder).Decode([]byte(`{"k":"` + kind + `"}`))
	if err != nil {
		return nil
	}
	t := reflect.TypeOf(empty).Elem()
	for range 5 {
		before := d.ids
		d.moods()
		text := d.value(t, d.real(kind), kind)
		text = strings.TrimSuffix(`{"k":"`+kind+`",`+text[1:], ",}")
		if !strings.HasSuffix(text, "}") {
			text += "}"
		}
		if Accepted([]byte(text)) {
			return []byte(text + "\n")
		}
		d.ids = before
	}
	return nil
}

// Accepted reports whether the reader of records accepts a line.
func Accepted(line []byte) bool {
	text := line
	isRun := bytes.HasPrefix(line, []byte(`{"k":"run"`))
	if !isRun {
		text = slices.Concat([]byte(`{"k":"run","v":1}`+"\n"), line)
	}
	r := record.NewReader(bytes.NewReader(append(slices.Clone(text), '\n')), "")
	_, err := r.Next()
	if !isRun && err == nil {
		_, err = r.Next()
	}
	return err == nil
}

// real returns a real line of a kind, nil if there is none.
func (d *draw) real(kind string) *node {
	if all := d.from[kind]; len(all) > 0 {
		return pick(d.rng, all)
	}
	for range 10 {
		if len(d.files) == 0 {
			return nil
		}
		if all := pick(d.rng, d.files)[kind]; len(all) > 0 {
			return pick(d.rng, all)
		}
	}
	return nil
}

// moods draws how a line differs from real ones.
func (d *draw) moods() {
	d.absent = pick(d.rng, []float64{0, 0.03, 0.1, 0.3, 0.7, 0.95})
	d.invented = pick(d.rng, []float64{0, 0.02, 0.1, 0.5, 0.9})
	d.extreme = pick(d.rng, []float64{0, 0, 0.02, 0.1, 0.5})
}

// value draws a value of a type. kind is that of the line at its top, "" elsewhere; real is what a real line has, or nil.
func (d *draw) value(t reflect.Type, real *node, kind string) string {
	switch t {
	case reflect.TypeFor[time.Time]():
		return quote(pick(d.rng, []string{"2026-11-28T12:00:00Z", "2026-11-28T12:00:00+01:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z"}))
	case reflect.TypeFor[record.Seed]():
		return quote(pick(d.rng, []string{"7f3a", "0", "ffffffffffffffff"}))
	case reflect.TypeFor[record.Values]():
		return d.values(real)
	}
	switch t.Kind() {
	case reflect.Struct:
		var fields []string
		d.fields(t, real, kind, &fields)
		return "{" + strings.Join(fields, ",") + "}"
	case reflect.Pointer:
		if real == nil && d.chance(0.1) {
			return "null"
		}
		return d.value(t.Elem(), real, "")
	case reflect.Slice:
		return d.list(t, real)
	case reflect.Map:
		return d.object(t, real)
	}
	if real != nil && real.open == 0 && !d.chance(d.extreme) {
		return real.raw
	}
	switch t.Kind() {
	case reflect.Bool:
		return quote(d.chance(0.7))
	case reflect.Float64, reflect.Float32:
		return quote(d.float())
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		return quote(d.integer(t.Bits()))
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		return quote(uint64(d.integer(64)) >> (64 - t.Bits()))
	}
	return quote(d.text())
}

func (d *draw) fields(t reflect.Type, real *node, kind string, out *[]string) {
	var name string // of an attachment
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if f.Anonymous && key == "" {
			d.fields(f.Type, real, "", out)
			continue
		}
		if key == "" {
			key = f.Name
		}
		text, ok := d.usual(kind, key, t)
		switch was := real.get(key); {
		case ok:
		case f.Type == reflect.TypeFor[[]byte]() && kind == "attach":
			text = quote(d.attached(name))
		case f.Type == reflect.TypeFor[[]byte]() && kind == "hist":
			text = quote(d.histogram())
		case d.chance(d.absent) || was == nil && !d.chance(d.invented):
			continue
		case f.Type.Kind() == reflect.String && len(d.words[key]) > 0 && (was == nil || d.chance(d.extreme)) && !d.chance(0.2):
			text = pick(d.rng, d.words[key])
		default:
			text = d.value(f.Type, was, "")
		}
		if kind == "attach" && key == "name" {
			name = parse([]byte(text)).text()
		}
		*out = append(*out, quote(key)+":"+text)
	}
}

// usual draws what makes lines belong together, and true; false for any other key.
func (d *draw) usual(kind, key string, t reflect.Type) (string, bool) {
	switch kind + " " + key {
	case "run v":
		return "1", true
	case "attach name":
		d.attachments++
		return quote(d.about[(d.first+d.attachments)%len(d.about)]), true
	case "run sides":
		if d.sided && d.chance(0.95) {
			return `[{"name":"old"},{"name":"new"}]`, true
		}
	}
	if t == reflect.TypeFor[record.Config]() && key == "packages" {
		return `["./gone"]`, true // nothing may be built of a file that was drawn
	}
	if !d.coherent || d.chance(0.03) {
		return "", false
	}
	if t == reflect.TypeFor[record.LoadWindow]() {
		return d.window(key)
	}
	if text := d.identity(kind, key); text != "" {
		return text, true
	}
	if choices := usualValues[kind+" "+key]; choices != nil {
		return pick(d.rng, choices), true
	}
	return "", false
}

// identity draws what a line is, or is of.
func (d *draw) identity(kind, key string) string {
	alternate := func(n int) string { return []string{`"old"`, `"new"`}[(n+1)%2] }
	switch kind + " " + key {
	case "case id":
		d.cases++
		return quote(d.cases)
	case "case side":
		if d.sided {
			return alternate(d.cases)
		}
	case "bin id":
		d.bins++
		return quote(d.bins)
	case "bin side":
		if d.sided {
			return alternate(d.bins)
		}
	case "case bin":
		return quote(max(d.cases, 1))
	case "fork id":
		d.fork++
		return quote(d.fork)
	case "fork case", "fork bin":
		return quote(1 + (d.fork-1)%max(d.cases, 1))
	case "fork purpose":
		if d.attachments > 0 && d.chance(0.7) {
			return quote(pick(d.rng, profilers))
		}
	case "hist fork":
		if d.cases > 0 {
			return quote(d.fork + 1)
		}
	case "attach bin":
		if d.fork == 0 && d.cases == 0 {
			return quote(d.bins)
		}
	case "sample fork", "attach fork":
		return quote(d.fork + 1)
	case "sample v":
		if d.chance(0.85) {
			return fmt.Sprintf(`{"ns/op":%g}`, float64(d.rng.IntN(100))/8+100*float64(d.fork%2+1))
		}
	case "load window", "marks window":
		if !d.sided {
			return "null"
		}
		if kind == "load" {
			d.windows++
		}
		return d.value(reflect.TypeFor[record.LoadWindow](), nil, "")
	}
	return ""
}

// window draws a window of a load run: those of both sides follow each other.
func (d *draw) window(key string) (string, bool) {
	switch key {
	case "side":
		return []string{`"new"`, `"old"`}[d.windows%2], true
	case "pair":
		return quote(max(1, (d.windows+1)/2)), true
	}
	return "", false
}

// profilers are purposes of forks.
var profilers = []string{"asm", "trace", "sample", "mem", "sched", "instructions", "counter", "heap", "alloc", "plain"}

// usualValues are values of lines that belong together, as JSON.
var usualValues = map[string][]string{
	"case pkg":     {`"p"`},
	"case name":    {`"B"`, `"B"`, `"B"`, `"B"`, `"B"`, `"B"`, `"B"`, `"B"`, `"B"`, `"B"`, `"B"`, `"B"`, `"B/size=1"`, `"B/size=2"`},
	"case procs":   {"1", "1", "1", "1", "2"},
	"fork purpose": {`"timing"`, `"timing"`, `"timing"`, `"timing"`, `"timing"`, `"timing"`, `"timing"`, `"timing"`, `"timing"`, `"timing"`, `"asm"`, `"trace"`, `"sample"`, `"mem"`, `"plain"`},
	"fork state":   {`"ok"`, `"ok"`, `"ok"`, `"ok"`, `"ok"`, `"ok"`, `"ok"`, `"ok"`, `"ok"`, `"ok"`, `"ok"`, `"ok"`, `"failed"`},
	"fork round":   {"1", "1", "2"},
	"sample phase": {`"measure"`, `"measure"`, `"measure"`, `"measure"`, `"measure"`, `"measure"`, `"measure"`, `"warmup"`},
	"sample iter":  {"1", "1", "2"},
	"sample role":  {`""`, `""`, `""`, `""`, `""`, `""`, `""`, `"producer"`},
	"sample ops":   {"1", "100", "1000000"},
	"load phase":   {`"run"`, `"run"`, `"run"`, `"run"`, `"run"`, `"run"`, `"warmup"`, `"load"`},
	"load final":   {"true", "true", "false"},
	"load start":   {"1000000000"},
	"load length":  {"1000000000", "1000000000", "1000000000", "10000000000", "1"},
	"load iter":    {"1"},
	"hist start":   {"1000000000"},
	"hist length":  {"1000000000"},
	"hist iter":    {"1"},
	"hist tag":     {`"response"`, `"service"`, `"service"`, `"lateness"`, `"failed"`, `"unanswered"`},
	"hist name":    {`"READ"`, `"READ"`, `"READ"`, `"UPDATE"`, `"ANY"`},
	"hist unit":    {`"ns"`},
	"marks phase":  {`"run"`},
	"marks start":  {"1000000000"},
	"marks iter":   {"1"},
	"agent phase":  {`"run"`},
	"agent step":   {"1"},
	"agent state":  {`"done"`, `"done"`, `"lost"`, `"stopped"`},
	"replan case":  {"1"},
	"another case": {"1"},
	"look case":    {"1"},

	record.AttachWaits + " ops":         {"1", "100"},
	record.AttachWaits + " wall_ns":     {"1000000"},
	record.AttachWaits + " traced":      {"1", "0.5"},
	record.AttachGoroutines + " ops":    {"1", "100"},
	record.AttachGoroutines + " traced": {"1", "0.5"},
	record.AttachAllocs + " ops":        {"1", "100"},
	record.AttachAllocs + " windows":    {"1", "2"},
	record.AttachInstructions + " ops":  {"1", "100"},
	record.AttachTrace + " mode":        {`"exact"`, `"every"`, `"count"`},
}

// list draws a list: the real one with elements left out, or a short one.
func (d *draw) list(t reflect.Type, real *node) string {
	if t.Elem().Kind() == reflect.Uint8 {
		if real != nil && !d.chance(d.extreme) {
			return real.raw
		}
		return quote([]byte(pick(d.rng, []string{"", "\x90", "\xe8\x00\x00\x00\x00\xc3", "text"})))
	}
	var out []string
	if real != nil && real.open == '[' {
		for _, x := range real.kids {
			if !d.chance(d.absent) {
				out = append(out, d.value(t.Elem(), x, ""))
			}
			if d.chance(d.extreme / 8) {
				out = append(out, d.value(t.Elem(), x, ""))
			}
		}
	} else {
		for range pick(d.rng, []int{0, 1, 1, 2, 3}) {
			out = append(out, d.value(t.Elem(), nil, ""))
		}
	}
	if len(out) == 0 && d.chance(0.3) {
		return "null"
	}
	return "[" + strings.Join(out, ",") + "]"
}

func (d *draw) object(t reflect.Type, real *node) string {
	var out []string
	if real != nil && real.open == '{' {
		for i, x := range real.kids {
			if !d.chance(d.absent) {
				out = append(out, real.keys[i]+":"+d.value(t.Elem(), x, ""))
			}
		}
	} else {
		for range d.rng.IntN(3) {
			out = append(out, quote(pick(d.rng, []string{"a", "timeout", "not_found", "", "ns/op", "-race", d.text()}))+":"+d.value(t.Elem(), nil, ""))
		}
	}
	return "{" + strings.Join(out, ",") + "}"
}

// values draws the figures of a sample.
func (d *draw) values(real *node) string {
	var out []string
	if real != nil {
		for i, x := range real.kids {
			if d.chance(d.extreme) {
				out = append(out, real.keys[i]+":"+d.special())
			} else if !d.chance(d.absent) {
				out = append(out, real.keys[i]+":"+x.raw)
			}
		}
	}
	for d.chance(0.2) {
		out = append(out, quote(pick(d.rng, units))+":"+d.special())
	}
	return "{" + strings.Join(out, ",") + "}"
}

// special draws a figure that JSON may have no number for.
func (d *draw) special() string {
	if d.chance(0.3) {
		return pick(d.rng, []string{`"NaN"`, `"+Inf"`, `"-Inf"`})
	}
	return quote(d.float())
}

func (d *draw) integer(bits int) int64 {
	least, most := int64(math.MinInt64)>>(64-bits), int64(math.MaxInt64)>>(64-bits)
	if d.chance(d.extreme + 0.1) {
		return max(least, min(most, pick(d.rng, []int64{-1, -1, -1000, least, least + 1, most, most - 1, 1 << 53, 1 << 31, 1 << 40, 1e9, 1e18, 1 << 61, 1 << 60, 100_000_000})))
	}
	return min(most, pick(d.rng, []int64{0, 0, 1, 1, 1, 2, 3, 10, 100, int64(d.rng.IntN(100_000)), int64(d.rng.IntN(1e9))}))
}

func (d *draw) float() float64 {
	if d.chance(d.extreme + 0.1) {
		return pick(d.rng, []float64{-1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-300, 1e300, 1e18, 1e19, -1e-9, 1e10, math.Copysign(0, -1)})
	}
	return pick(d.rng, []float64{0, 0, 1, 1, 0.5, 0.95, 0.01, 2, 1.5, d.rng.Float64(), 1000 * d.rng.Float64(), 1e6 * d.rng.Float64()})
}

func (d *draw) text() string {
	if d.chance(d.extreme / 10) {
		return strings.Repeat(pick(d.rng, []string{"x", "long ", "é", "/a=b", "\U0001f469\u200d"}), 1+d.rng.IntN(5000))
	}
	return pick(d.rng, []string{"", "", "x", "old", "new", "a b", "READ", "1", "é", "a\nb", "main.f", "/src/f.go", "p", "B", "B/size=1", "<b>", "\"", "50%", "%d", "7f3a"})
}

func (d *draw) chance(p float64) bool { return d.rng.Float64() < p }

// pick draws an element; it returns the zero value of none.
func pick[T any](rng *rand.Rand, from []T) (none T) {
	if len(from) == 0 {
		return none
	}
	return from[rng.IntN(len(from))]
}
