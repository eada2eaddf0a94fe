//go:build !unix

package server

// Yield does nothing: this system has no nice values.
func Yield() {}
