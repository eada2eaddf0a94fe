// Command subject uses what its arguments say.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

var last *[64]byte

func main() {
	if v := os.Getenv("TARE_TOTALS"); v != "" {
		fmt.Println("it sees", v)
	}
	switch args := os.Args[2:]; os.Args[1] {
	case "objects":
		debug.SetGCPercent(-1)
		for range number(args[0]) {
			last = new([64]byte)
		}
		if len(args) > 1 {
			end(args[1])
		}
	case "collect":
		for range number(args[0]) {
			runtime.GC()
		}
	case "child":
		if err := exec.Command(os.Args[0], "objects", "1000000").Run(); err != nil {
			panic(err)
		}
	case "burn":
		var done sync.WaitGroup
		done.Add(len(args))
		for _, a := range args {
			go func() {
				runtime.LockOSThread() // until the program ends
				burn(time.Duration(number(a)) * time.Millisecond)
				done.Done()
				select {}
			}()
		}
		done.Wait()
	}
}

func end(how string) {
	switch how {
	case "exit0":
		os.Exit(0)
	case "exit3":
		os.Exit(3)
	case "panic":
		panic("on purpose")
	case "kill", "term":
		syscall.Kill(os.Getpid(), map[string]syscall.Signal{"kill": syscall.SIGKILL, "term": syscall.SIGTERM}[how])
		select {}
	}
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// burn uses CPU time of its thread.
func burn(d time.Duration) {
	for used() < d {
	}
}

func used() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		panic(err)
	}
	return time.Duration(ts.Nano())
}
