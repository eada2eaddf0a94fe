//go:build !race

package fork

// raceDetector says that everything takes ten times as long.
const raceDetector = false
