package ycsb

import "math"

// operation is a kind of request.
type operation int

const (
	opRead operation = iota
	opUpdate
	opInsert
	opScan
	opReadModifyWrite
	operations int = iota
)

// String returns the name of the operation in results, as in YCSB.
func (o operation) String() string {
	return [...]string{"READ", "UPDATE", "INSERT", "SCAN", "READ-MODIFY-WRITE"}[o]
}

// share is the proportion of a kind of operation.
type share struct {
	property string
	op       operation
	share    float64
}

func (c *Config) shares() []share {
	return []share{
		{"readproportion", opRead, c.ReadProportion},
		{"updateproportion", opUpdate, c.UpdateProportion},
		{"insertproportion", opInsert, c.InsertProportion},
		{"scanproportion", opScan, c.ScanProportion},
		{"readmodifywriteproportion", opReadModifyWrite, c.ReadModifyWriteProportion},
	}
}

// kinds returns the names of the operations that occur, and the index of each. A
// READ-MODIFY-WRITE consists of a READ and an UPDATE, which are also measured
// separately.
func (c *Config) kinds() (names []string, index [operations]int) {
	for _, s := range c.shares() {
		inner := c.ReadModifyWriteProportion > 0 && (s.op == opRead || s.op == opUpdate)
		if s.share > 0 || inner {
			index[s.op] = len(names)
			names = append(names, s.op.String())
		}
	}
	return names, index
}

// mix chooses operations by their shares.
type mix struct {
	n   int
	ops [operations]operation
	top [operations]uint64 // of the numbers that mean the operation, in ascending order
}

func (c *Config) mix() mix {
	var m mix
	sum := 0.0
	for _, s := range c.shares() {
		sum += s.share
	}
	below := 0.0
	for _, s := range c.shares() {
		if s.share == 0 {
			continue
		}
		below += s.share / sum
		m.ops[m.n] = s.op
		m.top[m.n] = uint64(math.Ldexp(min(below, 1-0x1p-53), 64))
		m.n++
	}
	return m
}

// operation returns the operation that a random number selects.
func (m *mix) operation(x uint64) operation {
	i := 0
	for i < m.n-1 && x >= m.top[i] {
		i++
	}
	return m.ops[i]
}
