// Package postgres puts PostgreSQL under load.
//
// # Recipe
//
//	tare load --workload a --db postgres -p postgres.dsn=postgres://me:secret@127.0.0.1/bench --rate 2000 --duration 30s
//	tare load --workload f --db postgres://127.0.0.1/bench -p postgres.layout=jsonb
//
//	tare load --db postgres://127.0.0.1/shop -p statement='SELECT name FROM item WHERE id = $1' -p args='{rand:1000}' --rate 500
//
// In a program, [Open] gives a [kv.DB] for a workload such as
// [github.com/tarebench/tare/load/ycsb].
//
// # Properties
//
//	postgres.dsn              secret: postgres://user:password@host:port/database?…,
//	                          or host=… user=… password=… dbname=…
//	postgres.layout  columns  or jsonb
//
// Missing parts of the connection string come from the sources of libpq: PGHOST,
// PGUSER, PGPASSWORD, ~/.pgpass …. The string may contain settings of a session, such
// as synchronous_commit=off. A URL after --db is the connection string; the property
// overrides it. The host may be the directory of a Unix socket; one off this machine
// needs the consent that load.Consent describes.
//
//	statement                 SQL that is the operation, instead of a workload
//	args                      values of its parameters $1, $2, …, separated by commas
//	statement.NAME            one of several statements, and its name as an operation
//	args.NAME                 its values
//	weight.NAME      1        its share among all
//
// # Statements
//
// With statements there is no workload and no table of ours: [OpenStatements] gives a [load.Target]. Each operation is one
// statement, chosen by seed and number; each connection prepares all of them once. In values {k} is the operation's number, {k:N}
// the same modulo N, and {rand:N} a number below N; one with a comma is in double quotes, as in CSV. They are sent as text, which
// the server converts to the type of the parameter; NULL is written into the statement. The rows of an answer are read and counted,
// and not kept. A SELECT, UPDATE or DELETE without a row counts as not found. The status of an answer is its SQLSTATE, 00000
// without an error, and the class of an error goes by the first two characters of it: constraint for 23, rollback for 40. COPY is refused,
// and so are statements that begin or end a transaction.
//
// # Storage
//
// Open creates the table if it does not exist:
//
//	columns  ycsb_key text COLLATE "C" PRIMARY KEY, "field0" bytea, "field1" bytea, …
//	jsonb    ycsb_key text COLLATE "C" PRIMARY KEY, data jsonb
//
//	read     SELECT of the fields, or of data
//	scan     SELECT … WHERE ycsb_key >= $1 ORDER BY ycsb_key LIMIT $2, by bytes
//	update   UPDATE … SET of the fields alone, or data || $2
//	insert   INSERT … ON CONFLICT (ycsb_key) DO UPDATE
//	delete   DELETE
//
// Each is one statement in its own transaction. Keys are text, so that they must be
// UTF-8 without NUL. Values are any bytes: in jsonb a byte is the character with that
// code, and NUL, which jsonb cannot hold, is U+0100.
//
// The table stays after Close for further runs.
//
// # Client
//
// The client library is github.com/jackc/pgx, at the level of its package pgconn. Each
// session prepares its statements, those for some of the fields at their first use.
// Values are sent and received without conversion. Each session has its own
// connection, so that sessions do not wait for each other. Nothing is retried. After a
// lost connection the next operation connects and prepares again, which is part of
// its time. Settings.OpTimeout limits each operation. An operation that timed out is
// not cancelled in the server: cancelling needs another connection, which would
// disturb the measurement. At the end of the run its connections are closed, also
// during operations.
package postgres
