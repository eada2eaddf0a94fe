package loadtest

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/tarebench/tare/load/kv"
)

// What the fake does to records, fault by fault.

func (s *fakeSession) Read(ctx context.Context, key []byte, fields []int, dst *kv.Record) error {
	if !s.f.has("does not empty dst") {
		dst.Reset()
	}
	late := s.late
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.f.mu.Unlock()
	r, ok := s.f.disk[s.d.table][s.named(key)]
	if late != nil && s.f.has("gives late answers") {
		s.late = nil
		r, ok = *late, true
	}
	switch {
	case ok, s.f.has("finds what is not there"):
	case s.f.has("fills dst with nothing found"):
		dst.AppendString(0, "")
		return kv.ErrNotFound
	default:
		return kv.ErrNotFound
	}
	if s.f.has("changes the key") {
		key[0]++
	}
	if s.f.has("sorts the caller's fields") {
		slices.Sort(fields)
	}
	switch s.f.fault {
	case "reads nothing":
	case "keeps the caller's record":
		kept := s.f.kept[string(key)]
		for i := range kept.Len() {
			dst.Append(kept.At(i))
		}
	case "gives out its own record":
		*dst = s.f.kept[string(key)]
	default:
		s.fill(dst, r, fields)
	}
	return nil
}

func (s *fakeSession) fill(dst *kv.Record, r rec, fields []int) {
	if s.f.has("reads all fields always") {
		fields = nil
	}
	for f, v := range r {
		if fields == nil || slices.Contains(fields, f) {
			dst.AppendString(f, v)
			if s.f.has("gives a field twice") && f == 9 {
				dst.AppendString(f, v)
			}
		}
	}
	if s.f.has("missing fields are empty") {
		for _, f := range fields {
			if _, ok := r[f]; !ok {
				dst.AppendString(f, "")
			}
		}
	}
}

func (s *fakeSession) Scan(ctx context.Context, key []byte, n int, fields []int, dst *kv.Records) (int, error) {
	if !s.f.has("does not empty the records") {
		dst.Reset()
	}
	if s.f.has("no scan") {
		return 0, kv.ErrUnsupported
	}
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	defer s.f.mu.Unlock()
	table := s.f.disk[s.d.table]
	for _, k := range s.scanned(sortedKeys(table), string(key), n) {
		r := table[k]
		if s.f.has("scans torn") && len(r) > 5 {
			r = r.with(rec{5: "torn"})
		}
		if s.f.has("scans all fields always") {
			fields = nil
		}
		s.fill(dst.Next([]byte(k)), r, fields)
	}
	if s.f.has("miscounts a scan") {
		return dst.Len() + 1, nil
	}
	return dst.Len(), nil
}

// scanned returns which keys a scan finds.
func (s *fakeSession) scanned(keys []string, start string, n int) []string {
	if s.f.has("scans from the beginning") {
		start = ""
	}
	i, found := slices.BinarySearch(keys, start)
	if found && s.f.has("scans from behind the start") {
		i++
	}
	keys = keys[i:]
	if s.f.has("scan misses the last") && len(keys) > 0 {
		keys = keys[:len(keys)-1]
	}
	if s.f.has("scan finds one too many") {
		n++
	}
	keys = slices.Clone(keys[:min(n, len(keys))])
	switch s.f.fault {
	case "scans backwards", "no order":
		slices.Reverse(keys)
	case "scans in the order of texts":
		slices.SortStableFunc(keys, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	case "scan finds one twice":
		if len(keys) > 1 {
			keys[1] = keys[0]
		}
	}
	return keys
}

func (s *fakeSession) Insert(ctx context.Context, key []byte, v *kv.Record) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.f.mu.Unlock()
	k, table := s.named(key), s.f.disk[s.d.table]
	switch _, there := table[k]; {
	case there && s.f.has("insert does not overwrite"):
		return nil
	case s.f.has("torn inserts") && there:
		s.bitByBit(table, k, s.taken(v))
		return nil
	}
	table[k] = s.taken(v)
	switch s.f.fault {
	case "changes the record":
		v.AppendString(77, "x")
	case "keeps the caller's record":
		s.f.kept[k] = *v
	case "gives out its own record":
		var own kv.Record
		put(&own, table[k])
		s.f.kept[k] = own
	}
	return nil
}

// taken is the record as the store keeps it.
func (s *fakeSession) taken(v *kv.Record) rec {
	r := rec{}
	for i := range v.Len() {
		f, value := v.At(i)
		text := string(value)
		switch s.f.fault {
		case "drops empty values":
			if text == "" {
				continue
			}
		case "values end at NUL":
			text, _, _ = strings.Cut(text, "\x00")
		case "cuts values":
			text = text[:min(len(text), 16000)]
		case "values are text":
			text = strings.ToValidUTF8(text, "?")
		case "few fields":
			f %= 32
		}
		r[f] = text
	}
	return r
}

func (s *fakeSession) bitByBit(table map[string]rec, key string, u rec) {
	for f, v := range u {
		table[key] = table[key].with(rec{f: v})
		s.f.mu.Unlock()
		runtime.Gosched()
		s.f.mu.Lock()
	}
}

func (s *fakeSession) Update(ctx context.Context, key []byte, v *kv.Record) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.f.mu.Unlock()
	k, table := s.named(key), s.f.disk[s.d.table]
	old, ok := table[k]
	if !ok && s.f.has("blind") {
		old = rec{}
	} else if !ok {
		return kv.ErrNotFound
	}
	u := s.taken(v)
	switch s.f.fault {
	case "update forgets the others":
		table[k] = u
		return nil
	case "update forgets new fields":
		maps.DeleteFunc(u, func(f int, _ string) bool { _, ok := old[f]; return !ok })
	case "forgets updates":
		return nil
	case "torn updates":
		s.bitByBit(table, k, u)
		return nil
	case "loses updates":
		s.f.mu.Unlock()
		runtime.Gosched()
		s.f.mu.Lock()
	}
	table[k] = old.with(u)
	return nil
}

func (s *fakeSession) Delete(ctx context.Context, key []byte) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.f.mu.Unlock()
	k, table := s.named(key), s.f.disk[s.d.table]
	if _, ok := table[k]; !ok && !s.f.has("blind") && !s.f.has("deletes what is not there") {
		return kv.ErrNotFound
	}
	if !s.f.has("forgets deletes") {
		delete(table, k)
	}
	return nil
}
