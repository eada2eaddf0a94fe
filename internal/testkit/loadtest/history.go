package loadtest

import (
	"fmt"
	"maps"
)

// checkRandomHistory does random operations on few keys through two sessions and
// compares each result with that of a map.
func checkRandomHistory(k *kit) {
	db := k.store()
	caps := db.Capabilities()
	two := []*session{k.session(db, 0), k.session(db, 1)}
	want := model{}
	var keys []string
	for len(keys) < 12 {
		keys = append(keys, k.c.Keys.text(k.rng, 1+k.rng.IntN(12)))
	}
	var history []string
	for range 600 {
		s, key := two[k.rng.IntN(2)], keys[k.rng.IntN(len(keys))]
		what, err := k.step(s, key, want, caps.Scan, caps.Ordered)
		history = append(history, what)
		if err != nil {
			k.Fatalf("operation %d: %v\nthe last ones: %q", len(history), err, history[max(0, len(history)-10):])
		}
	}
	for _, key := range keys {
		k.want(want.checkRead(two[0], key, nil))
	}
}

// step does one operation and updates the model.
func (k *kit) step(s *session, key string, want model, scan, ordered bool) (what string, err error) {
	var list []int
	if k.rng.IntN(2) == 0 {
		list = k.rng.Perm(fields)[:1+k.rng.IntN(fields)]
	}
	switch op := k.rng.IntN(10); {
	case op < 3:
		return fmt.Sprintf("read %q %v", key, list), want.checkRead(s, key, list)
	case op < 5:
		r := k.full(fields, 60)
		want[key] = r
		return fmt.Sprintf("insert %q", key), s.insert(key, r)
	case op < 7:
		return fmt.Sprintf("update %q %v", key, list), k.stepUpdate(s, key, want, list)
	case op < 8:
		return fmt.Sprintf("delete %q", key), k.stepDelete(s, key, want)
	case scan:
		n := k.rng.IntN(15)
		return fmt.Sprintf("scan %q %d %v", key, n, list), want.checkScan(s, key, n, list, ordered)
	}
	return "nothing", nil
}

func (k *kit) stepUpdate(s *session, key string, want model, list []int) error {
	u := k.full(fields, 60)
	if list != nil {
		u = maps.Clone(u.some(list))
	}
	err := s.update(key, u)
	if r, ok := want[key]; ok {
		want[key] = r.with(u)
		return err
	}
	k.notFound("update", err)
	if k.c.Blind { // the state is not defined
		return s.delete(key)
	}
	return nil
}

func (k *kit) stepDelete(s *session, key string, want model) error {
	err := s.delete(key)
	if _, ok := want[key]; ok {
		delete(want, key)
		return err
	}
	k.notFound("delete", err)
	return nil
}

func (m model) checkRead(s *session, key string, list []int) error {
	if r, ok := m[key]; ok {
		return s.expect(key, list, r)
	}
	return s.expectNone(key)
}
