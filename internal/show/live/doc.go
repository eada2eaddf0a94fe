// Package live shows a run in a browser while it goes on. The page is served by a process of its own (package server), which
// reads the record file as it grows: what measures writes records and does nothing else.
//
//	page, err := live.Start(options, live.Follow)   // before anything is measured
//	page.Record(recorder.Path())
//	recorder.OnMove = page.Record
//	…                                               // measure
//	page.End(recorder.Path())                       // the record is whole, and has the name that was asked for
//	page.Close(signals.Quit())
//
// A browser is a place in that file: replaying it for a browser that comes late and sending what is new are the same. The page
// is that of -o x.html. Its scripts draw the lines of a load run as they come; the main part is rendered anew at most every
// 2 s. Between two rounds of benchmarks the process works, and the next round waits for it.
//
// A nil *Page does nothing, so that callers need not ask whether there is one.
package live
