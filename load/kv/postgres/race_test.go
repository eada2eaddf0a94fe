//go:build race

package postgres

// underRace tells tests that the race detector is at work, which allocates.
const underRace = true
