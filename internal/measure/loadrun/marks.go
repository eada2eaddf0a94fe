package loadrun

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/loadrun/marks"
	"github.com/tarebench/tare/internal/process/service"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// planMarks checks what is to be watched.
func (p *Plan) planMarks(j *job.Load, bad *exit.Problems) {
	for _, text := range j.WatchPIDs {
		pid, err := strconv.Atoi(text)
		switch {
		case err != nil || pid < 1:
			bad.Add("--watch-pid %s is no number of a process", text)
		case !marks.CanWatch:
			bad.Add("--watch-pid %d: tare reads processes of Linux only", pid)
		case !marks.Readable(pid):
			bad.Add("--watch-pid %d: there is no such process here", pid)
		}
		p.watch = append(p.watch, pid)
	}
	if p.vars = j.WatchVars; p.vars != "" {
		if err := marks.CheckVars(p.at("", "80").vars); err != nil {
			bad.Add("--watch-vars: %v", err)
		}
	}
}

// openMarks opens what is read beside the operations. server is the one that tare has started, or nil.
func (p *Plan) openMarks(server *service.Server) (*marks.Reader, error) {
	c := marks.Config{PIDs: p.watch, Vars: p.vars, Allow: p.allow, Every: p.Run.Interval}
	if server != nil {
		c.PIDs, c.Started = append([]int{server.PID()}, c.PIDs...), true
	}
	r, err := marks.Open(c)
	if refused := (*load.RefusedError)(nil); errors.As(err, &refused) {
		return nil, exit.Usage(p.clean(fmt.Errorf("--watch-vars: %w", err)), "if you may ask it: --allow-host "+refused.Allow)
	}
	if err != nil && p.vars != "" {
		return nil, exit.Failed(p.clean(fmt.Errorf("--watch-vars %s: %w", p.vars, err)), "a server of Go that imports expvar answers at /debug/vars")
	}
	if err != nil {
		return nil, exit.Failed(fmt.Errorf("--watch-pid: %w", err), "")
	}
	return r, nil
}

// markLine reads what happened since the last line of marks, in the interval that has just ended.
func markLine(r *marks.Reader, i *record.Load) *record.Marks {
	m := r.Take()
	m.Phase, m.Iter, m.Start = i.Phase, i.Iter, i.Start
	return m
}

// writeUnanswered warns of requests for memory statistics that had no answer.
func (r *Runner) writeUnanswered() error {
	if r.marks == nil {
		return nil
	}
	n, err := r.marks.Unanswered()
	if n == 0 {
		return nil
	}
	return r.out.Write(diagnosis.Warn(diagnosis.VarsUnanswered, diagnosis.Facts{"times": n, "error": r.plan.Redact(err.Error())}))
}
