package main

import (
	"fmt"

	"github.com/tarebench/tare/stat"
)

const (
	// matters is how many times as fast the padded queue must be to speak of false
	// sharing: it has a little less to fetch and more to skip, which is not that.
	matters    = 1.2
	confidence = 0.95
)

// verdict says what the rates of rounds, in pairs, say about false sharing here.
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
