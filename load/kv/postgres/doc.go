// Package postgres puts PostgreSQL under load. It is in the command tare-full.
//
// # Recipe
//
//	tare-full load --workload a --db postgres -p postgres.dsn=postgres://me:secret@127.0.0.1/bench --rate 2000 --duration 30s
//	tare-full load --workload f --db postgres://127.0.0.1/bench -p postgres.layout=jsonb
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
// What the connection string does not say is taken from where libpq takes it:
// PGHOST, PGUSER, PGPASSWORD, ~/.pgpass …. Settings of a session may stand in it,
// as synchronous_commit=off. A URL after --db is the connection string; the
// property counts more. The host must be a loopback one, or the folder of a Unix
// socket.
//
// # How records are kept
//
// The table is made by Open if it is not there:
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
// Each is one statement, and a transaction of its own. Keys are text, so that
// they must be UTF-8 without NUL. Values are any bytes: in jsonb a byte stands as
// the character of that number, so that ASCII is itself, and NUL, which jsonb
// cannot hold, as U+0100.
//
// The table stays after Close, as one that is measured may be wanted again.
//
// # How it is called
//
// By github.com/jackc/pgx, at the level of its package pgconn: statements are
// prepared by each session, those for some of the fields when they are first
// used, and values go to and fro without conversion. Each session has one
// connection, not a share of a pool, so that sessions do not wait for each other.
// Nothing is tried twice; when the connection was lost, the next operation
// connects again and prepares again, which is part of its time. Settings.OpTimeout
// bounds each operation. One that was given up is not cancelled in the server,
// whose work goes on: cancelling needs a connection of its own, which would
// disturb what is measured. When the run is over, its connections are closed
// under operations that still wait.
package postgres
