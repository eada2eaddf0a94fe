package main

import (
	"fmt"
	"time"

	"example.com/m"
)

func main() {
	s := 0
	for start := time.Now(); time.Since(start) < 300*time.Millisecond; {
		s += m.Sum(1000)
	}
	fmt.Println(s != 0)
}
