package timerlog

import (
	"fmt"
	"os"

	"github.com/tarebench/tare/record"
)

// Doubts about what was seen in a fork.
const (
	CodeIncluded = "stopped-included" // what was seen while the timer stood may count, too
	CodeMany     = "many-stops"       // the timer was stopped more often than could be noted
)

// Doubts is what is doubtful about notes that there should be, for a profiler: noted is
// Timing.Noted, and why is why they cannot be read.
func Doubts(profiler string, noted float64, why error) []*record.Warn {
	warn := func(code, advice, format string, args ...any) []*record.Warn {
		return []*record.Warn{{About: record.AboutFork, Code: code, Text: profiler + ": " + fmt.Sprintf(format, args...), Advice: advice}}
	}
	switch {
	case noted == 0 && why != nil:
		return warn(CodeIncluded, "", "when the timer stood is not known: if it did, samples of that time count, too: %v", why)
	case noted == 0:
		return warn(CodeIncluded, "room for files in "+os.TempDir(), "when the timer stood is not known: if it did, samples of that time count, too")
	case noted < 1:
		return warn(CodeMany, "a smaller --time, or a smaller N with --benchtime",
			"the timer was stopped more often than could be noted: only samples of the first %.0f %% of the measured time count, and operations are in proportion", 100*noted)
	}
	return nil
}
