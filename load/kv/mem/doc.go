// Package mem is a key-value store in the memory of the program itself: what
// tare costs with a store below it that has no network, no disk and no library.
//
//	tare load --workload a --db mem
//
// It has no properties. Records are copied in and out, so that reads see no
// record half updated; read, update and scan do not allocate.
//
// # How it is built
//
// Records are found in 256 maps, each behind a lock of its own, and hang in a
// skip list besides, for scans in the order of keys. Scans walk the list
// without a lock and take that of a record only to copy it; inserts and deletes
// of keys change the list one at a time. A scan therefore sees every record that
// was there all the time, and of those that come and go meanwhile some.
package mem
