//go:build race

package kvcodec

// raceDetector says that allocations are not the code's own.
const raceDetector = true
