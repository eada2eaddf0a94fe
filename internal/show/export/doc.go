// Package export writes results for other programs: CSV for spreadsheets, Go's benchmark
// format, the JSON of JMH, and what YCSB prints. Figures are never rounded.
package export

import "github.com/tarebench/tare/internal/base/termtext"

// charset makes names printable: every format here is UTF-8.
var charset = termtext.Charset{UTF8: true}
