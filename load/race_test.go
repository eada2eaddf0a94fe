//go:build race

package load

// raceDetector makes everything some ten times slower, and allocates.
const raceDetector = true
