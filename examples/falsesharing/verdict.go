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

// verdict returns the conclusion about false sharing from the rates of paired rounds.
func verdict(denseRates, paddedRates []float64) string {
	ratios := make([]float64, len(denseRates))
	for i := range ratios {
		ratios[i] = paddedRates[i] / denseRates[i]
	}
	r := stat.MedianInterval(ratios, confidence)
	measured := fmt.Sprintf("padded is %.2f (%.2f … %.2f) times as fast as dense", r.Median, r.Lo, r.Hi)
	switch {
	case r.Lo > matters:
		return "observed: " + measured + "; tare asm shows which instruction waits"
	case r.Hi < matters:
		return "not observable here: " + measured
	}
	return "not decided: " + measured + "; more rounds, or a quieter machine, would tell"
}
