//go:build !linux

package spawn

import "errors"

// Prioritize fails: this system shares processors between threads, not sessions.
func (l *Launcher) Prioritize() (done string, err error) {
	return "", errors.New("spawn: priority: not available on this system")
}
