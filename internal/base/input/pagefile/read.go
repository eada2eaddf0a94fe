package pagefile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// MaxRecord is the length in bytes of the longest record that a page has. It is read into memory.
const MaxRecord = 128 << 20

// maxTag is the length in bytes of the longest start tag that is read.
const maxTag = 16 << 10

var (
	errNoRecord = errors.New("no record is in this page: it is none of tare, or was saved without its data")
	errEdited   = errors.New("the record in the page is not the one that tare wrote: the page was edited or cut off")
)

// IsPage reports whether a file begins as an HTML page. It reads nothing beyond the beginning, which stays in in.
func IsPage(in *bufio.Reader) bool {
	head, _ := in.Peek(64)
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	head = bytes.ToLower(bytes.TrimLeft(head, " \t\r\n"))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// NewReader returns a reader of the records of a page, one after the other. It returns nothing of a record that is not the
// one that was written, and fails.
func NewReader(in *bufio.Reader) io.Reader {
	return &reader{in: bufio.NewReaderSize(in, maxTag)}
}

type reader struct {
	in    *bufio.Reader
	now   bytes.Reader // what is left of a record
	found bool
	err   error
}

// Read implements [io.Reader].
func (r *reader) Read(p []byte) (int, error) {
	for r.now.Len() == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.next()
	}
	return r.now.Read(p)
}

// next finds the next record. At the end of the page r.err is io.EOF.
func (r *reader) next() {
	for r.err == nil {
		if start, _ := r.in.Peek(len(elementStart)); string(start) == elementStart {
			r.take()
			return
		}
		_, err := r.in.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) { // the rest of a long line
			_, err = r.in.ReadSlice('\n')
		}
		switch {
		case err == nil:
		case err != io.EOF:
			r.err = err
		case !r.found:
			r.err = errNoRecord
		default:
			r.err = io.EOF
		}
	}
}

var tag = regexp.MustCompile(`^` + regexp.QuoteMeta(elementStart) + ` data-name="[^"<>]*" data-bytes="([0-9]{1,10})" data-sha256="([0-9a-f]{64})">`)

// take reads the record whose element follows, and checks it.
func (r *reader) take() {
	text, _ := r.in.Peek(maxTag)
	m := tag.FindSubmatch(text)
	if m == nil {
		r.err = errEdited
		return
	}
	length, _ := strconv.ParseInt(string(m[1]), 10, 64)
	if length > MaxRecord {
		r.err = fmt.Errorf("the record in the page has %d bytes: the limit is %d", length, MaxRecord)
		return
	}
	want := string(m[2])
	r.in.Discard(len(m[0])) // it was peeked at
	record, err := unpack(text64{r.in}, length)
	if err != nil || int64(len(record)) != length || hex.EncodeToString(sum(record)) != want {
		r.err = errEdited
		return
	}
	r.found = true
	r.now.Reset(record)
}

// unpack returns a record of so many bytes, or of one more if it is longer.
func unpack(text io.Reader, length int64) ([]byte, error) {
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, length+1))
}

func sum(record []byte) []byte {
	s := sha256.Sum256(record)
	return s[:]
}

// text64 reads the text of an element, which ends before the next tag or line.
type text64 struct{ in *bufio.Reader }

// Read implements [io.Reader].
func (t text64) Read(p []byte) (int, error) {
	if _, err := t.in.Peek(1); err != nil {
		return 0, err
	}
	text, _ := t.in.Peek(min(len(p), t.in.Buffered()))
	if i := bytes.IndexAny(text, "<\n"); i >= 0 {
		text = text[:i]
	}
	if len(text) == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	n := copy(p, text)
	t.in.Discard(n)
	return n, nil
}
