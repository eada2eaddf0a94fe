package result

import (
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
)

// CodeCalibration says that N is far too small although nothing in the benchmark explains it.
const CodeCalibration = "calibration-off"

// maxShort is the share of its target below which an iteration is far too short.
const maxShort = 0.5

// explained reports whether an iteration that measures ns, which is share of the time that it took alone, spends more
// outside of its timer than the calibration found to be usual: then the benchmark stops its timer, or sets up at length.
// Records without a calibration say nothing against it.
func (c *caseData) explained(share, ns float64) bool {
	k := c.line.Calibration
	return k == nil || k.Limit <= 0 || share <= 0 || ns/share-ns > float64(k.Limit)
}

// offTarget returns a warning if iterations are far shorter than they were to be, and neither the benchmark nor a single
// operation that takes that long explains it: what the machine did during the calibration was taken for operations.
func (c *caseData) offTarget(role string) *derivedWarning {
	k := c.line.Calibration
	share, ns := c.timer(role)
	if k == nil || role != "" || ns <= 0 || share > 0 && share < MinShare && c.explained(share, ns) {
		return nil
	}
	target := time.Duration(k.Target)
	if c.line.Time > 0 {
		target = c.line.Time
	}
	own := ns
	if share > 0 {
		own = max(ns, ns/share-float64(k.Fixed)*2)
	}
	if own >= maxShort*float64(target) {
		return nil
	}
	return &derivedWarning{Warn: record.Warn{
		Code:   CodeCalibration,
		Text:   fmt.Sprintf("an iteration took %s, the target was %s: the machine was disturbed when N was chosen", units.Span(own), target),
		Advice: "run it again when the machine is quieter, or give N by --benchtime",
	}, figure: units.Span(own), severity: -own / float64(target)}
}
