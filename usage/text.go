package usage

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/units"
)

// String returns the four lines of results, after a line with the name if there is one:
//
//	Results for sequentialSort2
//	real  0m6.841s
//	user  0m6.840s
//	sys   0m0.000s
//	mem   344.0B
//
// mem is the memory allocated, in powers of 1024. Figures may be "not available". If
// CPU time cannot be divided into user and system time, a line cpu has the sum.
func (u Usage) String() string {
	var b strings.Builder
	if u.Name != "" {
		fmt.Fprintf(&b, "Results for %s\n", u.Name)
	}
	fmt.Fprintf(&b, "real  %s\n", clock(u.Real))
	fmt.Fprintf(&b, "user  %s\n", u.figure(FigureUser, clock(u.User)))
	fmt.Fprintf(&b, "sys   %s\n", u.figure(FigureSys, clock(u.Sys)))
	if !u.available(FigureUser) && u.available(FigureCPU) {
		fmt.Fprintf(&b, "cpu   %s\n", clock(u.CPU))
	}
	fmt.Fprintf(&b, "mem   %s", memory(float64(u.Bytes)))
	return b.String()
}

// Format prints String for %v and %s. For %+v it adds all figures, with meaning and
// resolution, and the table of threads.
func (u Usage) Format(f fmt.State, verb rune) {
	text := u.String()
	if verb == 'v' && f.Flag('+') {
		text += "\n\n" + u.Details() + "\n" + strings.TrimSuffix(u.Table(), "\n")
	}
	fmt.Fprint(f, text)
}

// Details returns all figures, one a line: name, value, meaning and resolution.
func (u Usage) Details() string {
	rows := [][]string{
		{"real", u.Real.String(), "exact, 1 ns"},
		{"cpu", u.figure(FigureCPU, u.CPU.String()), "user and sys, of the whole process, by the scheduler's clock"},
		{"user, sys", u.figure(FigureUser, rounded(u.User)+", "+rounded(u.Sys)), u.division()},
		{"cores busy", u.figure(FigureCPU, ratio(u.Cores())), fmt.Sprintf("cpu / real, of GOMAXPROCS %d", u.Procs)},
		{"waited", u.figure(FigureWaited, rounded(u.Waited)), "of all threads together, ready to run, for a processor"},
		{"allocated", memory(float64(u.Bytes)), fmt.Sprintf("exact: %d B in %d objects, of the whole process", u.Bytes, u.Objects)},
		{"collections", fmt.Sprint(u.GCCycles), "exact: that ended during the task"},
		{"gc pauses", u.GCPause.String(), fmt.Sprintf("sum, the longest %s, by the runtime", u.GCPauseMax)},
		{"gc cpu", u.figure(FigureGCCPU, rounded(u.GCCPU)), "the runtime's estimate for collections that ended"},
		{"threads", u.figure(FigureThreads, fmt.Sprint(u.PerThread.Count)), "that ran; exact, 1 ns; goroutines move between them"},
	}
	text := columns(rows, "lrl")
	text += fmt.Sprintf("tare: overhead (measured with an empty task, included): real %s, cpu %s, threads %s\n",
		rounded(u.Overhead.Real), u.figure(FigureCPU, rounded(u.Overhead.CPU)), u.figure(FigureThreads, rounded(u.Overhead.Threads)))
	for _, f := range slices.Sorted(maps.Keys(u.NotAvailable)) {
		text += fmt.Sprintf("%s: not available: %s\n", f, u.NotAvailable[f])
	}
	return text
}

// reliableCPU is the CPU time from which on even the slowest timer tick has sampled a
// task several times.
const reliableCPU = 50 * time.Millisecond

// division returns how user and system time were obtained, and whether they are
// reliable.
func (u *Usage) division() string {
	if u.available(FigureUser) && u.CPU < reliableCPU {
		return "cpu, divided as sampled at the kernel's tick (1 to 10 ms): unreliable for so short a task"
	}
	return "cpu, divided as sampled at the kernel's tick (1 to 10 ms)"
}

// maxThreads is the limit of rows in the table of threads.
const maxThreads = 24

