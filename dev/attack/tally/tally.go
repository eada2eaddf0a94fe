package tally

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// None marks a count that an attack does not have.
const None = -1

// What a finding is.
const (
	Panic  = "panic"       // a panic, a fatal error of the runtime, or a signal that the attack did not send
	Hang   = "hang"        // longer than the attack allows
	Memory = "memory"      // more memory than the attack allows
	Lost   = "figure lost" // measured and written, and not reported afterwards
	Other  = "other"       // wrong exit code, unreadable output, leftovers
)

// Finding is one thing that went wrong, with what repeats it.
type Finding struct {
	Attack string
	Input  int    // which input of the attack
	Kind   string // Panic, Hang, Memory, Lost or Other
	Text   string // one line: what was tried and what happened
	Kept   string // the file that was kept of it, or ""
}

// Row is what one attack says of itself. It may be used by several goroutines.
type Row struct {
	Attack string
	Note   string // what else was counted, one clause
	Flags  string // with which the attack was made: seed, scale

	mu        sync.Mutex
	tried     int
	peak      int64 // bytes
	lostKnown bool
	lost      int
	began     time.Time
	took      time.Duration
	findings  []Finding
	bad       map[int]bool // inputs with a finding
}

// Done takes the row of an attack that is over.
type Done func(*Row) error

// NewRow begins the row of an attack.
func NewRow(attack string) *Row {
	return &Row{Attack: attack, bad: map[int]bool{}, began: time.Now()}
}

// Tried counts one input, with the peak memory of what was attacked in bytes; 0 if unknown.
func (r *Row) Tried(peak int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tried++
	r.peak = max(r.peak, peak)
}

// CountsLost says that the attack counts lost figures, which is 0 until one is found.
func (r *Row) CountsLost() { r.lostKnown = true }

// Add adds a finding.
func (r *Row) Add(f Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.Attack = r.Attack
	if f.Kind == Lost {
		r.lost++
	}
	r.findings = append(r.findings, f)
	r.bad[f.Input] = true
}

// End stops the row's clock.
func (r *Row) End() { r.took = time.Since(r.began) }

// Findings are all findings, in the order of the inputs.
func (r *Row) Findings() []Finding {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := slices.Clone(r.findings)
	slices.SortStableFunc(out, func(a, b Finding) int { return a.Input - b.Input })
	return out
}

// Survived is the number of inputs without any finding.
func (r *Row) Survived() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tried - len(r.bad)
}

func (r *Row) count(kind string) (n int) {
	for _, f := range r.Findings() {
		if f.Kind == kind {
			n++
		}
	}
	return n
}

func (r *Row) cells() []string {
	peak, lost := "–", "–"
	if r.peak > 0 {
		peak = fmt.Sprintf("%d MB", (r.peak+999_999)/1_000_000)
	}
	if r.lostKnown {
		lost = fmt.Sprint(r.lost)
	}
	return []string{
		r.Attack, fmt.Sprint(r.tried), fmt.Sprint(r.Survived()), fmt.Sprint(r.count(Panic)), fmt.Sprint(r.count(Hang)), peak, lost,
		fmt.Sprint(r.count(Memory) + r.count(Other)), r.took.Round(time.Second).String(), r.Note, "`" + r.Flags + "`",
	}
}

var head = []string{"attack", "tried", "survived", "panics", "hangs", "peak memory", "figures lost", "other", "took", "note", "flags"}

// Write prints the rows as a table of Markdown, which people read as it is.
func Write(w io.Writer, rows []*Row) error {
	var table [][]string
	for _, r := range rows {
		table = append(table, r.cells())
	}
	return writeTable(w, table)
}

func writeTable(w io.Writer, rows [][]string) error {
	table := append([][]string{head, nil}, rows...)
	width := make([]int, len(head))
	for _, cells := range table {
		for i, c := range cells {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	for _, cells := range table {
		if cells == nil {
			cells = make([]string, len(head))
			for i := range cells {
				cells[i] = strings.Repeat("-", width[i])
			}
		}
		for i, c := range cells {
			fmt.Fprintf(w, "| %s%s ", c, strings.Repeat(" ", width[i]-utf8.RuneCountInString(c)))
		}
		if _, err := fmt.Fprintln(w, "|"); err != nil {
			return err
		}
	}
	return nil
}
