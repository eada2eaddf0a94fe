package scenario

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// chunkRows is the distance of rows whose offsets are kept: 8 bytes for each.
const chunkRows = 64

// A dataFile is a file of rows. Its rows stay in the file: an index has the place of every 64th.
type dataFile struct {
	name   string
	path   string
	csv    bool // else JSON lines
	random bool
	header bool
	stream uint64

	columns []string   // of CSV
	paths   []jsonPath // of JSON lines, those that are used
	names   []string   // of these

	file  *os.File
	rows  uint64
	index []int64    // where every 64th row begins, and the end
	ahead *readAhead // nil unless rows are read in sequential order
}

// dataFile reads what the file says of a data file, and the first row of that for the columns.
func (r *reader) dataFile(key, n *yaml.Node) {
	path := join("data", key.Value)
	if !captureName.MatchString(key.Value) || key.Value == "env" {
		r.add(key, path, "%q: data is named by letters, digits and _, and not env", key.Value)
	}
	d := &dataFile{name: key.Value, random: textOf(n, "order") == "random", header: textOf(n, "header") != "false", stream: r.s.streams}
	r.s.streams++
	r.s.data = append(r.s.data, d)
	f := scalarOf(n, "file")
	if f == nil {
		return
	}
	d.path = r.resolve(f.Value)
	switch ext := strings.ToLower(filepath.Ext(f.Value)); ext {
	case ".csv":
		d.csv = true
	case ".jsonl", ".ndjson":
		d.header = false
	default:
		r.add(f, join(path, "file"), "%q: want a .csv or a .jsonl file", f.Value)
		return
	}
	if r.alone {
		r.addError(f, join(path, "file"), fmt.Errorf("%w: %s", ErrFile, f.Value))
		return
	}
	r.addError(f, join(path, "file"), d.readColumns())
}

// readColumns reads the first row of a CSV file.
func (d *dataFile) readColumns() error {
	f, err := openRegular(d.path)
	if err != nil {
		return err
	}
	defer f.Close()
	if !d.csv {
		return nil
	}
	s := newRowScanner(f, d)
	row, err := s.next()
	if err != nil {
		return d.errOf(s.line, err)
	}
	fields, err := splitCSV(row, nil)
	if err != nil {
		return d.errOf(s.line, err)
	}
	for i, field := range fields {
		name := strconv.Itoa(i + 1)
		if d.header {
			name = strings.TrimSpace(string(field))
		}
		d.columns = append(d.columns, name)
	}
	return nil
}

// openRegular opens a regular file: rows are read from places within it.
func openRegular(path string) (*os.File, error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return os.Open(path)
}

func (d *dataFile) errOf(line int, err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%s has no rows", d.path)
	}
	return fmt.Errorf("%s:%d: %w", d.path, line, err)
}

// column returns the place of a column in the rows that are read.
func (d *dataFile) column(name string) (int, error) {
	known := d.columns
	if !d.csv {
		for i, n := range d.names {
			if n == name {
				return i, nil
			}
		}
		p, err := parseJSONPath(name)
		if err != nil {
			return 0, fmt.Errorf("${%s.%s}: %w", d.name, name, err)
		}
		d.names, d.paths = append(d.names, name), append(d.paths, p)
		return len(d.paths) - 1, nil
	}
	for i, c := range known {
		if c == name {
			return i, nil
		}
	}
	if known == nil {
		return 0, nil // the file could not be read, which was reported
	}
	return 0, fmt.Errorf("${%s.%s}: %s has no such column%s; it has %s", d.name, name, d.path, didYouMean(name, known), strings.Join(known, ", "))
}

// open makes the index. It reads the whole file once and checks each row.
func (d *dataFile) open() (err error) {
	if d.file, err = openRegular(d.path); err != nil {
		return err
	}
	s := newRowScanner(d.file, d)
	var b rowBuffer
	if d.header {
		if _, err := s.next(); err != nil {
			return d.errOf(s.line, err)
		}
	}
	for {
		at := s.at
		row, err := s.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			_, err = d.split(row, &b)
		}
		if err != nil {
			return d.errOf(s.line, err)
		}
		if d.rows%chunkRows == 0 {
			d.index = append(d.index, at)
		}
		d.rows++
	}
	if d.rows == 0 {
		return d.errOf(0, io.EOF)
	}
	d.index = append(d.index, s.at)
	if !d.random {
		d.ahead = newReadAhead(d)
	}
	return nil
}

func (d *dataFile) close() {
	if d.ahead != nil {
		d.ahead.close()
	}
	if d.file != nil {
		d.file.Close()
	}
}

