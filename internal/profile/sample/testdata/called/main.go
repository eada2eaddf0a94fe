// Program called works in Go functions that C calls: below a goroutine, or on a thread of C's.
package main

/*
#include <pthread.h>
extern void work(void);
static void direct(void) { work(); }
static void *begin(void *none) { work(); return none; }
static void thread(void) { pthread_t t; pthread_create(&t, 0, begin, 0); pthread_join(t, 0); }
*/
import "C"

import (
	"os"
	"strconv"
	"time"
)

var sink uint64

//export work
func work() {
	n, _ := strconv.Atoi(os.Args[2])
	for end := time.Now().Add(time.Duration(n) * time.Millisecond); time.Now().Before(end); {
		spin()
	}
}

//go:noinline
func spin() {
	x := uint64(1)
	for range 100_000 {
		x ^= x << 13
		x ^= x >> 7
	}
	sink = x
}

//go:noinline
func calls() { C.direct() }

//go:noinline
func starts() { C.thread() }

func main() {
	if os.Args[1] == "thread" {
		starts()
		return
	}
	calls()
}
