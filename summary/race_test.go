//go:build race

package summary

// raceDetector says that everything takes ten times as long.
const raceDetector = true
