package pagefile

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"html"
	"io"
)

// Doctype is how a page begins.
const Doctype = "<!DOCTYPE html>"

const (
	elementStart = `<script type="application/gzip" class="tare-record"`
	elementEnd   = `</script>`
)

// attributes are those of an element. They are read as they are written, in this order.
const attributes = ` data-name="%s" data-bytes="%d" data-sha256="%x">`

// Write writes a record as an element, on a line of its own. The name is for people. It fails if w does, and for a record
// above MaxRecord.
func Write(w io.Writer, name string, record []byte) error {
	if len(record) > MaxRecord {
		return fmt.Errorf("%s: a page holds a record of at most %d bytes, and this one has %d", name, MaxRecord, len(record))
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	z.Write(record) // to memory
	z.Close()
	_, err = fmt.Fprintf(w, "\n"+elementStart+attributes+"%s"+elementEnd+"\n",
		html.EscapeString(name), len(record), sum(record), base64.StdEncoding.EncodeToString(packed.Bytes()))
	return err
}
