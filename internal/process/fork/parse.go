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

// printed is what the parser found in a process's output.
type printed struct {
	results      []benchResult
	extra        int       // results beyond those kept
	failed       []failure // leaves only
	current      string    // the benchmark that began last, without "Benchmark" and "-procs"
	running      bool      // current has no result yet
	panic        string    // first line of a panic
	panicCertain bool      // panic stood at the beginning of a line
	didNotReturn []string  // benchmarks that did not return
	names        []string  // the benchmarks that began, -test.v only
	ended        bool      // testing printed its last line, PASS or FAIL
	badFlag      string    // what package flag says about the command line
}

// failure is a benchmark that called Fail.
type failure struct {
	name string // without "Benchmark" and "-procs"
	why  string // what it logged, "" if nothing
}

// A parser reads what a test binary prints, line by line. Because benchmarks may print anything, it uses only
// what testing itself prints, and searches for it anywhere in a line:
//
//	BenchmarkFoo/a-2   ⇥      100⇥        12.50 ns/op⇥ …
//
// testing prints the name, spaces and the tab before the timed run and the figures after it. In between a
// benchmark may print text, even whole lines.
type parser struct {
	procs   int    // -test.cpu
	verbose bool   // -test.v: a name is also printed alone when its benchmark begins
	limit   int    // results to keep; 0: maxResults
	onStep  func() // called when a benchmark begins or has a result; may be nil
	mask    masker

	printed
	passed  bool   // testing's last line was PASS
	full    string // the name printed last, as in results
	logged  string // the last line it logged, -test.v only
	failing bool   // the line before was a --- FAIL, whose reason may follow
	opened  bool   // the line before was that of a panic, and had nothing behind the word
	tracing bool   // inside a stack trace, which names functions
	steps   int
}

// line parses one line that arrived at t (CLOCK_MONOTONIC ns).
func (p *parser) line(text []byte, t int64) {
	p.reason(text)
	p.continuePanic(text)
	p.addBadFlag(text)
	if !isRelevant(text) || logLine.Match(text) {
		return
	}
	passed := bytes.HasSuffix(text, []byte("PASS"))
	if passed || bytes.HasSuffix(text, []byte("FAIL")) {
		p.ended, p.passed = true, passed
	}
	s := string(text)
	p.tracing = p.tracing || stack.MatchString(s)
	rest := p.name(s)
	p.addPanic(s, rest)
	if p.addFailure(s) {
		return
	}
	switch r, ok := parseResult(p.full, rest); {
	case !ok, p.passed && !p.running: // printed by TestMain after testing's last line
	case r.n > 0:
		r.t = t
		p.result(r)
	case len(p.didNotReturn) < maxFailed: // testing then prints 0 operations
		p.didNotReturn = append(p.didNotReturn, trimName(r.name, p.procs))
		p.running = false
	}
}

// addBadFlag keeps the line by which package flag says what is wrong with the command line, before it prints the usage.
func (p *parser) addBadFlag(text []byte) {
	if p.badFlag == "" && (bytes.HasPrefix(text, []byte("flag provided but not defined: ")) || bytes.HasPrefix(text, []byte("invalid value \"")) ||
		bytes.HasPrefix(text, []byte("flag needs an argument: "))) {
		p.badFlag = p.mask.truncate(string(text))
	}
}

// isRelevant is a cheap filter for lines that may matter.
func isRelevant(text []byte) bool {
	return bytes.Contains(text, []byte("Benchmark")) || endsInFigure(text) ||
		bytes.Contains(text, []byte("panic: ")) || bytes.Contains(text, []byte("fatal error: ")) ||
		bytes.HasPrefix(text, []byte("goroutine ")) ||
		bytes.HasSuffix(text, []byte("PASS")) || bytes.HasSuffix(text, []byte("FAIL"))
}

// endsInFigure reports whether a line may be a result: a tab somewhere, and a number and a unit at its end.
func endsInFigure(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r")
	i := bytes.LastIndexByte(text, ' ')
	if i < 1 {
		return false
	}
	c := text[i-1]
	return ('0' <= c && c <= '9' || c == 'N' || c == 'f') && bytes.IndexByte(text[:i], '\t') >= 0 // NaN, Inf
}

// Names as testing prints them. A name that continues with a lower-case letter is not a benchmark: "Benchmarking …"
// comes from a log.
var (
	nameAndTab = regexp.MustCompile(`(Benchmark(?:[^\p{Ll}\s]\S*)?) *\t`)
	nameAlone  = regexp.MustCompile(`(Benchmark(?:[^\p{Ll}\s]\S*)?)$`)
	verdict    = regexp.MustCompile(`--- (FAIL|BENCH|SKIP): (Benchmark\S*)`)
	stack      = regexp.MustCompile(`^goroutine [0-9]+ .*\[.*\]:$`)
	noOps      = regexp.MustCompile(` +0\t +NaN ns/op`) // the figures of a benchmark that panicked
	logLine    = regexp.MustCompile(`^ {4,}\S+\.go:[0-9]+: `)
)

