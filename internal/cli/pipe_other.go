//go:build !unix

package cli

import "os"

// closedPipe tells whether nobody reads what is written to a file any more: here only who
// writes finds out.
func closedPipe(*os.File) bool { return false }
