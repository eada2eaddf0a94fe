// Package history keeps what was measured of commits, so that a change of speed can be found later, and which commit made it.
//
// The unit of storage is an [Entry]: what one run measured of one commit, as the values of its forks. It is a file of its own,
// named by its commit and by a digest of its content. So no two writers write the same file with different content, and
// two stores are joined by taking the files of both. What is removed leaves a tombstone, which outlives such a union.
//
//	store, err := history.Open(ctx, dir, "ref")      // refs/tare/history of the repository, or a folder
//	added, err := store.Add(ctx, entries)
//	files, damage, err := store.List(ctx)
//	damage, err = store.Read(ctx, files, func(f history.File, e *history.Entry) { … })
//	err = store.Prune(ctx, files)
//
// The files of a store are
//
//	v1/ab/COMMIT/RUN.jsonl    an entry, as JSON Lines; ab are the first two digits of COMMIT
//	v1/ab/COMMIT/RUN.gone     a tombstone: the entry was removed
package history
