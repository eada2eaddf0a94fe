//go:build !race

package bolt

// raceDetector says that allocations are not the code's own.
const raceDetector = false
