// Package marks reads what happens beside the operations of a load run, interval by interval: in tare's own process, and in
// those of the server. A spike of tare's own is then not taken for one of the server.
//
//	r, err := marks.Open(marks.Config{PIDs: []int{4711}})
//	if err != nil {
//		return err
//	}
//	defer r.Close()
//	r.Begin()
//	… an interval …
//	line := r.Take()
//
// A reading takes some 20 µs, and 2 µs more for each thread of the server.
package marks
