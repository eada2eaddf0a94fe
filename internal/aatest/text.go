package aatest

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tarebench/tare/record"
)

// TextOptions say how a Result looks. The zero value is fit for any terminal.
type TextOptions struct {
	UTF8  bool // characters beyond ASCII
	Short bool // without the table of benchmarks and the command to repeat
}

// textWidth is the width that lines keep to: without UTF-8 they may become a bit wider.
const textWidth = 98

// WriteText writes the result for people.
func (r *Result) WriteText(w io.Writer, o TextOptions) error {
	t := &text{o: o}
	if !o.Short {
		t.head(r)
	}
	t.ways(r)
	t.smallest(r)
	if !o.Short {
		t.benchmarks(r)
		t.advice(r)
	}
	t.foot(r)
	s := t.b.String()
	if !o.UTF8 {
		s = ascii(s)
	}
	_, err := io.WriteString(w, s)
	return err
}

// text is a report being written.
type text struct {
	o TextOptions
	b strings.Builder
}

// line writes one line, without blanks at its end.
func (t *text) line(format string, args ...any) {
	t.b.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " "))
	t.b.WriteByte('\n')
}

// glue keeps together what a line must not break in, by no-break spaces.
var glue = strings.NewReplacer(" %", "\u00a0%", " … ", "\u00a0…\u00a0")

// wrapped writes a text behind a heading in lines of textWidth, the later ones
// below the first.
func (t *text) wrapped(head, s string) {
	line, blank := head, strings.Repeat(" ", utf8.RuneCountInString(head))
	empty := true
	for _, word := range strings.Split(glue.Replace(s), " ") {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > textWidth {
			t.line("%s", line)
			line, empty = blank, true
		}
		if !empty {
			line += " "
		}
		line += strings.ReplaceAll(word, "\u00a0", " ")
		empty = false
	}
	if !empty {
		t.line("%s", line)
	}
}

// head says where and how was measured.
func (t *text) head(r *Result) {
	if r.Run == nil {
		return
	}
	e, c := r.Run.Env, r.Run.Config
	items := []string{e.OS + "/" + e.Arch}
	if e.CPU != "" {
		items = append(items, fmt.Sprintf("%s, %s", strings.Join(strings.Fields(e.CPU), " "), plural(e.Cores, "core")))
	}
	items = append(items, e.Go, fmt.Sprintf("forks of (%d+%d) × %s, seed %s", c.Warmup, c.Iterations, duration(c.Time), r.Run.Seed))
	t.wrapped("", printable(strings.Join(items, " · ")))
	t.line("")
}

// ways compares the two ways.
func (t *text) ways(r *Result) {
	t.wrapped("", fmt.Sprintf("the same binary against itself: %s of %d+%d forks, %d of -count=%d, in alternating blocks",
		plural(r.This.Windows, "window"), r.Window, r.Window, r.Usual.Windows, r.Window))
	t.way("this way (forks, interleaved)", r.This)
	t.way(fmt.Sprintf("usual way (-count=%d, before/after)", r.Window), r.Usual)
	if n := r.windows(); n < r.Needed {
		t.wrapped("  ", r.tooFew()+": take the rates with a grain of salt")
	}
}

func (t *text) way(name string, w Way) {
	if w.Windows == 0 {
		t.line("  %-37s  no window could be judged, of %d", name, w.Lost)
		return
	}
	t.line("  %-37s %4d of %d called different  %6s %%  %s", name, w.Different, w.Windows, digits(w.Rate), between(w.Lo, w.Hi))
}

// smallest says which change is found, and how far apart medians are.
func (t *text) smallest(r *Result) {
	if r.This.Windows == 0 {
		return
	}
	s := r.Smallest
	if math.IsInf(float64(s.Value), 1) {
		t.line("smallest change found 8 times of 10: none, with %d forks a side", r.Window)
	} else {
		t.line("smallest change found 8 times of 10: %s %s with %d forks a side", share(s.Value), between(s.Lo, s.Hi), r.Window)
	}
	line := "medians differ by up to " + apartWords(r.This.Apart) + " this way"
	if r.Usual.Windows > 0 {
		line += ", " + apartWords(r.Usual.Apart) + " the usual way"
	}
	t.wrapped("", line+" (p95)")
}

func apartWords(a Apart) string { return share(a.Value) + " " + between(a.Lo, a.Hi) }

// foot says what else was seen, the verdict, and how to repeat the run.
func (t *text) foot(r *Result) {
	for _, b := range r.Benchmarks {
		if b.Failed > 0 {
			t.wrapped("", printable(fmt.Sprintf("failed: %s %s: %s: %s", b.Pkg, b.Name, plural(b.Failed, "process"), b.Why)))
		}
	}
	if !t.o.Short {
		for _, n := range r.Notes {
			t.wrapped("note: ", printable(n.Text+arrow(n.Advice)))
		}
	}
	if r.Partial != "" {
		t.wrapped("partial: ", printable(r.Partial))
	}
	t.line("%s", disturbed(r))
	t.wrapped("verdict: ", r.Verdict.words(r.Smallest.Assumption)+quiet(r))
	if !t.o.Short && r.Run != nil && len(r.Run.Command) > 0 {
		t.line("repeat: %s", repeat(r.Run))
	}
}

func arrow(advice string) string {
	if advice == "" {
		return ""
	}
	return " → " + advice
}

// words is the verdict as a sentence.
func (v Verdict) words(assumption string) string {
	switch v.Fit {
	case Fit:
		return fmt.Sprintf("fit for comparisons of %s and more with %d forks a side (assuming that %s)", share(v.Change), DefaultForks, assumption)
	case Unfit:
		return "not fit: " + strings.Join(v.Reasons, "; ")
	}
	return "none: " + strings.Join(v.Reasons, "; ")
}

// Above these the machine has other work to do.
const (
	busyLoad  = 1.0  // processes, before the first of ours
	busySteal = 0.01 // of the machine's CPU time
)

// quiet advises whoever measured on a busy machine that turned out unfit.
func quiet(r *Result) string {
	if r.Verdict.Fit != Unfit || (r.Load < busyLoad && float64(r.Steal) < busySteal) {
		return ""
	}
	return arrow("the machine was busy with other things: try again when it is quiet")
}

// disturbed says what else the machine did.
func disturbed(r *Result) string {
	s := fmt.Sprintf("took %s · steal %s", took(r.Took), share(r.Steal))
	if r.Load > 0 {
		s += fmt.Sprintf(" · load %.1f at the start", r.Load)
	}
	return s
}

// repeat is the command that repeats the run with its seed, each word as a
// shell takes it.
func repeat(run *record.Run) string {
	var words []string
	seeded := false
	for _, a := range run.Command {
		if a == "--seed" || strings.HasPrefix(a, "--seed=") {
			seeded = true
		}
		words = append(words, shell(printable(a)))
	}
	at := min(2, len(words))
	if !seeded {
		words = append(words[:at:at], append([]string{"--seed", run.Seed.String()}, words[at:]...)...)
	}
	return strings.Join(words, " ")
}

func shell(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%^") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// took rounds a duration for people.
func took(ns int64) string {
	d := time.Duration(ns)
	if d < 10*time.Second {
		return duration(d.Round(10 * time.Millisecond))
	}
	return duration(d.Round(100 * time.Millisecond))
}
