// Package session holds what every verb that measures shares: the record file,
// where the result goes, signals, the lock of the machine, the progress line,
// and what hides secrets.
//
//	out, err := session.NewExporter(paths, forms)
//	rec, err := session.OpenRecorder(out.Records, seed, time.Now())
//	defer rec.Discard()
//	sig := session.CatchSignals(func(s os.Signal) { progress.Note("%s: …", s) })
//	defer sig.Stop()
//	lock, err := session.LockMachine(ctx, progress, mode, command)
//	defer lock.Unlock()
//	…                        // measure: rec.Write(line)
//	err = rec.Close(true)
//	err = out.Files(rec.Path(), render)
package session
