package result

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// TestEndWarnings: a run that ended before it had what was asked for says so, with what to do.
func TestEndWarnings(t *testing.T) {
	run := func(config string, n int, ends ...string) string {
		body := "case 1 A\n"
		for i := range n {
			body += repeatForks(i+1, 1, 1, fmt.Sprintf("m %.9g ns=%d wall=%d iter=2", steady(i), 20*ms, 21*ms), fmt.Sprintf("wall=%d", 1000*ms))
		}
		return "run confidence=0.95 " + config + "\n" + body + strings.Join(ends, "\n") + "\n"
	}
	budget := fmt.Sprintf("budget=%d ", 10_000*ms)
	for _, test := range []struct {
		name, words string
		code, text  string // of the run; "": none
		advice      string
		few         string // advice of few-forks, "" if there is none
	}{
		{"all forks", run("forks=20 "+budget, 20, "end completed"), "", "", "", ""},
		{"the budget", run("forks=20 "+budget, 6, "end completed the budget is spent"), diagnosis.BudgetSpent,
			"--budget 10s ended the run: 6 of 20 forks of each benchmark were run", "use --budget 25s or more, or go on with tare bench --resume FILE", ""},
		{"the budget, too few forks", run("forks=20 "+budget, 4, "end completed the budget is spent"), diagnosis.BudgetSpent,
			"--budget 10s ended the run: 4 of 20 forks of each benchmark were run", "use --budget 27s or more, or go on with tare bench --resume FILE",
			"use --budget 27s or more, or go on with tare bench --resume FILE"},
		{"interrupted", run("forks=20", 4, "end partial interrupted in round 5 of 20"), "", "", "", "the run was interrupted: go on with tare bench --resume FILE"},
		{"few were planned", run("forks=4", 4, "end completed"), "", "", "", "use --forks 6 or more"},
		{"precision", run("forks=20 precision=0.02", 20, "look 20 0.97 widest=0.031 case=1", "end completed"), diagnosis.PrecisionMissed,
			"the precision of ± 2.0 % was not reached: the widest interval was ± 3.1 % after 20 forks", "use more --forks, a wider --precision, or a quieter machine", ""},
		{"precision, unbounded", run("forks=20 precision=0.02", 20, "look 20 0.97 widest=-1 case=1", "end completed"), diagnosis.PrecisionMissed,
			"the precision of ± 2.0 % was not reached: the widest interval was unbounded after 20 forks", "use more --forks, a wider --precision, or a quieter machine", ""},
		{"the precision is reached", run("forks=20 precision=0.02", 10, "look 10 0.97 widest=0.01 case=1 stop=1", "end completed the precision is reached"), "", "", "", ""},
		{"precision of an interrupted run", run("forks=20 precision=0.02", 8, "end partial"), "", "", "", ""},
	} {
		r, err := Read(strings.NewReader(lines(t, test.words)), "test")
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		var got Warning
		if len(r.Warnings) > 0 {
			got = r.Warnings[0]
		}
		if len(r.Warnings) > 1 || got.Code != test.code || got.Text != test.text || got.Advice != test.advice {
			t.Errorf("%s: %+v", test.name, r.Warnings)
		}
		few := ""
		if i := slices.IndexFunc(r.Results[0].Warnings, func(w Warning) bool { return w.Code == diagnosis.FewForks }); i >= 0 {
			few = r.Results[0].Warnings[i].Advice
		}
		if few != test.few {
			t.Errorf("%s: few forks: %q", test.name, few)
		}
	}
}

// TestEndWarningsBoth: a budget that ended a run with a precision gives two notes, and both are in the record before
// its last line is.
func TestEndWarningsBoth(t *testing.T) {
	b := NewBuilder()
	words := fmt.Sprintf("run confidence=0.95 forks=80 precision=0.02 budget=%d\n", 10_000*ms) + forks(8, func(i int) string { return fmt.Sprintf("m %.9g ns=%d iter=2", steady(i), 20*ms) })
	if err := b.ReadAll(strings.NewReader(lines(t, words)), "test"); err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, w := range b.WarningsAt(&record.End{State: record.EndCompleted, Why: record.WhyBudgetSpent}) {
		codes = append(codes, w.Code)
	}
	if !slices.Equal(codes, []string{diagnosis.BudgetSpent, diagnosis.PrecisionMissed}) {
		t.Error(codes)
	}
}
