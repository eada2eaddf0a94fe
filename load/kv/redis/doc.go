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
// A URL redis://user:password@host:port/db, or rediss:// for TLS, has the same
// meaning. Properties override the URL. An address off this machine needs the consent that
// load.Consent describes.
//
// # Storage
//
// A record is a hash under TABLE:KEY, its fields under their names. The sorted set
// TABLE holds all keys with the score 0, so that Redis keeps them in the order of
// their bytes.
//
//	read     HGETALL, or HMGET for some fields
//	scan     ZRANGEBYLEX, then the reads of all records in one round trip
//	update   HSET: it cannot detect a missing record, and creates one
//	         that scans do not find
//	insert   HSET and ZADD in one round trip; with a DEL before them, as a
//	         transaction, if the record lacks fields that an older one may have
//	delete   DEL and ZREM in one round trip
//
// The data stay in the server after Close for further runs.
//
// # Client
//
// The client library is github.com/gomodule/redigo. Each session has its own
// connection, so that sessions do not wait for each other. Nothing is retried: a retry
// would hide the error and count as time of the server. After an error the next
// operation connects again. Settings.OpTimeout limits each connect, write and read. An answer that announces more than
// 1,048,576 elements or a string of more than 512 MiB is an error of class protocol: the library would allocate it. At
// the end of the run its connections are closed, also during operations.
package redis
