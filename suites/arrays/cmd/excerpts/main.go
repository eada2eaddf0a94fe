// Command excerpts fills the listings in a README with what tare asm prints now:
//
//	go run ./cmd/excerpts -tare ../../tare README.md
//
// It runs the command of each comment like this one, and puts the first region, or the
// first function, of what it prints into the block behind it:
//
//	<!-- tare asm --bench 'op=fill/type=byte$' --func 'fillByte$' . -->
//	```
//	```
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/tarebench/tare/dev/document"
)

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "excerpts:", err)
		os.Exit(1)
	}
}

func run(args []string, stderr io.Writer) error {
	fs := flag.NewFlagSet("excerpts", flag.ContinueOnError)
	fs.SetOutput(stderr)
	tare := fs.String("tare", "tare", "`path` of the command")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return fmt.Errorf("want one file, got %d", fs.NArg())
	}
	return document.Update(fs.Arg(0), func(text string) (string, error) {
		return document.Fill(text, func(_ *document.Block, s document.Step) (string, error) {
			fmt.Fprintln(stderr, s.Command)
			return listing(*tare, s.Command, stderr)
		})
	})
}

// listing runs a command line, which begins with the word tare, and returns the first listing of
// what it prints.
func listing(tare, line string, stderr io.Writer) (string, error) {
	cmd := exec.Command(tare, words(line)[1:]...)
	cmd.Stderr = stderr
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	return first(string(out))
}

// words splits a command at blanks outside of single quotes, and drops the quotes.
func words(command string) []string {
	var all []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

// heads are the first lines of listings, and of what follows the last one.
var heads = regexp.MustCompile(`^((region|function) \d+ · |the code of \d+ regions? |warning: )`)

// first returns the first region with code, or the first function, of what tare asm printed.
func first(out string) (string, error) {
	var listing strings.Builder
	for line := range strings.Lines(out) {
		switch {
		case heads.MatchString(line):
			if strings.Count(listing.String(), "\n") > 2 {
				return strings.TrimRight(listing.String(), "\n") + "\n", nil
			}
			listing.Reset() // the one before was a line without code
			if strings.HasPrefix(line, "region ") || strings.HasPrefix(line, "function ") {
				listing.WriteString(line)
			}
		case listing.Len() > 0:
			listing.WriteString(line)
		}
	}
	if strings.Count(listing.String(), "\n") <= 2 {
		return "", errors.New("it printed no code")
	}
	return strings.TrimRight(listing.String(), "\n") + "\n", nil
}
