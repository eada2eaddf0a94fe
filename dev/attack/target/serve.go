//go:build linux

package target

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Serve is a worker's side: it runs each command line that it reads from standard input,
// and replies on descriptor 3. It returns when there are no more.
func Serve(main Main) error {
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: 6 << 30, Max: 6 << 30}); err != nil {
		return err
	}
	in, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.NewFile(3, "replies"))
	unix.CloseOnExec(3)
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return nil
		}
		var r request
		if err == nil {
			err = json.Unmarshal([]byte(line), &r)
		}
		if err != nil {
			return err
		}
		if err := out.Encode(once(main, r.Args)); err != nil {
			return err
		}
	}
}

// once is Once with the peak of the process, which is brought down before where earlier command lines left much.
func once(main Main, args []string) Outcome {
	if status("VmRSS:") > MaxMemory/2 {
		debug.FreeOSMemory()
	}
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // resets VmHWM; where it cannot, the peak is that of all so far
	o := Once(main, args)
	o.Peak = status("VmHWM:")
	return o
}

// status reads a size of /proc/self/status in bytes, 0 if it is not there.
func status(key string) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), key)
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(fields[0], 10, 64)
	return kib << 10
}
