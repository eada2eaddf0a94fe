package pebble

import (
	"math"
	"strconv"
	"strings"

	"github.com/tarebench/tare/load/kv"
)

// Binding returns the binding "pebble".
func Binding() kv.Binding {
	return kv.Binding{
		Name:  "pebble",
		Short: "Pebble, embedded: a log-structured merge tree in a directory",
		Properties: []kv.Property{
			{Name: "pebble.sync", Default: "false", Short: "flush the log to disk at each write"},
			{Name: "pebble.cache", Default: "64MiB", Short: "block cache"},
		},
		OpenDB: Open,
	}
}

type config struct {
	sync  bool
	cache int64 // bytes
}

func configOf(p kv.Properties) (c config, err error) {
	g := p.Getter()
	c.sync = g.Bool("pebble.sync", false)
	var ok bool
	if c.cache, ok = bytes(g.String("pebble.cache", "64MiB")); !ok {
		g.Fail("pebble.cache", "want a size above 0 such as 64MiB")
	}
	g.Known("pebble.", Binding().Properties)
	return c, g.Err()
}

// bytes reads a size: an integer number of bytes, KiB, MiB or GiB.
func bytes(s string) (n int64, ok bool) {
	unit := int64(1)
	for i, name := range []string{"KiB", "MiB", "GiB"} {
		if rest, found := strings.CutSuffix(s, name); found {
			s, unit = strings.TrimSpace(rest), 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		return 0, false
	}
	return n * unit, true
}
