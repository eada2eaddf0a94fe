package fewlines

import (
	"fmt"
	"reflect"

	"github.com/tarebench/tare/record"
)

// usualLines are kinds of lines as they follow each other. Others are put among them.
var usualLines = []string{
	"bin case case sample fork sample fork", "case sample sample fork end", "case sample fork another reference", "tare case sample fork warn", "case sample fork look end",
	"case case sample fork sample fork replan case sample fork", "reference case sample fork reference case sample fork", "tare bin case sample fork",
	"case case sample fork sample fork sample fork sample fork sample fork sample fork sample fork sample fork sample fork sample fork sample fork sample fork",
	"case sample fork attach attach fork", "case case sample fork sample fork attach fork attach fork", "bin bin case case sample fork sample fork attach attach fork attach attach fork",
	"bin attach bin attach case case sample fork sample fork attach attach fork attach attach fork", "case sample fork sample fork attach fork attach fork end",
	"bin bin case case attach fork attach fork", "case attach attach fork", "case case attach attach fork attach attach fork", "case attach attach attach fork", "case case attach fork attach fork", "bin attach bin attach case case sample fork sample fork",
	"attach case fork", "run case sample fork", "bisect case sample fork",
	"hist load hist load", "hist load hist load end", "load load load", "hist load marks hist load marks", "load agent agent load", "hist hist load stall hist hist load end", "attach load load",
	"load load load load load load load load load load load load load load", "hist load hist load hist load hist load hist load hist load hist load hist load hist load hist load hist load hist load",
	"case hist fork hist fork", "case case hist sample fork hist sample fork",
}

// together are names of attachments of one fork that are read together.
var together = [][]string{{record.AttachSampled, record.AttachSampledProfile}, {record.AttachHeap, record.AttachHeapProfile}, {record.AttachAllocs, record.AttachAllocsProfile}, {record.AttachTrace, record.AttachSampled, record.AttachSampledProfile}}

// usual draws what makes lines belong together, and true; false for any other key.
func (d *draw) usual(kind, key string, t reflect.Type) (string, bool) {
	switch kind + " " + key {
	case "run v":
		return "1", true
	case "attach name":
		d.attachments++
		d.pending = true
		return quote(d.about[(d.first+d.attachments)%len(d.about)]), true
	case "run sides":
		if d.sided && d.chance(0.95) {
			return `[{"name":"old"},{"name":"new"}]`, true
		}
	}
	if t == reflect.TypeFor[record.Config]() {
		if text := d.plan(key); text != "" {
			return text, true
		}
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

// plan draws what a run is planned as, "" where any plan will do.
func (d *draw) plan(key string) string {
	switch {
	case key == "packages":
		return `["./gone"]` // nothing may be built of a file that was drawn
	case d.self && key == "order":
		return `"blocks"`
	case d.self && key == "forks" && d.coherent:
		return pick(d.rng, []string{"1", "2", "1000"})
	}
	return ""
}

// identity draws what a line is, or is of.
func (d *draw) identity(kind, key string) string {
	switch kind + " " + key {
	case "case id":
		return next(&d.cases)
	case "case side":
		return d.side(d.cases)
	case "bin id":
		return next(&d.bins)
	case "bin side":
		return d.side(d.bins)
	case "case bin":
		return quote(max(d.cases, 1))
	case "fork id":
		return next(&d.fork)
	case "fork case", "fork bin":
		return quote(1 + (d.fork-1)%max(d.cases, 1))
	case "fork purpose":
		attached := d.pending
		if d.pending = false; attached && d.chance(0.8) {
			return quote(pick(d.rng, profilers))
		}
		if d.self && d.chance(0.8) {
			return pick(d.rng, []string{`"selftest-fork"`, `"selftest-usual"`})
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

// next counts on.
func next(id *int) string {
	*id++
	return quote(*id)
}

// side returns the side of the nth of the lines that have one by turns, "" if there are no sides.
func (d *draw) side(n int) string {
	switch {
	case !d.sided:
		return ""
	case d.self:
		return []string{`"A"`, `"B"`}[(n+1)%2]
	}
	return []string{`"old"`, `"new"`}[(n+1)%2]
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
