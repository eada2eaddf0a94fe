// Command manpages writes the manual pages of tare, one for each verb, from the
// same texts and flags as its help:
//
//	go run ./internal/manpages man
//	man man/tare-bench.1
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra/doc"

	"github.com/tarebench/tare/internal/cli"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "manpages:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("got %d arguments, want one: the directory to write to", len(args))
	}
	if err := os.MkdirAll(args[0], 0o777); err != nil {
		return err
	}
	root := cli.Command(cli.Config{})
	root.DisableAutoGenTag = true // its date would make every page differ every day
	return doc.GenManTree(root, &doc.GenManHeader{Title: "TARE", Section: "1", Source: "tare", Manual: "tare"}, args[0])
}
