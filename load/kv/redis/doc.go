// Package redis puts Redis, or a server that speaks its protocol, under load.
//
// # Recipe
//
//	redis-server --save '' &
//	tare load --workload a --db redis --rate 5000 --duration 30s
//	tare load --workload e --db redis://127.0.0.1:6379/1
//
// In a program, [Open] gives a [kv.DB] for a workload such as
// [github.com/tarebench/tare/load/ycsb].
//
// # Properties
//
//	redis.addr      127.0.0.1:6379   host:port, or the path of a Unix socket
//	redis.username                   of the access list
//	redis.password                   secret
//	redis.db        0                number of the database
//	redis.tls       false            true, or insecure: without checking the certificate
//
// A URL redis://user:password@host:port/db, or rediss:// for TLS, gives the same;
// properties that are set besides count more. The address must be a loopback one.
//
// # How records are kept
//
// A record is a hash under TABLE:KEY, its fields under their names. The sorted set
// TABLE holds all keys with the score 0, so that Redis keeps them in the order of
// their bytes.
//
//	read     HGETALL, or HMGET for some fields
//	scan     ZRANGEBYLEX, then the reads of all records in one round trip
//	update   HSET: it cannot tell that there was no such record, and makes one
//	         that scans do not see
//	insert   HSET and ZADD in one round trip; with a DEL before them, as a
//	         transaction, if the record lacks fields that an older one may have
//	delete   DEL and ZREM in one round trip
//
// The data stay in the server after Close, as one that is measured may be wanted
// again.
//
// # How it is called
//
// By github.com/gomodule/redigo. Each session has a connection of its own, so
// that sessions do not wait for each other, and nothing is ever tried twice: a
// retry would hide the error and count its time as the server's. After an error
// the next operation connects again. Settings.OpTimeout bounds each connecting,
// writing and reading. When the run is over, its connections are closed under
// operations that still wait.
package redis
