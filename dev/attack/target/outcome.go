package target

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/dev/attack/tally"
)

// Outcome is how a command line ended.
type Outcome struct {
	Code      int           // exit code; -1 if it did not exit by itself
	Died      string        // why it did not: "signal: killed", "panic: …"; "" if it exited
	Hung      bool          // it was ended because it took too long
	Messages  string        // the beginning of stderr
	Output    string        // the beginning of stdout
	Raw       string        // the first raw control character and what is around it, quoted; "" if there is none
	Invalid   string        // why what it wrote is not of its format; "": it is, or is not checked
	Peak      int64         // bytes of resident memory; 0 if unknown
	Allocated int64         // bytes on the heap, also if they were freed; 0 if unknown
	Took      time.Duration // wall time
	CPU       time.Duration // processor time; 0 if unknown
}

// Limits say what is allowed.
type Limits struct {
	Codes     []int         // exit codes
	Memory    int64         // bytes; 0: any
	Allocated int64         // bytes; 0: any
	CPU       time.Duration // processor time; 0: any
}

// Readers are the limits of verbs that read files.
var Readers = Limits{Codes: []int{0, 1, 2}, Memory: MaxMemory, CPU: MaxTime}

// Judge returns what is wrong with an outcome: kinds of package tally, each with its text.
func (o Outcome) Judge(l Limits) (found []tally.Finding) {
	add := func(kind, format string, args ...any) {
		found = append(found, tally.Finding{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	trace := stackTrace(o.Messages)
	switch {
	case o.Hung:
		add(tally.Hang, "was ended after %v", o.Took.Round(time.Second))
	case l.CPU > 0 && o.CPU > l.CPU:
		add(tally.Hang, "took %v of processor time", o.CPU.Round(100*time.Millisecond))
	case o.Died != "":
		add(tally.Panic, "%s %s", o.Died, trace)
	case trace != "":
		add(tally.Panic, "%s", trace)
	case !slices.Contains(l.Codes, o.Code):
		add(tally.Other, "exit code %d", o.Code)
	case o.Code != 0 && !strings.Contains(o.Messages, "tare: error: ") && !strings.Contains(o.Messages, "tare: gate: "):
		add(tally.Other, "exit code %d without a line that says why: %.200q", o.Code, o.Messages)
	}
	if o.Raw != "" {
		add(tally.Other, "a raw control character is printed: %s", o.Raw)
	}
	if o.Invalid != "" {
		add(tally.Other, "what is written is invalid: %s", o.Invalid)
	}
	if l.Allocated > 0 && o.Allocated > l.Allocated {
		add(tally.Memory, "%d MB were allocated", o.Allocated/1_000_000)
	}
	if l.Memory > 0 && o.Peak > l.Memory {
		add(tally.Memory, "%d MB", o.Peak/1_000_000)
	}
	return found
}

// stackTrace returns the line with which Go reports that a program failed, "" if there is none.
func stackTrace(messages string) string {
	for line := range strings.Lines(messages) {
		for _, start := range []string{"panic:", "fatal error:", "goroutine ", "runtime error", "SIGQUIT", "SIGSEGV"} {
			if strings.HasPrefix(line, start) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}
