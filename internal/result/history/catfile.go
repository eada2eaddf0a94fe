package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/git"
)

// Read reads the objects of entries with one git process. A damaged object ends that process; then another goes on behind it.
func (s *Ref) Read(ctx context.Context, files []File, keep func(Key) bool, each func(File, *Entry)) ([]Damage, error) {
	d := newDecoder(keep, each)
	var err error
	for rest := files; len(rest) > 0 && err == nil; {
		var came int
		var why error
		came, why = s.catFiles(ctx, rest, d)
		if rest = rest[came:]; len(rest) == 0 {
			break
		}
		switch {
		case ctx.Err() != nil:
			err = ctx.Err()
		case why == nil:
			err = fmt.Errorf("git cat-file delivered %d of %d entries", came, len(files))
		default:
			d.lose(rest[0], why.Error())
			rest = rest[1:]
		}
	}
	return d.close(), err
}

// catFiles reads objects until one is damaged. It returns how many of them it has dealt with, and why it stopped before the
// next.
func (s *Ref) catFiles(ctx context.Context, files []File, d *decoder) (came int, why error) {
	var names strings.Builder
	for _, f := range files {
		names.WriteString(f.blob + "\n")
	}
	cmd := git.Call{Dir: s.dir, Args: []string{"cat-file", "--batch", "--buffer"}, Stdin: strings.NewReader(names.String())}.Command(ctx)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	in := bufio.NewReaderSize(pipe, 1<<16)
	for ; came < len(files); came++ {
		content, err := readObject(in)
		if lost := (*objectError)(nil); errors.As(err, &lost) {
			d.lose(files[came], lost.why)
			continue
		}
		if err != nil {
			why = err
			break
		}
		d.todo <- encoded{files[came], content}
	}
	io.Copy(io.Discard, in) // so that git can end
	if err := cmd.Wait(); err != nil && why != nil {
		if line := git.LastLine(stderr.String()); line != "" {
			why = errors.New(line)
		}
	}
	return came, why
}

// objectError is about one object, behind which others come.
type objectError struct{ why string }

func (e *objectError) Error() string { return e.why }

// readObject reads an object as git cat-file --batch prints it.
func readObject(in *bufio.Reader) ([]byte, error) {
	head, err := in.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("its object cannot be read: %w", err)
	}
	fields := strings.Fields(head)
	if len(fields) == 2 { // SHA missing
		return nil, &objectError{"its object is " + fields[1]}
	}
	if len(fields) != 3 {
		return nil, fmt.Errorf("git cat-file printed %q", head)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("git cat-file printed %q", head)
	}
	if size > MaxEntry || fields[1] != "blob" {
		if _, err := io.CopyN(io.Discard, in, size+1); err != nil {
			return nil, err
		}
		return nil, &objectError{fmt.Sprintf("is a %s of %d bytes", fields[1], size)}
	}
	content := make([]byte, size)
	if _, err := io.ReadFull(in, content); err != nil {
		return nil, fmt.Errorf("its object is cut off: %w", err)
	}
	_, err = in.Discard(1)
	return content, err
}
