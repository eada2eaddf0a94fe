package postgres

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/client/placeholder"
	"github.com/tarebench/tare/load/kv"
)

// Properties of statements. A name follows behind a dot; the first two also stand alone.
const (
	propStatement = "statement"
	propArgs      = "args"
	propWeight    = "weight"
)

// statement is an operation that is a statement of SQL.
type statement struct {
	property string // that has the SQL, for messages
	name     string // of the operation
	sql      string
	args     []placeholder.Template
	weight   uint64
}

// hasStatements reports whether the properties have statements.
func hasStatements(p kv.Properties) bool {
	for name := range p {
		if name == propStatement || strings.HasPrefix(name, propStatement+".") {
			return true
		}
	}
	return false
}

// operationName matches names of operations. A slash would name a part of one.
var operationName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// parseStatements reads the statements of the properties: the one without a name first, then by name. The error names all
// that is wrong.
func parseStatements(p kv.Properties) ([]statement, error) {
	g := p.Getter()
	var all []statement
	for _, property := range p.Names() {
		suffix, ok := strings.CutPrefix(property, propStatement)
		if !ok || suffix != "" && suffix[0] != '.' {
			continue
		}
		all = append(all, readStatement(g, p, property, suffix))
	}
	for _, property := range p.Names() {
		kind, name, named := strings.Cut(property, ".")
		if kind != propArgs && kind != propWeight || !named && kind == propWeight {
			continue
		}
		if of := propStatement + strings.TrimPrefix(property, kind); !g.Has(of) {
			g.Fail(property, "there is no "+of)
		} else if kind == propWeight && name == "" {
			g.Fail(property, "want the name of a statement behind the dot")
		}
	}
	var total uint64
	for i, s := range all {
		total += s.weight
		if j := slices.IndexFunc(all[:i], func(x statement) bool { return strings.EqualFold(x.name, s.name) }); j >= 0 {
			g.Fail(s.property, "the operation "+s.name+" is there twice: see "+all[j].property)
		}
	}
	if err := g.Err(); err != nil {
		return nil, err
	}
	if total == 0 {
		return nil, errors.New("all weights of statements are 0")
	}
	return all, nil
}

// readStatement reads a statement and its other properties, which have the same suffix: ".NAME" or "".
func readStatement(g *kv.Getter, p kv.Properties, property, suffix string) statement {
	s := statement{property: property, sql: g.String(property, ""), name: strings.TrimPrefix(suffix, ".")}
	word := firstWord(s.sql)
	if suffix == "" {
		s.name = word
	}
	switch {
	case s.sql == "":
		g.Fail(property, "want a statement of SQL")
	case suffix != "" && !operationName.MatchString(s.name):
		g.Fail(property, "a name has letters, digits, _, - and dots")
	case word == "":
		g.Fail(property, "does not begin with a word of SQL; give it a name: "+propStatement+".NAME=…")
	case word == "COPY":
		g.Fail(property, "COPY has data besides the statement, which are not sent")
	case controlsTransaction(word):
		g.Fail(property, "it begins or ends a transaction, and each operation is a transaction of its own")
	}
	s.weight = uint64(g.IntIn(propWeight+suffix, 1, 0, 1_000_000))
	args := propArgs + suffix
	if !g.Has(args) {
		return s
	}
	values, err := splitArgs(p[args])
	if err != nil {
		g.Fail(args, err.Error())
	}
	for _, v := range values {
		t, err := placeholder.Parse(v)
		if err != nil {
			g.Fail(args, err.Error())
		}
		s.args = append(s.args, t)
	}
	return s
}

// controlsTransaction reports whether a statement begins or ends a transaction or a part of one, by its first word in capitals:
// operations of a connection would depend on those before them.
func controlsTransaction(word string) bool {
	switch word {
	case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE":
		return true
	}
	return false
}

// firstWord returns the first word of a statement in capitals, without comments before it.
func firstWord(sql string) string {
	sql = strings.TrimLeft(sql, "( \t\r\n")
	for strings.HasPrefix(sql, "--") {
		_, sql, _ = strings.Cut(sql, "\n")
		sql = strings.TrimLeft(sql, "( \t\r\n")
	}
	for strings.HasPrefix(sql, "/*") {
		_, sql, _ = strings.Cut(sql, "*/")
		sql = strings.TrimLeft(sql, "( \t\r\n")
	}
	end := strings.IndexFunc(sql, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	if end < 0 {
		end = len(sql)
	}
	return strings.ToUpper(sql[:end])
}

// splitArgs splits values at commas, as lines of CSV are: a value with a comma is in double quotes.
func splitArgs(text string) ([]string, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.LazyQuotes, r.TrimLeadingSpace = true, true
	values, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("want values separated by commas, those with commas in double quotes: %w", err)
	}
	if more, _ := r.Read(); more != nil {
		return nil, errors.New("want one line of values")
	}
	return values, nil
}
