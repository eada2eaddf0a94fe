package commandrun

import (
	"runtime"

	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// showsFaults reports whether the system counts page faults and context switches.
const showsFaults = runtime.GOOS != "windows"

// sampleOf returns the one sample of a run, with what the system knows of it.
func sampleOf(f *record.Fork, res spawn.Result) *record.Sample {
	s := &record.Sample{Fork: f.ID, Iter: 1, Phase: record.PhaseMeasure, T: res.End, Ns: f.Wall, Ops: 1}
	add := func(unit string, v float64) { s.V = append(s.V, record.Value{Unit: unit, Value: v}) }
	add(result.UnitReal, float64(f.Wall))
	add(result.UnitUser, float64(f.User))
	add(result.UnitSys, float64(f.Sys))
	add(result.UnitCPU, float64(f.User+f.Sys))
	if f.Wall > 0 {
		add(result.UnitCores, float64(f.User+f.Sys)/float64(f.Wall))
	}
	if f.MaxRSS > 0 {
		add(result.UnitPeak, float64(f.MaxRSS))
	} else if f.MaxRSSBelow > 0 {
		add(result.UnitPeakBelow, float64(f.MaxRSSBelow))
	}
	if showsFaults {
		add(result.UnitMinor, float64(f.Minflt))
		add(result.UnitMajor, float64(f.Majflt))
		add(result.UnitVoluntary, float64(f.Vcsw))
		add(result.UnitInvoluntary, float64(f.Ivcsw))
	}
	return s
}
