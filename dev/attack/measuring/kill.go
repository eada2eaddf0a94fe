//go:build linux

package measuring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tarebench/tare/dev/attack/mutate"
	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/dev/attack/target"
)

// kill runs the verb once, kills it, and examines what is left.
func (a *attack) kill(ctx context.Context, number int) error {
	p, err := a.prepare()
	if err != nil {
		return err
	}
	defer os.RemoveAll(p.dir)
	add := func(kind, format string, args ...any) {
		kept := ""
		if data, err := os.ReadFile(p.record()); err == nil {
			kept = a.Save(fmt.Sprintf("kill %s-%d.jsonl", a.verb.name, number), data)
		}
		a.row.Add(tally.Finding{Input: number, Kind: kind, Text: fmt.Sprintf(format, args...), Kept: kept})
	}
	defer a.row.Tried(0)
	o, err := a.killed(ctx, p, number)
	if err != nil {
		return err
	}
	for _, f := range o.Judge(target.Limits{Codes: append([]int{0, 1}, a.verb.codes...)}) {
		if f.Input, f.Kept = number, a.Save(fmt.Sprintf("kill %s-%d.txt", a.verb.name, number), []byte(o.Messages)); f.Kept == "" {
			f.Text += ": " + strings.TrimSpace(o.Messages)
		}
		a.row.Add(f)
	}
	if left := gone(p.mark(), 20*time.Second); len(left) > 0 {
		add(tally.Other, "%d processes are left 20 s after the run: %s", len(left), name(left[0]))
		for _, pid := range left {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	w, err := read(p.record())
	if err != nil {
		add(tally.Other, "a complete line of the record cannot be read: %v", err)
		return nil
	}
	if w.lines == 0 && !a.verb.nothing {
		a.early.Add(1)
	}
	if text, err := a.lost(ctx, p, w); err != nil {
		return err
	} else if text != "" {
		add(tally.Lost, "%s", text)
	}
	if text, err := a.goOn(ctx, p, w); err != nil {
		return err
	} else if text != "" {
		add(tally.Other, "%s", text)
	}
	if files := leftovers(p.tmp); len(files) > 0 {
		add(tally.Other, "the next run left %q in its temporary directory", files[:min(len(files), 5)])
	}
	return nil
}

// killed starts the verb and kills one of its processes at a drawn instant. If tare was not
// the victim, its outcome is to be judged; else it is a good one.
func (a *attack) killed(ctx context.Context, p place, number int) (target.Outcome, error) {
	rng := mutate.Seed(a.Seed, a.verb.name, number)
	instant := time.Duration(rng.Float64() * 1.05 * float64(a.usual))
	if rng.IntN(4) > 0 && !a.verb.nothing { // most of them when there is something to lose
		instant = -time.Duration(rng.Float64() * 1.05 * float64(a.usual-a.begun))
	}
	other, pick := rng.IntN(3) == 0, rng.Float64()
	messages, err := os.Create(filepath.Join(p.dir, "messages"))
	if err != nil {
		return target.Outcome{}, err
	}
	defer messages.Close()
	cmd := exec.Command(a.Tare, a.verb.args...)
	cmd.Dir, cmd.Env, cmd.Stderr = p.module, target.Env(p.tmp), messages
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return target.Outcome{}, err
	}
	ended, over := make(chan error, 1), make(chan struct{})
	go func() {
		err := cmd.Wait()
		close(over)
		ended <- err
	}()
	if instant < 0 {
		firstLine(p.record(), over)
	}
	select {
	case <-over:
		a.late.Add(1)
		return outcome(<-ended, messages.Name()), nil
	case <-time.After(instant.Abs()):
	case <-ctx.Done():
	}
	victim := cmd.Process.Pid
	if all := marked(p.mark()); other && len(all) > 1 && ctx.Err() == nil {
		all = without(all, victim)
		victim = all[int(pick*float64(len(all)))]
		a.victims[1].Add(1)
	} else {
		a.victims[0].Add(1)
	}
	syscall.Kill(victim, syscall.SIGKILL)
	if victim == cmd.Process.Pid {
		<-ended
		return target.Outcome{}, ctx.Err()
	}
	select {
	case err := <-ended:
		return outcome(err, messages.Name()), nil
	case <-time.After(patience):
		cmd.Process.Kill()
		<-ended
		return target.Outcome{Hung: true, Took: patience}, nil
	}
}

func without(pids []int, pid int) (out []int) {
	for _, p := range pids {
		if p != pid {
			out = append(out, p)
		}
	}
	return out
}

// outcome says how a process ended of which all was killed but itself.
func outcome(err error, messages string) (o target.Outcome) {
	text, _ := os.ReadFile(messages)
	o.Messages = string(text)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if o.Code = exit.ExitCode(); o.Code < 0 {
			o.Died = exit.Error()
		}
	}
	return o
}

