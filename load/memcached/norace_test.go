//go:build !race

package memcached

// underRace tells tests that the race detector is at work, which allocates.
const underRace = false
