package loadtest

import (
	"fmt"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"github.com/tarebench/tare/load/kv"
)

// scannable opens a store, or skips the check if it cannot scan.
func (k *kit) scannable() kv.DB {
	db := k.store()
	if !db.Capabilities().Scan {
		k.Skip("the store cannot scan")
	}
	return db
}

func checkScan(k *kit) {
	db := k.scannable()
	s := k.session(db, 0)
	want := model{}
	if rows, err := s.scan("a", 5, nil); err != nil || len(rows) > 0 {
		k.Errorf("scan of an empty store: %d records, %v", len(rows), err)
	}
	for i := range 40 {
		key := "user" + strings.Repeat("x", i%3) + fmt.Sprint(i*7%40)
		if i%4 == 3 {
			key = k.c.Keys.text(k.rng, 1+k.rng.IntN(8))
		}
		want[key] = k.full(fields, 30)
		k.must(s.insert(key, want[key]))
	}
	for _, key := range []string{"User1", "USER2", "usera", "userB", "userc", "user-5", "user_5", "userZ", "user.", "sch\u00f6n"} {
		if k.c.Keys.has(key) { // in the order of bytes, not of any language
			want[key] = rec{1: key}
			k.must(s.insert(key, want[key]))
		}
	}
	for _, key := range want.sorted()[3:6] { // neither twice nor still there
		want[key] = k.full(fields, 30)
		k.must(s.insert(key, want[key]))
	}
	gone := want.sorted()[10]
	k.must(s.delete(gone))
	delete(want, gone)

	keys := want.sorted()
	starts := append([]string{"!", "user", "user1", "user5~", "~", gone, keys[0], keys[len(keys)-1] + "!"}, keys...)
	for _, start := range starts {
		for _, n := range []int{0, 1, 2, 7, 100} {
			k.want(want.checkScan(s, start, n, nil, db.Capabilities().Ordered))
		}
		k.want(want.checkScan(s, start, 3, []int{k.rng.IntN(fields), 4}, db.Capabilities().Ordered))
	}
}

// A model is the expected contents of a store.
type model map[string]rec

func (m model) sorted() []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys) // by bytes, as stores must
	return keys
}

// checkScan scans and compares: with the first n records from start on where
// there is an order, with anything that is there where there is none.
func (m model) checkScan(s *session, start string, n int, fields []int, ordered bool) error {
	if len(fields) == 2 && fields[0] == fields[1] {
		fields = fields[:1]
	}
	rows, err := s.scan(start, n, fields)
	if err == nil {
		err = m.compare(rows, start, n, fields, ordered)
	}
	if err != nil {
		return fmt.Errorf("scan of %d records from %s, fields %v: %w", n, short(start), fields, err)
	}
	return nil
}

func (m model) compare(rows []row, start string, n int, fields []int, ordered bool) error {
	if ordered {
		keys := m.sorted()
		keys = keys[sort.SearchStrings(keys, start):]
		keys = keys[:min(n, len(keys))]
		if len(rows) != len(keys) {
			return fmt.Errorf("%d records, want %d", len(rows), len(keys))
		}
		for i, r := range rows {
			if r.key != keys[i] {
				return fmt.Errorf("record %d is %s, want %s", i, short(r.key), short(keys[i]))
			}
		}
	}
	if len(rows) > n {
		return fmt.Errorf("%d records", len(rows))
	}
	seen := map[string]bool{}
	for _, r := range rows {
		want, ok := m[r.key]
		if !ok || seen[r.key] {
			return fmt.Errorf("record %s, which is not there, or no second time", short(r.key))
		}
		seen[r.key] = true
		if err := differ(r.rec, want.some(fields)); err != nil {
			return fmt.Errorf("record %s: %w", short(r.key), err)
		}
	}
	return nil
}

// checkScanWhileWriting scans during inserts, updates and deletes: records that exist
// all the time are found once, in order and complete.
func checkScanWhileWriting(k *kit) {
	db := k.scannable()
	s := k.session(db, sessions-1)
	const stay = 12
	for i := range stay {
		k.must(s.insert(fmt.Sprintf("user%02d", i), agreeing(0)))
	}
	const enough = 40 // scans while others write
	var writers, scans atomic.Int64
	writers.Store(2)
	k.each(k.sessions(db, 4), func(w int, s *session) error {
		if w < 2 {
			defer writers.Add(-1)
			for i := 0; i < 120 || scans.Load() < enough; i++ {
				if err := comeAndGo(s, w, i, stay); err != nil {
					return err
				}
			}
			return nil
		}
		defer scans.Add(enough) // also when it fails
		for n := 0; writers.Load() > 0 || n < 20; n++ {
			runtime.Gosched() // with one processor, writers would wait out a slice of time for each write
			scans.Add(1)
			rows, err := s.scan("user", 1000, nil)
			if err != nil {
				return err
			}
			if err := whole(rows, stay, db.Capabilities().Ordered); err != nil {
				return fmt.Errorf("scan %d: %w", n, err)
			}
		}
		return nil
	})
}

// comeAndGo is round i of a worker.
func comeAndGo(s *session, w, i, stay int) error {
	guest := fmt.Sprintf("user%02d-%d-%d", i%stay, w, i%5)
	if err := s.insert(guest, agreeing(i)); err != nil {
		return err
	}
	if err := s.update(fmt.Sprintf("user%02d", (i+w)%stay), agreeing(i)); err != nil {
		return err
	}
	return s.delete(guest)
}

// whole checks a scan of all records.
func whole(rows []row, stay int, ordered bool) error {
	var keys []string
	stayed := 0
	for _, r := range rows {
		keys = append(keys, r.key)
		guest := len(r.key) > len("user00")
		if !guest {
			stayed++
		}
		if guest && len(r.rec) == 0 {
			continue // gone between finding and reading
		}
		if err := agree(r.rec); err != nil {
			return fmt.Errorf("record %s: %w", r.key, err)
		}
	}
	if ordered && !slices.IsSorted(keys) {
		return fmt.Errorf("not in the order of keys: %q", keys)
	}
	slices.Sort(keys)
	if len(slices.Compact(keys)) != len(rows) {
		return fmt.Errorf("a record came twice: %q", keys)
	}
	if stayed != stay {
		return fmt.Errorf("%d of %d records that were there all the time", stayed, stay)
	}
	return nil
}
