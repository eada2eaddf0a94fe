// Package mem is a key-value store in the memory of the program itself. It shows the
// overhead of tare with a store that has no network, disk or library.
//
//	tare load --workload a --db mem
//
// It has no properties. Records are copied in and out, so that reads see no
// record half updated; read, update and scan do not allocate.
//
// # Design
//
// Records are in 256 maps, each with its own lock, and in a skip list for scans in the
// order of keys. Scans walk the list without a lock and lock a record only to copy it.
// Inserts and deletes of keys change the list one at a time. A scan returns every
// record that exists during the whole scan, and some of those that are inserted or
// deleted meanwhile.
package mem
