package memcached

import (
	"fmt"
	"slices"

	"github.com/tarebench/tare/load"
)

// maxKey is memcached's limit of a key in bytes.
const maxKey = 250

// legal returns an error for a key that memcached rejects.
func legal(key string) error {
	bad := slices.ContainsFunc([]byte(key), func(c byte) bool { return c <= ' ' || c == 0x7f })
	if len(key) <= maxKey && !bad {
		return nil
	}
	return load.WithClass(load.ClassUnsupported, fmt.Errorf("key of %d bytes %.40q: memcached takes at most %d, "+
		"without spaces and control characters", len(key), key, maxKey))
}
