package nats

import (
	"errors"
	"net"
	"strings"

	natsgo "github.com/nats-io/nats.go"
)

// IsAbsent reports whether an error of Dial says that there is no server yet: nothing listens, its name is not known, or it
// is so busy that it pings before the handshake is over.
func IsAbsent(err error) bool {
	var dns *net.DNSError
	return errors.Is(err, natsgo.ErrNoServers) || errors.As(err, &dns) || err != nil && strings.Contains(err.Error(), "expected 'PONG'")
}
