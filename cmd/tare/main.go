// Command tare measures Go benchmarks as interleaved forks, and subtracts its
// own weight. Run tare help for its verbs.
package main

import (
	"os"

	"github.com/tarebench/tare/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
