package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"syscall"
)

// signals has others send as many signals to the process as they can, whichever thread gets
// them, while it works for so long (2).
func signals() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1, syscall.SIGCHLD)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for more := true; more; {
			syscall.Kill(os.Getpid(), syscall.SIGUSR1)
			select {
			case <-stop:
				more = false
			case <-c:
			default:
			}
		}
	})
	wg.Go(func() {
		for more := true; more; {
			if err := exec.Command(os.Args[0], "quick").Run(); err != nil {
				panic(err)
			}
			select {
			case <-stop:
				more = false
			default:
			}
		}
	})
	burn(ms(2))
	close(stop)
	wg.Wait()
	fmt.Println("done")
}

// profiles takes CPU profiles of itself, one after the other, each for so long (2), and prints how
// many samples there are in them.
func profiles() {
	runtime.SetCPUProfileRate(0) // there is none
	for range 3 {
		var b bytes.Buffer
		if err := pprof.StartCPUProfile(&b); err != nil {
			panic(err)
		}
		burn(ms(2))
		pprof.StopCPUProfile()
		z, err := gzip.NewReader(&b)
		if err != nil {
			panic(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			panic(err)
		}
		fmt.Println("seen:", bytes.Contains(text, []byte("main.burn")))
	}
	fmt.Println("done")
}

// environment prints what of it begins so (2), its own and that of a child, and the maps of files
// whose name has that word (3).
func environment() {
	for _, e := range os.Environ() {
		if strings.HasPrefix(e, os.Args[2]) {
			fmt.Println(e)
		}
	}
	maps, _ := os.ReadFile("/proc/self/maps")
	for line := range strings.Lines(string(maps)) {
		if strings.Contains(line, os.Args[3]) {
			fmt.Print("map ", line)
		}
	}
	if len(os.Args) > 4 {
		cmd := exec.Command(os.Args[0], os.Args[1:4]...)
		cmd.Stdout = os.Stdout
		if err := cmd.Run(); err != nil {
			panic(err)
		}
	}
}
