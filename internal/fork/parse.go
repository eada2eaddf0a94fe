package fork

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Bounds on what a parser keeps.
const (
	maxResults = 1 << 17
	maxFailed  = 1 << 12
	maxSteps   = 1 << 17
	maxWhy     = 400 // bytes of a reason
)

// printed is what a process's output says.
type printed struct {
	results []measured
	extra   int       // results beyond those kept
	failed  []failure // leaves only
	begun   string    // the benchmark at work last, without "Benchmark" and "-procs"
	running bool      // it has no result yet
	panic   string    // first line of a panic
	sure    bool      // it stood where panics do
	broken  []string  // benchmarks that did not return
	names   []string  // the benchmarks that began, -test.v only
	ended   bool      // testing came to its last line, PASS or FAIL
}

// failure is a benchmark that called Fail.
type failure struct {
	name string // without "Benchmark" and "-procs"
	why  string // what it logged, "" if nothing
}

// A parser makes sense of what a test binary prints, line by line. Benchmarks
// print what they like, so it trusts nothing but what testing itself prints,
// and looks for that anywhere in a line:
//
//	BenchmarkFoo/a-2   ⇥      100⇥        12.50 ns/op⇥ …
//
// The name, its spaces and the tab come before the timed run, the figures after
// it, with anything in between or on lines of its own.
type parser struct {
	procs   int    // -test.cpu
	verbose bool   // -test.v: a name is also printed alone when its benchmark begins
	most    int    // results to keep; 0: maxResults
	onStep  func() // called when a benchmark begins or has a result; may be nil

	printed
	passed  bool   // testing came to its last line, and it was PASS
	full    string // the name printed last, as results have it
	logged  string // the last line it logged, -test.v only
	failing bool   // the line before was a --- FAIL, whose reason may follow
	tracing bool   // a stack has begun: it names functions
	steps   int
}

// line looks at one line that arrived at t.
func (p *parser) line(text []byte, t int64) {
	p.reason(text)
	if !telling(text) || logLine.Match(text) {
		return
	}
	passed := bytes.HasSuffix(text, []byte("PASS"))
	if passed || bytes.HasSuffix(text, []byte("FAIL")) {
		p.ended, p.passed = true, passed
	}
	s := string(text)
	p.tracing = p.tracing || stack.MatchString(s)
	rest := p.name(s)
	p.panicked(s, rest)
	if p.fails(s) {
		return
	}
	switch r, ok := parseResult(p.full, rest); {
	case !ok, p.passed && !p.running: // after testing's last word it is a TestMain that talks
	case r.n > 0:
		r.t = t
		p.result(r)
	case len(p.broken) < maxFailed: // testing prints 0 operations, then
		p.broken = append(p.broken, own(r.name, p.procs))
		p.running = false
	}
}

// telling sorts out at little cost the lines that tell nothing.
func telling(text []byte) bool {
	return bytes.Contains(text, []byte("Benchmark")) || endsInFigure(text) ||
		bytes.Contains(text, []byte("panic: ")) || bytes.Contains(text, []byte("fatal error: ")) ||
		bytes.HasPrefix(text, []byte("goroutine ")) ||
		bytes.HasSuffix(text, []byte("PASS")) || bytes.HasSuffix(text, []byte("FAIL"))
}

// endsInFigure reports whether a line may be a result: a tab somewhere, and a
// number and a unit at its end.
func endsInFigure(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r")
	i := bytes.LastIndexByte(text, ' ')
	if i < 1 {
		return false
	}
	c := text[i-1]
	return ('0' <= c && c <= '9' || c == 'N' || c == 'f') && bytes.IndexByte(text[:i], '\t') >= 0 // NaN, Inf
}

// What testing prints of a name. A function whose name goes on with a small
// letter is no benchmark: "Benchmarking …" is somebody's log.
var (
	nameAndTab = regexp.MustCompile(`(Benchmark(?:[^\p{Ll}\s]\S*)?) *\t`)
	nameAlone  = regexp.MustCompile(`(Benchmark(?:[^\p{Ll}\s]\S*)?)$`)
	verdict    = regexp.MustCompile(`--- (FAIL|BENCH|SKIP): (Benchmark\S*)`)
	stack      = regexp.MustCompile(`^goroutine [0-9]+ .*\[.*\]:$`)
	logLine    = regexp.MustCompile(`^ {4,}\S+\.go:[0-9]+: .`)
)

