// Program watched does what its arguments say, so that tests know the true profile.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

func main() {
	do := map[string]func(){
		"calls": calls, "burn": func() { burn(ms(2)) }, "many": many, "reasons": reasons, "deadlock": deadlock, "exit": exit,
		"kill": kill, "close": closeAll, "panic": func() { calls(); panic("on purpose") }, "quick": func() {}, "goexit": goexit,
		"saturate": saturate, "deep": func() { deep(300) }, "deeper": func() { deep(800) }, "beats": beats, "turns": turns, "parent": parent, "work": work, "churn": churn,
		"signals": signals, "profiles": profiles, "environment": environment,
	}
	f := do[os.Args[1]]
	if f == nil {
		fmt.Println("there is no", os.Args[1])
		os.Exit(2)
	}
	f()
}

// ms is an argument in milliseconds.
func ms(i int) time.Duration {
	n, err := strconv.Atoi(os.Args[i])
	if err != nil {
		panic(err)
	}
	return time.Duration(n) * time.Millisecond
}

//go:noinline
func sleepLong() { time.Sleep(200 * time.Millisecond) }

//go:noinline
func sleepShort() { time.Sleep(time.Millisecond) }

func calls() {
	sleepLong()
	sleepShort()
	sleepLong()
}

var sink uint64

//go:noinline
func burn(d time.Duration) {
	x := uint64(1)
	for end := time.Now().Add(d); time.Now().Before(end); {
		x = spin(x)
	}
	sink = x
}

//go:noinline
func spin(x uint64) uint64 {
	for range 100_000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// many has so many goroutines that wait, and works for so long.
func many() {
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	ch := make(chan int)
	for range n {
		go waiter(ch)
	}
	burn(ms(3))
	close(ch)
}

// work has so many goroutines that wait, and one that does so much work.
func work() {
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	much, err := strconv.Atoi(os.Args[3])
	if err != nil {
		panic(err)
	}
	ch := make(chan int)
	for range n {
		go waiter(ch)
	}
	x := uint64(1)
	for range much {
		x = spin(x)
	}
	sink = x
}

//go:noinline
func waiter(ch chan int) { <-ch }

// reasons has one goroutine for each of some reasons to wait.
func reasons() {
	ch := make(chan int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	mu.Lock()
	wg.Add(1)
	go receives(ch)
	go func() { locks(&mu) }()
	go func() { waits(&wg) }()
	go selects(make(chan int))
	go reads()
	time.Sleep(ms(2))
}

//go:noinline
func receives(ch chan int) { <-ch }

//go:noinline
func locks(mu *sync.Mutex) { mu.Lock() }

//go:noinline
func waits(wg *sync.WaitGroup) { wg.Wait() }

//go:noinline
func selects(ch chan int) {
	select {
	case <-ch:
	case ch <- 1:
	}
}

// reads is in a system call that does not end.
func reads() {
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		panic(err)
	}
	syscall.Read(p[0], make([]byte, 1))
}

func deadlock() {
	sleepLong()
	<-make(chan int)
}

func exit() {
	sleepLong()
	os.Exit(3)
}

func kill() {
	sleepLong()
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

// closeAll closes what it has not opened, and writes to what it opens then.
func closeAll() {
	for fd := 3; fd < 100; fd++ {
		syscall.Close(fd)
	}
	f, err := os.Create(os.Args[2])
	if err != nil {
		panic(err)
	}
	sleepLong()
	fmt.Fprint(f, "mine")
	f.Close()
}

func goexit() {
	go func() { sleepLong(); os.Exit(0) }()
	runtime.Goexit()
}

// saturate has twice as many goroutines that work as can run.
func saturate() {
	var wg sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		wg.Go(func() { burn(ms(2)) })
	}
	wg.Wait()
}

// parent works for a while (2), and has another process work for longer (3), before it. It prints how
// much CPU time that used, ns.
func parent() {
	cmd := exec.Command(os.Args[0], "burn", os.Args[3])
	if err := cmd.Run(); err != nil {
		panic(err)
	}
	burn(ms(2))
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		panic(err)
	}
	fmt.Println(used.Utime.Nano() + used.Stime.Nano())
}

// deep sleeps at the end of a long chain of calls.
//
//go:noinline
func deep(n int) {
	if n > 0 {
		deep(n - 1)
		return
	}
	sleepLong()
}
