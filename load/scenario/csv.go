package scenario

import (
	"bytes"
	"errors"
)

// maxRow limits a row of a data file, in bytes.
const maxRow = 1 << 20

// nextRow cuts the first row off, with its line break. In a CSV file a line break between quotes is part of the
// row.
func nextRow(data []byte, csv bool) (row, rest []byte) {
	end, quotes := 0, 0
	for {
		i := bytes.IndexByte(data[end:], '\n')
		if i < 0 {
			return data, nil
		}
		line := data[end : end+i+1]
		end += i + 1
		if csv {
			quotes += bytes.Count(line, []byte{'"'})
		}
		if quotes%2 == 0 {
			return data[:end], data[end:]
		}
	}
}

// trimRow removes the line break of a row.
func trimRow(row []byte) []byte {
	row = bytes.TrimSuffix(row, []byte{'\n'})
	return bytes.TrimSuffix(row, []byte{'\r'})
}

var (
	errOpenQuote = errors.New("a quote is not closed")
	errBareQuote = errors.New(`a quote within a field: write "a ""b"" c"`)
)

// splitCSV appends the fields of a row (RFC 4180). It removes quotes in place.
func splitCSV(row []byte, fields [][]byte) ([][]byte, error) {
	for {
		if len(row) == 0 || row[0] != '"' {
			field, rest, more := bytes.Cut(row, []byte{','})
			if bytes.IndexByte(field, '"') >= 0 {
				return fields, errBareQuote
			}
			if fields = append(fields, field); !more {
				return fields, nil
			}
			row = rest
			continue
		}
		field, n := row[:0], 1
		for ; ; n++ {
			if n == len(row) {
				return fields, errOpenQuote
			}
			if row[n] == '"' {
				if n++; n == len(row) || row[n] != '"' {
					break
				}
			}
			field = append(field, row[n])
		}
		fields = append(fields, field)
		if n == len(row) {
			return fields, nil
		}
		if row[n] != ',' {
			return fields, errBareQuote
		}
		row = row[n+1:]
	}
}
