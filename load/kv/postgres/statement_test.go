package postgres

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/load/kv"
)

func TestParseStatements(t *testing.T) {
	list, err := parseStatements(kv.Properties{
		"statement": "-- the usual\nselect 1 WHERE $1 = $1", "args": "{k}",
		"statement.BUY": "INSERT INTO t VALUES ($1, $2, $3)", "args.BUY": `{rand:10}, "a,b",{"id":{k:2}}`, "weight.BUY": "3",
		"statement.never": "DELETE FROM t", "weight.never": "0",
		"postgres.dsn": "host=x", "readproportion": "1",
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range list {
		got = append(got, s.name)
	}
	if !slices.Equal(got, []string{"SELECT", "BUY", "never"}) || list[0].weight != 1 || list[1].weight != 3 || list[2].weight != 0 {
		t.Errorf("%+v", list)
	}
	var values []string
	for i := range list[1].args {
		values = append(values, string(list[1].args[i].Append(nil, 1, 7)))
	}
	if len(values) != 3 || values[1] != "a,b" || values[2] != `{"id":1}` {
		t.Errorf("values %q", values)
	}

	for name, c := range map[string]struct {
		props kv.Properties
		want  string
	}{
		"empty":         {kv.Properties{"statement": " "}, "property statement= : want a statement of SQL"},
		"no name":       {kv.Properties{"statement.": "SELECT 1"}, "a name has letters"},
		"a part":        {kv.Properties{"statement.a/b": "SELECT 1"}, "a name has letters"},
		"twice":         {kv.Properties{"statement": "SELECT 1", "statement.select": "SELECT 2"}, "the operation select is there twice: see statement"},
		"copy":          {kv.Properties{"statement": "/* in */ copy t FROM STDIN"}, "COPY has data"},
		"begin":         {kv.Properties{"statement": "BEGIN"}, "property statement=BEGIN: it begins or ends a transaction"},
		"commit":        {kv.Properties{"statement.A": "-- now\ncommit;"}, "it begins or ends a transaction"},
		"rollback":      {kv.Properties{"statement": "ROLLBACK TO SAVEPOINT a"}, "it begins or ends a transaction"},
		"start":         {kv.Properties{"statement": "Start transaction"}, "it begins or ends a transaction"},
		"savepoint":     {kv.Properties{"statement": "SAVEPOINT a"}, "it begins or ends a transaction"},
		"release":       {kv.Properties{"statement": "RELEASE a"}, "it begins or ends a transaction"},
		"end":           {kv.Properties{"statement": "END"}, "it begins or ends a transaction"},
		"abort":         {kv.Properties{"statement": "ABORT"}, "it begins or ends a transaction"},
		"no word":       {kv.Properties{"statement": "$1"}, "does not begin with a word"},
		"args of none":  {kv.Properties{"statement.A": "SELECT 1", "args.B": "1"}, "property args.B=1: there is no statement.B"},
		"weight":        {kv.Properties{"statement.A": "SELECT 1", "weight.A": "-1"}, "property weight.A=-1: must be 0 to 1000000"},
		"no weight":     {kv.Properties{"statement.A": "SELECT 1", "weight.A": "0"}, "all weights of statements are 0"},
		"placeholder":   {kv.Properties{"statement": "SELECT $1", "args": "{rand:0}"}, "property args={rand:0}: {rand:0}: want a number"},
		"several lines": {kv.Properties{"statement": "SELECT $1", "args": "1\n2"}, "want one line of values"},
	} {
		if _, err := parseStatements(c.props); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func TestHasStatements(t *testing.T) {
	for name, want := range map[string]bool{"statement": true, "statement.A": true, "statements": false, "args": false} {
		if got := hasStatements(kv.Properties{name: "SELECT 1"}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	b := Binding()
	if x := b.For(kv.Properties{"statement": "SELECT 1"}); x.OpenTarget == nil || x.OpenDB != nil {
		t.Error("statements are no target")
	}
	if x := b.For(kv.Properties{}); x.OpenTarget != nil || x.OpenDB == nil {
		t.Error("without statements there is no store")
	}
}

func TestClassOfState(t *testing.T) {
	for code, want := range map[string]string{"23505": "constraint", "40P01": "rollback", "42601": "sql", "58030": "server", "": "server"} {
		if got := classOfState(code); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}
