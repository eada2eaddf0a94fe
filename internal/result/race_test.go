//go:build race

package result

// raceDetector says that everything takes ten times as long.
const raceDetector = true
