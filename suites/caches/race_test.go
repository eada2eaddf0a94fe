//go:build race

package caches

const raceEnabled = true
