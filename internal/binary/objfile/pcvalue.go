package objfile

import (
	"encoding/binary"
	"slices"
)

// pcValue is a value that a function's table assigns to a range of addresses.
type pcValue struct {
	from, to uint64
	value    int32
}

// eachRange yields the ranges of a table in order of address. The encoding is that of runtime.step: pairs of varints,
// the zig-zag difference of the value, and the difference of the address.
func (f pclnFunc) eachRange(table uint32, yield func(pcValue) bool) {
	if table == 0 || uint64(table) >= uint64(len(f.pcs)) {
		return
	}
	b := f.pcs[table:]
	at := pcValue{f.entry, f.entry, -1}
	for at.from < f.end {
		by, n := binary.Uvarint(b)
		if n <= 0 || by == 0 && at.from != f.entry {
			return
		}
		pc, m := binary.Uvarint(b[n:])
		if m <= 0 {
			return
		}
		b = b[n+m:]
		at.value += int32(uint32(by)>>1) ^ -int32(by&1)
		if at.to = at.from + pc*f.quantum; at.to <= at.from || !yield(at) {
			return
		}
		at.from = at.to
	}
}

// values returns all address ranges of a pc-value table with their values, in order of address.
func (f pclnFunc) values(table uint32) (list []pcValue) {
	f.eachRange(table, func(v pcValue) bool {
		list = append(list, v)
		return true
	})
	return list
}

// valueNear returns the table's value at an address, or -1 if no range contains it. It scans from the function's
// entry.
func (f pclnFunc) valueNear(table uint32, addr uint64) int32 {
	found := int32(-1)
	f.eachRange(table, func(v pcValue) bool {
		if addr >= v.from && addr < v.to {
			found = v.value
		}
		return addr >= v.to
	})
	return found
}

// valueAt returns the value of the range that contains the address, or -1.
func valueAt(list []pcValue, addr uint64) int32 {
	i, found := slices.BinarySearchFunc(list, addr, func(v pcValue, addr uint64) int {
		switch {
		case v.to <= addr:
			return -1
		case v.from > addr:
			return 1
		}
		return 0
	})
	if !found {
		return -1
	}
	return list[i].value
}

// maxValue returns the largest value of a table.
func (f pclnFunc) maxValue(table uint32) (most int32, ok bool) {
	f.eachRange(table, func(v pcValue) bool {
		if !ok || v.value > most {
			most, ok = v.value, true
		}
		return true
	})
	return most, ok
}
