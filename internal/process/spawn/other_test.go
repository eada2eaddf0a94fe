//go:build !unix

package spawn

import (
	"fmt"
	"os"
)

func die(string) int {
	p, _ := os.FindProcess(os.Getpid())
	p.Kill()
	return 0
}

func playUnix(role string, _ []string) int {
	fmt.Println("no such role:", role)
	return 1
}
