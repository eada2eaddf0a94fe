// Package helper builds the small programs that tare starts as processes of their own, once, into the user's
// cache directory: the launcher (package spawn) and the reference loops (package reference).
package helper
