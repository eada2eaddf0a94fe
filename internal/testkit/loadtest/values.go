package loadtest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

func checkValues(k *kit) {
	s := k.session(k.store(), 0)
	values := []string{"", " ", "\x00", "\r\n", "END\r\n", "*1\r\n$4\r\nPING\r\n", "null", "\"quoted\" \\ 'text'",
		"\xff\xfe\x00\x80", "sch\u00f6n \u8a9e \U0001F422", strings.Repeat("\x00", 300), strings.Repeat("\xa5", 127),
		strings.Repeat("x", 128), strings.Repeat("x", 16384), k.c.Values.text(k.rng, k.c.MaxValue)}
	for i, v := range values {
		if len(v) > k.c.MaxValue || !k.c.Values.has(v) {
			continue
		}
		key := fmt.Sprintf("user%d", i)
		r := rec{0: "before", 1: v, 2: "after"}
		k.must(s.insert(key, r))
		k.want(s.expect(key, nil, r))
		u := rec{0: v}
		k.must(s.update(key, u))
		k.want(s.expect(key, nil, r.with(u)))
		k.must(s.update(key, rec{1: ""}))
		k.want(s.expect(key, nil, r.with(rec{0: v, 1: ""})))
	}
}

func checkKeys(k *kit) {
	s := k.session(k.store(), 0)
	keys := []string{"a", "user6284781860667377211", "a:b", "a/../b", "%s%d", "*", "user\x00x", "user", "\xff", "\xff\xff",
		"\x00", "two words", "\r\n", "Ab", "aB", "sch\u00f6n", "scho\u0308n", "\U0001F422", strings.Repeat("k", k.c.MaxKey),
		strings.Repeat("k", k.c.MaxKey-1), "A", "a ", "a\t"}
	for range 20 {
		keys = append(keys, k.c.Keys.text(k.rng, 1+k.rng.IntN(32)))
	}
	all := map[string]rec{}
	for i, key := range keys {
		if len(key) > k.c.MaxKey || !k.c.Keys.has(key) {
			continue
		}
		all[key] = rec{0: fmt.Sprint(i)}
		if err := s.insert(key, all[key]); err != nil {
			k.Fatalf("insert under key %s: %v", short(key), err)
		}
	}
	for key, r := range all {
		k.want(s.expect(key, nil, r))
	}
	for key := range all {
		k.must(s.delete(key))
		k.want(s.expectNone(key))
	}
}

func checkManyFields(k *kit) {
	set := k.settings()
	set.Fields = k.c.MaxFields
	s := k.session(k.storeWith(set), 0)
	r := k.full(set.Fields, 50)
	k.must(s.insert("user1", r))
	k.want(s.expect("user1", nil, r))
	last := set.Fields - 1
	k.want(s.expect("user1", []int{last, 0, last / 2}, r))
	u := rec{last: "last", 0: "first"}
	k.must(s.update("user1", u))
	k.want(s.expect("user1", nil, r.with(u)))
}

// has reports whether a text consists of characters of the alphabet.
func (a Alphabet) has(s string) bool {
	switch a {
	case Bytes:
		return true
	case Text:
		return utf8.ValidString(s) && !strings.Contains(s, "\x00")
	}
	for i := range len(s) {
		if s[i] < '!' || s[i] > '~' {
			return false
		}
	}
	return true
}
