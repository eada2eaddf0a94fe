// Package helper builds the small programs that tare starts as processes of their own, once, into the user's
// cache directory: the launcher (package spawn), the reference loops (package reference), empty loops (package loopcost)
// and the reader of types (package layout).
package helper
