// Command docs writes what is not written by hand of tare's documents.
//
//	go -C dev run ./docs man DIR     the manual pages, one for each verb
//	go -C dev run ./docs help        the help texts in docs/verbs
//	go -C dev run ./docs run FILE…   all outputs in these documents: it runs their commands again
//	go -C dev run ./docs new FILE…   outputs that are missing: it leaves blocks alone that show one
//
// docs/warnings.md is printed from the table of warnings by the test of this package, with -update.
//
// The test of this package runs all commands of the documents, in short, and fails if a help text
// in docs/verbs is stale.
//
// # Commands in documents
//
// A block that begins with "$ " is a session: each line that begins so is a command, and what it
// printed on stdout follows it. A block of sh is a list of commands without outputs. Commands of
// one document run in order, each where the last one left off. A command that fails ends the run
// unless it is followed by "; echo …".
//
// Comments in the lines before a block say more about it:
//
//	<!-- check: REGEXP -->         matches what the block shows, and what its commands print in the test
//	<!-- lines: /FROM/,/TO/ … -->  only these lines of the outputs are shown, see package document
//	<!-- long: WHY -->             the test runs it only with TARE_SOAK=1
//	<!-- parsed: WHY -->           it is not run; the test checks that its flags exist
//	<!-- needs: PROGRAM -->        the test skips it where this program is missing
//	<!-- in: recent -->            it runs in a copy of examples/recent, a git repository
//	<!-- file: PATH -->            the block is this file of the repository
//
// README.md runs in the repository, docs/tutorial.md, docs/load.md and docs/cluster.md beside it, all others in that copy.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/dev/repository"
)

func main() {
	if err := start(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// start runs in the repository's root.
func start(args []string) error {
	if err := repository.Enter(); err != nil {
		return err
	}
	return run(args)
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("say what to write: man DIR, help, run FILE…, or new FILE…")
	}
	switch what, args := args[0], args[1:]; {
	case what == "man" && len(args) == 1:
		return writeMan(args[0])
	case what == "help" && len(args) == 0:
		return writePages(filepath.Join("docs", "verbs"))
	case (what == "run" || what == "new") && len(args) > 0:
		return fillDocuments(args, what == "new", os.Stderr)
	}
	return fmt.Errorf("%q is none of: man DIR, help, run FILE…, new FILE…", args)
}
