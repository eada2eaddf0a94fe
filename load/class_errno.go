//go:build !windows

package load

import "syscall"

func refusals() []error {
	return []error{syscall.ECONNREFUSED, syscall.EHOSTUNREACH, syscall.ENETUNREACH}
}

func resets() []error { return []error{syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED} }
