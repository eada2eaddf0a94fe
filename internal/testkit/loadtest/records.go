package loadtest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tarebench/tare/load/kv"
)

// checks returns all checks, the simple ones first.
func checks() []check {
	return []check{
		{"Capabilities", 0, checkCaps},
		{"InsertAndRead", 0, checkInsertRead},
		{"SomeFields", 0, checkSomeFields},
		{"FewFields", 0, checkFewFields},
		{"NotFound", 0, checkNotFound},
		{"Overwrite", 0, checkOverwrite},
		{"PartialUpdate", 0, checkPartialUpdate},
		{"Delete", 0, checkDelete},
		{"Values", 0, checkValues},
		{"Keys", 0, checkKeys},
		{"ManyFields", 0, checkManyFields},
		{"TablesApart", 0, checkTables},
		{"Scan", 0, checkScan},
		{"ScanWhileWriting", 0, checkScanWhileWriting},
		{"RandomHistory", 0, checkRandomHistory},
		{"TwoWorkersOneKey", 0, checkTorn},
		{"TwoWorkersTwoFields", 0, checkLostUpdates},
		{"ManySessions", 0, checkManySessions},
		{"Canceled", 0, checkCanceled},
		{"CanceledMidway", 0, checkCanceledMidway},
		{"CloseTwice", 0, checkCloseTwice},
		{"AfterClose", 0, checkAfterClose},
		{"Leaks", 0, checkLeaks},
		{"DataOutliveClose", embedded, checkReopen},
		{"OpenedTwice", embedded, checkOpenedTwice},
		{"Kill", server, checkKill},
		{"DownAtOpen", server, checkDown},
		{"Hang", stoppable, checkHang},
	}
}

func checkCaps(k *kit) {
	db := k.open()
	c := db.Capabilities()
	if c.Name == "" {
		k.Error("Capabilities().Name is empty")
	}
	if c.Ordered && !c.Scan {
		k.Error("Capabilities() claims ordered scans, but no scans")
	}
	if c.Integrity && !c.Load {
		k.Error("Capabilities() says that what is written can be read, but not that records must be loaded")
	}
	if !c.Scan {
		if _, err := k.session(db, 0).scan("a", 1, nil); !errors.Is(err, kv.ErrUnsupported) {
			k.Errorf("Scan without the capability: error %v, want unsupported", err)
		}
	}
}

func checkInsertRead(k *kit) {
	db := k.open()
	s := k.session(db, 0)
	all := map[string]rec{}
	for i := range 20 {
		key := fmt.Sprintf("user%d", i)
		all[key] = k.full(fields, 100)
		k.must(s.insert(key, all[key]))
	}
	if !stores(db) {
		_, err := s.read("user1", nil)
		k.want(err)
		return
	}
	other := k.session(db, 1)
	for key, r := range all {
		k.want(s.expect(key, nil, r))
		k.want(other.expect(key, nil, r))
	}
}

func checkSomeFields(k *kit) {
	db := k.store()
	s := k.session(db, 0)
	r := k.full(fields, 100)
	k.must(s.insert("user1", r))
	for _, f := range [][]int{{0}, {9}, {4, 7}, {7, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		k.want(s.expect("user1", f, r))
	}
}

// checkFewFields uses records that lack fields: a field that was never written is
// absent, which is not the same as empty.
func checkFewFields(k *kit) {
	s := k.session(k.store(), 0)
	r := rec{2: "two", 5: ""}
	k.must(s.insert("user1", r))
	k.want(s.expect("user1", nil, r))
	k.want(s.expect("user1", []int{1, 2}, r))
	k.want(s.expect("user1", []int{5}, r))
	u := rec{5: "five", 7: "seven"}
	k.must(s.update("user1", u))
	k.want(s.expect("user1", nil, r.with(u)))
}

func checkNotFound(k *kit) {
	s := k.session(k.store(), 0)
	k.must(s.insert("user2", k.full(fields, 10)))
	for _, key := range []string{"user1", "user", "user20", "user3"} {
		k.want(s.expectNone(key))
		if got, err := s.read(key, []int{1}); !errors.Is(err, kv.ErrNotFound) {
			k.Errorf("read field 1 of %s: %v, %v, want not found", key, got, err)
		}
	}
	k.notFound("update of user1", s.update("user1", rec{1: "x"}))
	k.notFound("delete of user3", s.delete("user3"))
	if !k.c.Blind {
		k.want(s.expectNone("user1"))
	}
}

func checkOverwrite(k *kit) {
	s := k.session(k.store(), 0)
	for range 5 {
		r := k.full(fields, 100)
		k.must(s.insert("user1", r))
		k.want(s.expect("user1", nil, r))
	}
}

func checkPartialUpdate(k *kit) {
	s := k.session(k.store(), 0)
	r, same := k.full(fields, 100), k.full(fields, 100)
	k.must(s.insert("user1", r))
	k.must(s.insert("user2", same))
	for range 20 {
		u := rec{}
		for range 1 + k.rng.IntN(3) {
			u[k.rng.IntN(fields)] = k.c.Values.text(k.rng, k.rng.IntN(200))
		}
		k.must(s.update("user1", u))
		r = r.with(u)
		k.want(s.expect("user1", nil, r))
	}
	k.must(s.update("user1", same))
	k.want(s.expect("user1", nil, same))
	k.want(s.expect("user2", nil, same))
}

func checkDelete(k *kit) {
	s := k.session(k.store(), 0)
	r := k.full(fields, 100)
	for _, key := range []string{"user1", "user2", "user3"} {
		k.must(s.insert(key, r))
	}
	k.must(s.delete("user2"))
	k.want(s.expectNone("user2"))
	k.want(s.expect("user1", nil, r))
	k.want(s.expect("user3", nil, r))
	k.notFound("second delete of user2", s.delete("user2"))
	few := rec{1: "new"}
	k.must(s.insert("user2", few))
	k.want(s.expect("user2", nil, few)) // nothing of the deleted record comes back
}

func checkTables(k *kit) {
	if k.c.Embedded {
		k.Skip("a directory is one store's: see DataOutliveClose")
	}
	a, b := k.settings(), k.settings()
	one, two := k.session(k.storeWith(a), 0), k.session(k.storeWith(b), 0)
	k.must(one.insert("user1", rec{0: "one"}))
	k.want(two.expectNone("user1"))
	k.must(two.insert("user1", rec{0: "two"}))
	k.want(one.expect("user1", nil, rec{0: "one"}))
}

// store opens a store for checks of its contents, and skips the check for a mock.
func (k *kit) store() kv.DB { return k.storeWith(k.settings()) }

func (k *kit) storeWith(s kv.Settings) kv.DB {
	db := k.openWith(s)
	if !stores(db) {
		k.Skip("the store keeps nothing")
	}
	return db
}

var _ testing.TB = (*kit)(nil)
