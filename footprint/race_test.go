//go:build race

package footprint

// underRace tells tests to take less: the race detector makes them slow.
const underRace = true
