//go:build !race

package mem_test

// raceDetector says that allocations are not the code's own.
const raceDetector = false
