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
	text, err := os.ReadFile(fs.Arg(0))
	if err != nil {
		return err
	}
	filled, err := fill(string(text), func(args []string) (string, error) {
		fmt.Fprintln(stderr, "tare", strings.Join(args, " "))
		cmd := exec.Command(*tare, args...)
		cmd.Stderr = stderr
		out, err := cmd.Output()
		return string(out), err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", fs.Arg(0), err)
	}
	return os.WriteFile(fs.Arg(0), []byte(filled), 0o666)
}

// block is a comment with a command, and the listing behind it.
var block = regexp.MustCompile("(?m)^<!-- tare (asm[^\n]*) -->\n```\n((?s:.*?))^```$")

// fill replaces all listings.
func fill(text string, tare func(args []string) (string, error)) (string, error) {
	var errs []error
	found := 0
	filled := block.ReplaceAllStringFunc(text, func(old string) string {
		found++
		command := block.FindStringSubmatch(old)[1]
		out, err := tare(words(command))
		if err == nil {
			out, err = first(out)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("tare %s: %w", command, err))
			return old
		}
		return fmt.Sprintf("<!-- tare %s -->\n```\n%s```", command, out)
	})
	if found == 0 {
		errs = append(errs, errors.New("no listing to fill"))
	}
	return filled, errors.Join(errs...)
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