// split returns the values of a row: all fields of CSV, of JSON lines those that are used.
func (d *dataFile) split(row []byte, b *rowBuffer) ([][]byte, error) {
	b.fields = b.fields[:0]
	if d.csv {
		var err error
		if b.fields, err = splitCSV(row, b.fields); err != nil {
			return nil, err
		}
		if n := len(b.fields); n != len(d.columns) {
			return nil, fmt.Errorf("%d fields, and %d in the first row", n, len(d.columns))
		}
		return b.fields, nil
	}
	b.text = b.text[:0]
	for i, p := range d.paths {
		value, err := p.find(row)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.names[i], err)
		}
		from := len(b.text)
		b.text = appendJSONText(b.text, value)
		b.fields = append(b.fields, b.text[from:len(b.text):len(b.text)])
	}
	return b.fields, nil
}

// A rowScanner reads rows from the beginning, without those that are empty.
type rowScanner struct {
	r      *bufio.Reader
	csv    bool
	at     int64 // where the next row begins
	line   int   // of the row at hand, from 1
	follow int
	buf    []byte
}

var utf8Mark = []byte("\ufeff")

func newRowScanner(f io.ReaderAt, d *dataFile) *rowScanner {
	s := &rowScanner{r: bufio.NewReaderSize(io.NewSectionReader(f, 0, 1<<62), 1<<18), csv: d.csv, follow: 1}
	if mark, _ := s.r.Peek(len(utf8Mark)); bytes.Equal(mark, utf8Mark) {
		s.r.Discard(len(utf8Mark))
		s.at = int64(len(utf8Mark))
	}
	return s
}

// next returns the next row without its line break, valid until the next call. It skips empty rows.
func (s *rowScanner) next() ([]byte, error) {
	for {
		s.buf = s.buf[:0]
		s.line = s.follow
		for quotes := 0; ; {
			part, err := s.r.ReadSlice('\n')
			s.buf = append(s.buf, part...)
			s.at += int64(len(part))
			if len(s.buf) > maxRow {
				return nil, fmt.Errorf("a row is longer than %d bytes", maxRow)
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				quotes += bytes.Count(part, []byte{'"'})
				continue
			}
			if err != nil && (!errors.Is(err, io.EOF) || len(s.buf) == 0) {
				return nil, err
			}
			s.follow++
			if s.csv {
				quotes += bytes.Count(part, []byte{'"'})
			}
			if err != nil || !s.csv || quotes%2 == 0 {
				break
			}
		}
		if row := trimRow(s.buf); len(row) > 0 {
			return row, nil
		}
	}
}

// A rowBuffer is what a worker needs to read rows of one file.
type rowBuffer struct {
	raw    []byte
	row    []byte
	text   []byte
	fields [][]byte
}

// errChanged is the error of a file that another program changed while it was read.
var errChanged = errors.New("the file changed during the run")

// values returns the row of operation k, valid until the next call with the same buffer.
func (d *dataFile) values(seed, k uint64, b *rowBuffer) ([][]byte, error) {
	n := k % d.rows
	if d.random {
		n = draw(seed, d.stream, k) % d.rows
	}
	if d.ahead != nil {
		row, err := d.ahead.row(n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.path, err)
		}
		b.row = append(b.row[:0], row...)
	} else if err := d.seek(n, b); err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	fields, err := d.split(b.row, b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, errors.Join(errChanged, err))
	}
	return fields, nil
}

// seek reads a row by the index.
func (d *dataFile) seek(n uint64, b *rowBuffer) (err error) {
	if b.raw, err = d.chunks(n/chunkRows, 1, b.raw); err != nil {
		return err
	}
	rest := b.raw
	for i := n % chunkRows; ; {
		var row []byte
		if row, rest = nextRow(rest, d.csv); len(row) == 0 {
			return errChanged
		}
		if row = trimRow(row); len(row) == 0 {
			continue
		}
		if i == 0 {
			b.row = append(b.row[:0], row...)
			return nil
		}
		i--
	}
}

// chunks reads n chunks from one on, or those that there are.
func (d *dataFile) chunks(from, n uint64, dst []byte) ([]byte, error) {
	to := min(from+n, uint64(len(d.index)-1))
	size := int(d.index[to] - d.index[from])
	if cap(dst) < size {
		dst = make([]byte, size)
	}
	dst = dst[:size]
	if _, err := d.file.ReadAt(dst, d.index[from]); err != nil {
		if errors.Is(err, io.EOF) {
			err = errChanged
		}
		return dst, err
	}
	return dst, nil
}
