// Command pack packs the files that match globs into OUT, as package packed reads it:
//
//	go run ./internal/packed/pack OUT GLOB…
package main

import (
	"fmt"
	"os"

	"github.com/tarebench/tare/internal/packed"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("want OUT GLOB…")
	}
	packed, err := packed.Pack(os.DirFS("."), args[1:]...)
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], packed, 0o666)
}
