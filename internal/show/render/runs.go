package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/show/markdown"
)

// BeginRun writes what precedes each run of a file with several runs, in formats that have a place for it. name is that of
// the file with the number of the run. Go's benchmark format gets a file key, so that benchstat keeps the runs separate.
func BeginRun(w io.Writer, f Format, name string, number int) {
	name = termtext.Charset{UTF8: true}.Name(name)
	switch f {
	case Text:
		fmt.Fprintf(w, "%s\n\n", name)
	case Markdown:
		fmt.Fprintf(w, "## %s\n\n", markdown.Text(name))
	case Benchfmt:
		fmt.Fprintf(w, "run: %d\nside:\n\n", number)
	}
}

// recordKey is the key of JSON objects, and the title of the column of CSV tables, that says
// of which of several records they are.
const recordKey = "record"

// Joined writes the reports of several records to one output, in CSV and JSON with the name of
// the record in every row and object. The zero value is ready to use.
type Joined struct {
	header []string // of the last table
}

// Write writes a report that is called name. write writes it by itself.
func (j *Joined) Write(w io.Writer, f Format, name string, write func(io.Writer) error) error {
	if f != CSV && f != JSON {
		return write(w)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	if f == CSV {
		return j.table(w, name, b.Bytes())
	}
	text, err := namedObjects(b.Bytes(), name)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// table writes a table with a column for the record. A header that is that of the table before
// is left out; a table with other columns comes after an empty line.
func (j *Joined) table(w io.Writer, name string, text []byte) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 {
		return err
	}
	header := rows[0]
	if slices.Equal(header, j.header) {
		rows = rows[1:]
	} else if j.header != nil {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
	}
	out := csv.NewWriter(w)
	for i, row := range rows {
		first := termtext.Cell(name)
		if i == 0 && !slices.Equal(header, j.header) {
			first = recordKey
		}
		if err := out.Write(append([]string{first}, row...)); err != nil {
			return err
		}
	}
	j.header = header
	out.Flush()
	return out.Error()
}

// namedObjects returns JSON objects whose first key names their record.
func namedObjects(text []byte, name string) ([]byte, error) {
	var key bytes.Buffer
	if err := termtext.NewJSON(&key, "").Encode(name); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(text))
	for at := int64(0); ; {
		var object json.RawMessage
		if err := d.Decode(&object); errors.Is(err, io.EOF) {
			out.Write(text[at:])
			return out.Bytes(), nil
		} else if err != nil {
			return nil, err
		}
		begin := d.InputOffset() - int64(len(object))
		out.Write(text[at:begin])
		at = d.InputOffset()
		rest, isObject := bytes.CutPrefix(object, []byte("{"))
		if !isObject {
			out.Write(object)
			continue
		}
		space := rest[:len(rest)-len(bytes.TrimLeft(rest, " \n"))]
		fmt.Fprintf(&out, "{%s%q: %s", space, recordKey, bytes.TrimSpace(key.Bytes()))
		if !bytes.HasPrefix(rest[len(space):], []byte("}")) {
			out.WriteByte(',')
		}
		out.Write(rest)
	}
}