// name finds the name in a line and returns what follows it; where there is
// none that is the whole line.
func (p *parser) name(s string) string {
	if m := nameAndTab.FindStringSubmatchIndex(s); m != nil {
		p.full = s[m[2]:m[3]]
		p.begin(own(p.full, p.procs))
		return s[m[1]:]
	}
	if p.verbose && !p.tracing && !verdict.MatchString(s) {
		if m := nameAlone.FindStringSubmatch(s); m != nil { // without -procs
			name := strings.TrimPrefix(m[1], "Benchmark")
			p.full = fullName(name, p.procs)
			p.begin(name)
			if len(p.names) < maxResults {
				p.names = append(p.names, name)
			}
			return ""
		}
	}
	return s
}

func (p *parser) begin(name string) {
	p.begun, p.running, p.ended, p.passed, p.logged = name, true, false, false, ""
	p.step()
}

func (p *parser) result(r measured) {
	p.running, p.tracing = false, false
	most := p.most
	if most == 0 {
		most = maxResults
	}
	if len(p.results) < most {
		p.results = append(p.results, r)
	} else {
		p.extra++
	}
	p.step()
}

// step tells of progress, but not for ever: a benchmark that prints names in an
// endless loop makes none.
func (p *parser) step() {
	if p.steps++; p.steps <= maxSteps && p.onStep != nil {
		p.onStep()
	}
}

// panicked notes the first line of a panic. It may follow a name, since stderr
// comes the same way. Where a panic is only mentioned in a line, a later line
// that begins with one counts more.
func (p *parser) panicked(s, rest string) {
	for _, word := range []string{"panic: ", "fatal error: "} {
		begins := strings.HasPrefix(rest, word)
		if i := strings.Index(s, word); i >= 0 && (p.panic == "" || (begins && !p.sure)) {
			p.panic, p.sure = clip(s[i:]), begins
		}
	}
}

// fails notes a benchmark that failed. testing prints its name without -procs
// when it fails in its first run of one operation, and with it later.
func (p *parser) fails(s string) bool {
	m := verdict.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	if m[1] != "FAIL" { // BENCH follows a result, and after SKIP none will come
		p.running = false
		return false
	}
	name := strings.TrimPrefix(m[2], "Benchmark")
	short := own(m[2], p.procs)
	if p.verbose {
		if name != p.begun && !strings.HasPrefix(p.begun, name+"/") {
			name = short
		}
	} else if p.running && m[2] == p.full {
		name = short
	}
	if len(p.failed) < maxFailed {
		p.failed = append(p.failed, failure{name, p.logged})
		p.failing = !p.verbose
	}
	p.running, p.logged = false, ""
	return true
}

// reason keeps what a failing benchmark logged: its last line, printed before
// the --- FAIL under -test.v and right after it otherwise.
func (p *parser) reason(text []byte) {
	if !p.failing && !p.verbose {
		return
	}
	switch logged := logLine.Match(text); {
	case logged && p.failing:
		p.failed[len(p.failed)-1].why = clip(strings.TrimSpace(string(text)))
	case logged:
		p.logged = clip(strings.TrimSpace(string(text)))
	case !bytes.HasPrefix(text, []byte("        ")): // else it goes on
		p.failing = false
	}
}

// done returns what was found.
func (p *parser) done() printed {
	out := p.printed
	out.failed = leaves(out.failed)
	return out
}

// leaves drops the names that only failed because a sub-benchmark of theirs
// did, and doubles.
func leaves(fs []failure) []failure {
	drop := map[string]bool{}
	for _, f := range fs {
		for i := range f.name {
			if f.name[i] == '/' {
				drop[f.name[:i]] = true
			}
		}
	}
	var out []failure
	for _, f := range fs {
		if !drop[f.name] {
			drop[f.name] = true
			out = append(out, f)
		}
	}
	return out
}

// own makes a printed name ours: without "Benchmark" and "-procs".
func own(full string, procs int) string {
	name := strings.TrimPrefix(full, "Benchmark")
	if procs != 1 {
		name = strings.TrimSuffix(name, fmt.Sprintf("-%d", procs))
	}
	return name
}

// fullName is the name as testing prints it with a result.
func fullName(name string, procs int) string {
	if procs == 1 {
		return "Benchmark" + name
	}
	return fmt.Sprintf("Benchmark%s-%d", name, procs)
}

// clip bounds a line that is to be shown.
func clip(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxWhy {
		return s
	}
	s = s[:maxWhy]
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s + "…"
}
