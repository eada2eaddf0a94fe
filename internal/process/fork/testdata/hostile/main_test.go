// Package hostile has the benchmarks that package fork is tested with: whatever
// people's benchmarks do to those who run them. Its test binary is built from a
// copy of this directory, so it imports the standard library alone.
package hostile

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// TestMain misbehaves as HOSTILE_MAIN says.
func TestMain(m *testing.M) {
	switch os.Getenv("HOSTILE_MAIN") {
	case "exit":
		fmt.Println("no database")
		os.Exit(4)
	case "panic":
		panic("no database")
	case "hang":
		time.Sleep(time.Hour)
	case "swallow":
		m.Run()
		os.Exit(0)
	case "late":
		m.Run()
		os.Exit(3)
	}
	code := m.Run()
	if late {
		time.Sleep(time.Second)
	}
	os.Exit(code)
}

// late keeps the process from ending before a panic is printed: testing does not
// wait for that.
var late bool

var sink uint64

// work is something that takes time and is not removed.
func work(n int) {
	x := sink | 1
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sink = x
}
