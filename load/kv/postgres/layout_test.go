package postgres

import "testing"

// TestStatements fixes the statements, in which no value stands.
func TestStatements(t *testing.T) {
	columns := layout{table: quote("usertable"), names: []string{"field0", `odd"name`}}
	jsonb := layout{table: quote(`us"er`), names: []string{"field0", `it's\`}, jsonb: true}
	for _, c := range []struct{ got, want string }{
		{columns.create(), `CREATE TABLE IF NOT EXISTS "usertable" (ycsb_key text COLLATE "C" PRIMARY KEY, "field0" bytea, "odd""name" bytea)`},
		{columns.read(nil), `SELECT "field0", "odd""name" FROM "usertable" WHERE ycsb_key = $1`},
		{columns.read([]int{1}), `SELECT "odd""name" FROM "usertable" WHERE ycsb_key = $1`},
		{columns.read([]int{}), `SELECT NULL FROM "usertable" WHERE ycsb_key = $1`},
		{columns.scan([]int{0}), `SELECT ycsb_key, "field0" FROM "usertable" WHERE ycsb_key >= $1 ORDER BY ycsb_key COLLATE "C" LIMIT $2`},
		{columns.update([]int{1, 0}), `UPDATE "usertable" SET "odd""name" = $2, "field0" = $3 WHERE ycsb_key = $1`},
		{columns.insert(), `INSERT INTO "usertable" (ycsb_key, "field0", "odd""name") VALUES ($1, $2, $3) ON CONFLICT (ycsb_key) DO UPDATE SET "field0" = EXCLUDED."field0", "odd""name" = EXCLUDED."odd""name"`},
		{columns.delete(), `DELETE FROM "usertable" WHERE ycsb_key = $1`},
		{jsonb.create(), `CREATE TABLE IF NOT EXISTS "us""er" (ycsb_key text COLLATE "C" PRIMARY KEY, data jsonb NOT NULL)`},
		{jsonb.read(nil), `SELECT data FROM "us""er" WHERE ycsb_key = $1`},
		{jsonb.read([]int{1}), `SELECT data->> E'it''s\\' FROM "us""er" WHERE ycsb_key = $1`},
		{jsonb.update(nil), `UPDATE "us""er" SET data = data || $2::jsonb WHERE ycsb_key = $1`},
		{jsonb.insert(), `INSERT INTO "us""er" (ycsb_key, data) VALUES ($1, $2::jsonb) ON CONFLICT (ycsb_key) DO UPDATE SET data = EXCLUDED.data`},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
}

func TestClassOfCode(t *testing.T) {
	for code, want := range map[string]string{
		"57P03": "refused", "53300": "refused", "57P01": "reset", "08006": "reset", "57014": "timeout", "42P01": "server", "22021": "server",
	} {
		if got := classOfCode(code); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}
