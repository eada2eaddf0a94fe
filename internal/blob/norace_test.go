//go:build !race

package blob

// raceDetector says that allocations are not the code's own.
const raceDetector = false