// name finds a benchmark's name in a line and returns the text after it, or the whole line if there is none.
func (p *parser) name(s string) string {
	if m := nameAndTab.FindStringSubmatchIndex(s); m != nil {
		p.full = s[m[2]:m[3]]
		p.begin(trimName(p.full, p.procs))
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
	p.current, p.running, p.ended, p.passed, p.logged = name, true, false, false, ""
	p.step()
}

func (p *parser) result(r benchResult) {
	p.running, p.tracing = false, false
	limit := p.limit
	if limit == 0 {
		limit = maxResults
	}
	if len(p.results) < limit {
		p.results = append(p.results, r)
	} else {
		p.extra++
	}
	p.step()
}

// step calls onStep, at most maxSteps times: a benchmark that prints names in an endless loop makes no progress.
func (p *parser) step() {
	if p.steps++; p.steps <= maxSteps && p.onStep != nil {
		p.onStep()
	}
}

// addPanic keeps the first line of a panic. It may follow a name, because stderr shares the pipe. A line that
// begins with a panic replaces an earlier one that only mentions it. The runtime writes the end of the line by a
// separate call, so testing may write the benchmark's results before it.
func (p *parser) addPanic(s, rest string) {
	for _, word := range []string{"panic: ", "fatal error: "} {
		begins := strings.HasPrefix(rest, word)
		if i := strings.Index(s, word); i >= 0 && (p.panic == "" || (begins && !p.panicCertain)) {
			line := s[i:]
			if figures := noOps.FindStringIndex(line); figures != nil {
				line = line[:figures[0]]
			}
			p.panic, p.panicCertain = p.mask.truncate(strings.TrimRight(line, " \t\r")), begins
			p.opened = p.panic == strings.TrimSpace(word)
		}
	}
}

// continuePanic adds the next line that is not blank to a panic whose message begins with a line break.
func (p *parser) continuePanic(text []byte) {
	if text = bytes.TrimSpace(text); !p.opened || len(text) == 0 {
		return
	}
	if p.opened = false; !stack.Match(text) {
		p.panic = p.mask.truncate(p.panic + " " + string(text))
	}
}

// addFailure adds a benchmark that failed. testing prints its name without -procs if it failed in its first run of
// one operation, else with it.
func (p *parser) addFailure(s string) bool {
	m := verdict.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	if m[1] != "FAIL" { // BENCH follows a result; after SKIP there is none
		p.running = false
		return false
	}
	name := strings.TrimPrefix(m[2], "Benchmark")
	short := trimName(m[2], p.procs)
	if p.verbose {
		if name != p.current && !strings.HasPrefix(p.current, name+"/") {
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

// reason keeps the last line that a failing benchmark logged. It is printed before the --- FAIL under -test.v
// and right after it otherwise.
func (p *parser) reason(text []byte) {
	if !p.failing && !p.verbose {
		return
	}
	switch logged := logLine.Match(text); {
	case logged && p.failing:
		p.failed[len(p.failed)-1].why = p.mask.truncate(strings.TrimSpace(string(text)))
	case logged:
		p.logged = p.mask.truncate(strings.TrimSpace(string(text)))
	case !bytes.HasPrefix(text, []byte("        ")): // else the reason continues
		p.failing = false
	case p.failing:
		p.continueReason(&p.failed[len(p.failed)-1].why, text)
	default:
		p.continueReason(&p.logged, text)
	}
}

// continueReason adds a line to a reason that has announced one: its message begins with a line break, or ends with a colon.
func (p *parser) continueReason(why *string, text []byte) {
	if text = bytes.TrimSpace(text); strings.HasSuffix(*why, ":") && len(text) > 0 {
		*why = p.mask.truncate(*why + " " + string(text))
	}
}

// done returns what the parser found.
func (p *parser) done() printed {
	out := p.printed
	out.failed = leaves(out.failed)
	return out
}

// leaves removes duplicates, and benchmarks that failed only because a sub-benchmark of theirs failed.
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

// trimName removes "Benchmark" and "-procs" from a printed name.
func trimName(full string, procs int) string {
	name := strings.TrimPrefix(full, "Benchmark")
	if procs != 1 {
		name = strings.TrimSuffix(name, fmt.Sprintf("-%d", procs))
	}
	return name
}

// fullName returns the name as testing prints it with a result.
func fullName(name string, procs int) string {
	if procs == 1 {
		return "Benchmark" + name
	}
	return fmt.Sprintf("Benchmark%s-%d", name, procs)
}

// masker replaces secrets in a text. A nil one replaces none.
type masker func(string) string

func (m masker) text(s string) string {
	if m == nil {
		return s
	}
	return m(s)
}

// truncate cuts a line to maxWhy bytes of valid UTF-8. Secrets are replaced before that, as half of one is not found.
func (m masker) truncate(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxWhy {
		return s
	}
	s = m.text(s)
	if len(s) <= maxWhy {
		return s
	}
	s = s[:maxWhy]
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s + "…"
}
