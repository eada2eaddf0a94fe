//go:build !race

package hist_test

// raceDetector says that a sync.Pool forgets things at random.
const raceDetector = false
