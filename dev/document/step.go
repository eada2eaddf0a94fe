package document

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Step is a command of a block, with what it printed.
type Step struct {
	Line    int    // of the command in the document, from 1; of the fence for a hidden one
	Command string // for a shell; may have several lines, each but the last with a backslash
	Output  string // whole lines
}

// prompt is before a command whose output follows it.
const prompt = "$ "

// Steps returns the commands of a block: of one that begins with "$ ", each line that does so,
// with the lines below it; of one after a comment that is a command, that command.
func (b *Block) Steps() (steps []Step) {
	if command, ok := b.Note(hidden); ok {
		return []Step{{b.Line, command, b.Text}}
	}
	if !strings.HasPrefix(b.Text, prompt) {
		return nil
	}
	number, continued := b.Line, false
	for line := range strings.Lines(b.Text) {
		number++
		switch last := len(steps) - 1; {
		case continued:
			steps[last].Command += "\n" + strings.TrimRight(line, "\n")
		case strings.HasPrefix(line, prompt):
			steps = append(steps, Step{Line: number, Command: strings.TrimSpace(line[len(prompt):])})
		default:
			steps[last].Output += line
			continue
		}
		continued = strings.HasSuffix(steps[len(steps)-1].Command, `\`)
	}
	return steps
}

// Lines returns the lines of a block that is a script: each is a command, together with those that
// it continues in.
func (b *Block) Lines() (steps []Step) {
	number, continued := b.Line, false
	for line := range strings.Lines(b.Text) {
		number++
		line = strings.TrimRight(line, " \n")
		if continued {
			steps[len(steps)-1].Command += "\n" + line
		} else if line != "" && !strings.HasPrefix(line, "#") {
			steps = append(steps, Step{Line: number, Command: line})
		} else {
			continue
		}
		continued = strings.HasSuffix(line, `\`)
	}
	return steps
}

// Run runs a step of a block, and returns what it printed, or the old output to keep it.
type Run func(b *Block, s Step) (string, error)

// ErrNoCommand is the error of [Fill] for a document without commands.
var ErrNoCommand = errors.New("has no command to run")

// Fill runs all steps of a document and the lines of its blocks of sh, in order, and returns it with
// what the steps printed. Of the output
// of a block with a note "lines" only those lines are kept. It fails if any command does, and with
// ErrNoCommand if there is none.
func Fill(text string, run Run) (string, error) {
	var filled strings.Builder
	var errs []error
	at, found := 0, 0
	for _, b := range Blocks(text) {
		steps := b.Steps()
		if steps == nil && b.Lang == "sh" {
			errs = append(errs, b.runLines(run))
			continue
		}
		if steps == nil {
			continue
		}
		found++
		body, err := b.fill(steps, run)
		if err != nil {
			errs = append(errs, err)
			body = b.Text
		}
		filled.WriteString(text[at:b.start] + body)
		at = b.end
	}
	if found == 0 {
		errs = append(errs, ErrNoCommand)
	}
	return filled.String() + text[at:], errors.Join(errs...)
}

// runLines runs the commands of a block that has no outputs.
func (b *Block) runLines(run Run) error {
	for _, s := range b.Lines() {
		if _, err := run(b, s); err != nil {
			return fmt.Errorf("line %d: %s: %w", s.Line, s.Command, err)
		}
	}
	return nil
}

func (b *Block) fill(steps []Step, run Run) (string, error) {
	_, isHidden := b.Note(hidden)
	var body strings.Builder
	for _, s := range steps {
		out, err := run(b, s)
		if err == nil {
			out, err = b.Shown(out)
		}
		if err != nil {
			return "", fmt.Errorf("line %d: %s: %w", s.Line, s.Command, err)
		}
		if !isHidden {
			body.WriteString(prompt + s.Command + "\n")
		}
		body.WriteString(out)
	}
	return body.String(), nil
}

// elision stands for lines that are left out.
const elision = "…\n"

// Shown returns the part of an output that the block shows: all of it or, with a note
// "lines: /FROM/,/TO/ …", the lines from one that matches a regular expression to the next that
// matches the other, for each of the pairs in turn. Expressions have no blanks and no slashes.
// A line "…" stands for what is left out.
func (b *Block) Shown(output string) (string, error) {
	output = strings.Trim(output, "\n")
	if output != "" {
		output += "\n"
	}
	pairs, ok := b.Note("lines")
	if !ok {
		return output, nil
	}
	lines := strings.SplitAfter(output, "\n")
	var shown strings.Builder
	at := 0
	for pair := range strings.FieldsSeq(pairs) {
		from, to, err := parsePair(pair)
		if err != nil {
			return "", err
		}
		first := next(lines, at, from)
		last := next(lines, first, to)
		if last == len(lines) {
			return "", fmt.Errorf("no lines %s in the output", pair)
		}
		if first > at {
			shown.WriteString(elision)
		}
		shown.WriteString(strings.Join(lines[first:last+1], ""))
		at = last + 1
	}
	if strings.Join(lines[at:], "") != "" {
		shown.WriteString(elision)
	}
	return shown.String(), nil
}

// next returns the first line from at on that matches, or the number of lines.
func next(lines []string, at int, re *regexp.Regexp) int {
	for ; at < len(lines); at++ {
		if re.MatchString(strings.TrimRight(lines[at], "\n")) {
			break
		}
	}
	return min(at, len(lines))
}

func parsePair(pair string) (from, to *regexp.Regexp, err error) {
	parts := strings.Split(pair, "/")
	if len(parts) != 5 || parts[0] != "" || parts[2] != "," || parts[4] != "" {
		return nil, nil, fmt.Errorf("%q is not /FROM/,/TO/", pair)
	}
	if from, err = regexp.Compile(parts[1]); err == nil {
		to, err = regexp.Compile(parts[3])
	}
	return from, to, err
}

// Include replaces the text of each block with a note "file: PATH" by that of the file, which read
// returns.
func Include(text string, read func(path string) (string, error)) (string, error) {
	var filled strings.Builder
	at := 0
	for _, b := range Blocks(text) {
		path, ok := b.Note("file")
		if !ok {
			continue
		}
		body, err := read(path)
		if err != nil {
			return "", fmt.Errorf("line %d: %w", b.Line, err)
		}
		filled.WriteString(text[at:b.start] + body)
		at = b.end
	}
	return filled.String() + text[at:], nil
}
