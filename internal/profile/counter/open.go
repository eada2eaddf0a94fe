package counter

import "github.com/tarebench/tare/internal/process/perfevent"

// openTaskClock opens and closes task-clock, which every kernel with perf events has.
func openTaskClock(userOnly bool) error {
	if userOnly {
		return perfevent.CheckEvent("task-clock:u")
	}
	return perfevent.CheckEvent("task-clock")
}
