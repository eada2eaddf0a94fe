//go:build race

package queue_test

// raceDetector says that allocations cannot be counted.
const raceDetector = true
