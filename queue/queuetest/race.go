//go:build race

package queuetest

// raceDetector says that calls may allocate that otherwise do not.
const raceDetector = true
