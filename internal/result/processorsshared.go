package result

import (
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/record"
)

// freeProcessors is how many idle processors, on average, show that a command of any kind found one.
const freeProcessors = 0.5

// use is what the processors did while a command ran, in processors on average.
type use struct{ command, others, idle float64 }

// processorsShared reports whether other processes may have delayed the command: they used processors, and none was
// idle.
func (u use) processorsShared() bool {
	return u.others > 0 && u.others >= loss.Marked*(u.others+u.command) && u.idle < freeProcessors
}

// used sums up the runs of a command on a machine of so many processors. The system counts in steps of 10 ms, so that
// single runs say little, and from before a run to after it: what exceeds the processors was used outside of the runs.
func (c *caseData) used(cores int) (u use, known bool) {
	var wall float64
	for i := range c.timed {
		f := &c.timed[i].line
		if f.Others == nil || f.Wall <= 0 {
			continue
		}
		wall += float64(f.Wall)
		u.command += float64(f.User + f.Sys)
		u.others += float64(*f.Others)
		u.idle += float64(f.Idle)
	}
	if wall == 0 {
		return use{}, false
	}
	if all := u.command + u.others + u.idle; cores > 0 {
		wall = max(wall, all/float64(cores))
	}
	return use{u.command / wall, u.others / wall, u.idle / wall}, true
}

// processorsShared returns a warning if other processes used the processors while commands ran whose lost time is not
// known. A command's CPU time does not show whether it waited for a processor, for a disk or for another process, and
// the kernel reports the run delay of its first thread only. load is the load average when the run began.
func processorsShared(run *record.Run, cases []*caseData, load float64) []derivedWarning {
	if run == nil || record.KindOf(run) != record.KindTime {
		return nil
	}
	cores := run.Env.Cores
	var worst *use
	unknown := false
	for _, c := range cases {
		if len(c.timed) == 0 || 2*c.lost.countKnown() > len(c.timed) {
			continue
		}
		u, known := c.used(cores)
		unknown = unknown || !known
		if known && u.processorsShared() && (worst == nil || u.others > worst.others) {
			worst = &u
		}
	}
	began := ""
	if load > 0 {
		began = units.Fixed(load, 1)
	}
	var w *record.Warn
	switch {
	case worst != nil:
		w = diagnosis.Warn(diagnosis.Crowded, diagnosis.Facts{
			"load": began, "used": units.Fixed(worst.others, 1), "processors": units.Plural(cores, "processor"), "idle": units.Fixed(worst.idle, 1),
		})
	case unknown && run.Env.OS != "linux" && cores > 0 && load >= float64(cores): // records of Linux without the use of others are old ones
		w = diagnosis.WarnForm(diagnosis.Crowded, "load", diagnosis.Facts{"load": began, "processors": units.Plural(cores, "processor")})
	default:
		return nil
	}
	return []derivedWarning{{Warn: *w}}
}