// lost reports the record, and says which lines and figures it does not show that were written.
func (a *attack) lost(ctx context.Context, p place, w written) (string, error) {
	if w.lines == 0 {
		return "", nil
	}
	copied, err := a.report(ctx, p, "jsonl")
	if err != nil {
		return "", err
	}
	if n := strings.Count(copied.Output, "\n"); n < w.lines && len(w.whole) < target.Kept {
		return fmt.Sprintf("%d lines are in the record, and %d can be read (exit code %d): %.200s", w.lines, n, copied.Code, copied.Messages), nil
	}
	format := "benchfmt"
	if a.verb.load || !a.verb.forks {
		format = "json"
	}
	o, err := a.report(ctx, p, format)
	if err != nil {
		return "", err
	}
	if found := o.Judge(target.Readers); len(found) > 0 {
		return "report: " + found[0].Text, nil
	}
	return a.missing(o, w), nil
}

// report shows the record in a format.
func (a *attack) report(ctx context.Context, p place, format string) (target.Outcome, error) {
	return a.tare(ctx, p, "report", "--format", format, p.file)
}

// missing says which figures a report does not have that were written, "" if it has all.
func (a *attack) missing(o target.Outcome, w written) string {
	switch {
	case a.verb.forks:
		count := w.forks - w.starved // if enough others remain, a report excludes those and says so
		if n := reportedForks(o.Output); n < count {
			return fmt.Sprintf("%d forks that count are in the record, and %d in the report (exit code %d)", count, n, o.Code)
		}
	case a.verb.load && w.responses > 0:
		n, err := reportedResponses(o.Output)
		if err != nil || n < w.responses {
			return fmt.Sprintf("%d operations are in the record, and %d in the report (exit code %d, %v)", w.responses, n, o.Code, err)
		}
	case w.has(a.verb.profiles) && (o.Code != 0 || !strings.HasPrefix(o.Output, "{")):
		return fmt.Sprintf("%v forks are in the record, and none in the report (exit code %d): %.200s", w.profiled, o.Code, o.Messages)
	}
	return ""
}

// goOn completes the run where that can be done, else it runs the verb again. It says what
// was wrong with that.
func (a *attack) goOn(ctx context.Context, p place, w written) (string, error) {
	if !a.verb.resumes || w.lines == 0 {
		return a.again(ctx, p)
	}
	o, err := a.tare(ctx, p, "bench", "--no-wait", "--resume", p.file)
	if err != nil {
		return "", err
	}
	if o.Code == 1 && w.forks == 0 {
		return a.again(ctx, p) // killed before the plan was made: there is nothing to resume
	}
	if o.Code != 0 && !(o.Code == 1 && w.failed > 0 && strings.Contains(o.Messages, "failed in some fork")) {
		return fmt.Sprintf("--resume: exit code %d: %.300s", o.Code, o.Messages), nil
	}
	after, err := read(p.record())
	switch {
	case err != nil:
		return "", err
	case !w.ended && !bytes.HasPrefix(after.whole, w.whole):
		return "--resume changed lines that were written", nil
	case after.forks+after.failed < a.verb.plan || !after.ended:
		return fmt.Sprintf("--resume: %d forks of %d, complete: %v", after.forks, a.verb.plan, after.ended), nil
	}
	return a.lost(ctx, p, after)
}

func (a *attack) again(ctx context.Context, p place) (string, error) {
	o, err := a.tare(ctx, p, a.verb.args...)
	if err != nil || !o.Hung && (o.Code == 0 || slices.Contains(a.verb.codes, o.Code)) {
		return "", err
	}
	return fmt.Sprintf("the next run: exit code %d: %.300s", o.Code, o.Messages), nil
}
