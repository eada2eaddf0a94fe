// Command tare-full is tare with what is too large for it: gRPC, Pebble, and load by agents on several machines. It measures
// Go benchmarks as interleaved forks, loads databases on a schedule, and subtracts its own weight. Run tare-full help for its
// verbs.
package main

import (
	"os"

	"github.com/tarebench/tare/full/command"
	"github.com/tarebench/tare/internal/cli"
)

func main() {
	os.Exit(cli.Main(command.Config(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
