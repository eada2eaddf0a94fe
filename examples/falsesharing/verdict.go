package main

import (
	"fmt"

	"github.com/tarebench/tare/stat"
)

const (
	// matters is the least ratio of the rates that counts as false sharing: smaller
	// ones can have other causes.
	matters    = 1.2
	confidence = 0.95
)

// verdict returns the conclusion about false sharing from the rates of paired rounds: those of a kind whose fields may
// share a line, and of the same with lines between.
func verdict(near, padded string, nearRates, paddedRates []float64) string {
	ratios := make([]float64, len(nearRates))
	for i := range ratios {
		ratios[i] = paddedRates[i] / nearRates[i]
	}
	r := stat.MedianInterval(ratios, confidence)
	measured := fmt.Sprintf("%q is %.2f (%.2f … %.2f) times as fast as %q", padded, r.Median, r.Lo, r.Hi, near)
	switch {
	case r.Lo > matters:
		return "observed: " + measured + "; tare asm shows which instruction waits"
	case r.Hi < matters:
		return "not observable here: " + measured
	}
	return "not decided: " + measured + "; more rounds, or a quieter machine, would tell"
}
