//go:build !unix

package fork

import (
	"os"
	"time"
)

// readNow reads what is available. It waits 20 ms at most.
func readNow(f *os.File, b []byte) (n int, err error) {
	f.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	return f.Read(b)
}
