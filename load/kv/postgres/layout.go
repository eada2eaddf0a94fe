package postgres

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tarebench/tare/load/kv"
)

// layout is the form of records in a table. Its methods return the text of
// statements, which contain names of tables and columns, never values.
type layout struct {
	table string   // quoted
	names []string // of fields, by number
	jsonb bool
}

// key is the column of the key.
const key = "ycsb_key"

func (l *layout) create() string {
	columns := []string{key + ` text COLLATE "C" PRIMARY KEY`}
	if l.jsonb {
		columns = append(columns, "data jsonb NOT NULL")
	} else {
		for _, n := range l.names {
			columns = append(columns, quote(n)+" bytea")
		}
	}
	return fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s (%s)", l.table, strings.Join(columns, ", "))
}

// selected returns the columns for reading fields; nil means all fields.
func (l *layout) selected(fields []int) string {
	if l.jsonb && fields == nil {
		return "data"
	}
	if fields == nil {
		fields = l.all()
	}
	columns := make([]string, len(fields))
	for i, f := range fields {
		columns[i] = quote(l.names[f])
		if l.jsonb {
			columns[i] = "data->>" + literal(l.names[f])
		}
	}
	if len(columns) == 0 {
		return "NULL"
	}
	return strings.Join(columns, ", ")
}

// literal returns a text as an SQL literal, for any standard_conforming_strings.
func literal(text string) string {
	quoted := strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `'`, `''`)
	return ` E'` + quoted + `'`
}

func (l *layout) all() []int {
	all := make([]int, len(l.names))
	for i := range all {
		all[i] = i
	}
	return all
}

func (l *layout) read(fields []int) string {
	return fmt.Sprintf("SELECT %s FROM %s WHERE %s = $1", l.selected(fields), l.table, key)
}

func (l *layout) scan(fields []int) string {
	return fmt.Sprintf(`SELECT %s, %s FROM %s WHERE %[1]s >= $1 ORDER BY %[1]s COLLATE "C" LIMIT $2`,
		key, l.selected(fields), l.table)
}

func (l *layout) update(fields []int) string {
	set := "data = data || $2::jsonb"
	if !l.jsonb {
		parts := make([]string, len(fields))
		for i, f := range fields {
			parts[i] = quote(l.names[f]) + " = $" + strconv.Itoa(i+2)
		}
		set = strings.Join(parts, ", ")
	}
	return fmt.Sprintf("UPDATE %s SET %s WHERE %s = $1", l.table, set, key)
}

// insert writes all columns, so that nothing of an older record remains.
func (l *layout) insert() string {
	columns, values, set := []string{key}, []string{"$1"}, []string{key + " = EXCLUDED." + key}
	if l.jsonb {
		columns, values, set = append(columns, "data"), append(values, "$2::jsonb"), []string{"data = EXCLUDED.data"}
	} else if len(l.names) > 0 {
		set = nil
		for i, n := range l.names {
			columns = append(columns, quote(n))
			values = append(values, "$"+strconv.Itoa(i+2))
			set = append(set, quote(n)+" = EXCLUDED."+quote(n))
		}
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s) ON CONFLICT (%s) DO UPDATE SET %s",
		l.table, strings.Join(columns, ", "), strings.Join(values, ", "), key, strings.Join(set, ", "))
}

func (l *layout) delete() string {
	return fmt.Sprintf("DELETE FROM %s WHERE %s = $1", l.table, key)
}

// check returns an error for a field that the table has no column for.
func (l *layout) check(field int) error {
	if field >= 0 && field < len(l.names) {
		return nil
	}
	return fmt.Errorf("field %d: the table was opened with %d fields: %w", field, len(l.names), kv.ErrUnsupported)
}