// Table returns the table of the threads that ran, the busiest first, and their sum.
func (u Usage) Table() string {
	if !u.available(FigureThreads) {
		return "threads: not available: " + u.NotAvailable[FigureThreads] + "\n"
	}
	head, at := []string{"thread", "cpu", "share", ""}, "rrrl"
	split := u.UserPerThread.Count > 0
	if split {
		head, at = []string{"thread", "cpu", "share", "user", "sys", ""}, "rrrrrl"
	}
	rows := [][]string{head}
	row := func(name string, d, user, sys time.Duration, rest string) {
		r := []string{name, rounded(d), share(d, u.PerThread.Sum+u.Unattributed)}
		switch {
		case user+sys > 0:
			r = append(r, rounded(user), rounded(sys))
		case split:
			r = append(r, unknown, unknown)
		}
		rows = append(rows, append(r, rest))
	}
	for _, t := range u.Threads[:min(len(u.Threads), maxThreads)] {
		born := ""
		if t.Born {
			born = "started during the task"
		}
		row(fmt.Sprint(t.ID), t.CPU, t.User, t.Sys, born)
	}
	if rest := u.Threads[min(len(u.Threads), maxThreads):]; len(rest) > 0 {
		var sum time.Duration
		for _, t := range rest {
			sum += t.CPU
		}
		row(fmt.Sprintf("%d more", len(rest)), sum, 0, 0, "")
	}
	if u.Died > 0 || u.Unattributed >= reportedUnattributed {
		row("no thread", u.Unattributed, 0, 0, fmt.Sprintf("of threads that have ended, %d of which existed at the start", u.Died))
	}
	return columns(rows, at) + u.PerThread.line("thread") + "\n" + u.splitLines()
}

// splitLines returns user and system time over the threads, and how far they can be relied on.
func (u *Usage) splitLines() string {
	n := u.UserPerThread.Count
	switch {
	case u.PerThread.Count == 0, !u.available(FigureThreadSplit): // of which Details says why
		return ""
	case n == 0:
		return "user, sys: not known: the kernel counts them in steps of 10 ms, and no thread had one\n"
	}
	text := fmt.Sprintf("user of %s\nsys of %s\n", u.UserPerThread.line("thread"), u.SysPerThread.line("thread"))
	text += "user, sys: cpu of each thread, divided as the kernel counts it, in steps of 10 ms"
	if n < u.PerThread.Count {
		text += fmt.Sprintf("; ? where it had less, %d of %d threads", u.PerThread.Count-n, u.PerThread.Count)
	}
	return text + "\n"
}

// reportedUnattributed is more unattributed CPU time than the time between the
// readings of the clocks can explain.
const reportedUnattributed = time.Millisecond

// line returns number, sum, minimum, average and maximum.
func (s Stats) line(of string) string {
	if s.Count != 1 {
		of += "s"
	}
	return fmt.Sprintf("%d %s: sum %s, min %s, avg %s, max %s", s.Count, of, rounded(s.Sum), rounded(s.Min), rounded(s.Avg()), rounded(s.Max))
}

// String returns a text such as "count 4, sum 8s, min 1s, avg 2s, max 3s".
func (s Stats) String() string {
	return fmt.Sprintf("count %d, sum %s, min %s, avg %s, max %s", s.Count, rounded(s.Sum), rounded(s.Min), rounded(s.Avg()), rounded(s.Max))
}

// figure returns the text, or "not available".
func (u *Usage) figure(name, text string) string {
	if u.available(name) {
		return text
	}
	return "not available"
}

// clock formats a duration as bash's time does: 0m6.841s.
func clock(d time.Duration) string {
	d = d.Round(time.Millisecond)
	return fmt.Sprintf("%dm%d.%03ds", d/time.Minute, d%time.Minute/time.Second, d%time.Second/time.Millisecond)
}

// memory formats bytes with one decimal: 344.0B, 1.5KiB.
func memory(b float64) string {
	names := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i := 0
	for ; b >= 1023.95 && i < len(names)-1; i++ {
		b /= 1024
	}
	return units.Fixed(b, 1) + names[i]
}

// rounded formats a duration with four digits.
func rounded(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 10_000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

func share(part, whole time.Duration) string {
	if whole <= 0 {
		return ""
	}
	return units.PercentTo(float64(part)/float64(whole), 1)
}

// columns aligns each column left (l) or right (r).
func columns(rows [][]string, at string) string {
	width := make([]int, len(at))
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		var line strings.Builder
		for i, c := range r {
			if i > 0 {
				line.WriteString("  ")
			}
			pad := strings.Repeat(" ", width[i]-len([]rune(c)))
			if at[i] == 'r' {
				line.WriteString(pad + c)
			} else {
				line.WriteString(c + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}
