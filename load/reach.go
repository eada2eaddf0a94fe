package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

// lookupTimeout limits the resolution of a host name.
const lookupTimeout = 10 * time.Second

// network returns the network of an address of a binding.
func network(address string) string {
	if strings.HasPrefix(address, "/") {
		return "unix"
	}
	return "tcp"
}

// Reach checks that a target at host:port, or at the path of a Unix socket, may be loaded
// and accepts connections. Its error is a *[RefusedError], or such as "cannot reach
// HOST:PORT: connection refused (ADVICE)". A timeout of 0 means 10 s.
func Reach(ctx context.Context, allow *Consent, address string, timeout time.Duration, advice string) error {
	if err := allow.Check(ctx, address); err != nil {
		return err
	}
	d := NewDialer(ctx, allow, timeout)
	defer d.Close()
	if _, err := d.DialContext(ctx, network(address), address); err != nil {
		return fmt.Errorf("cannot reach %s: %w (%s)", address, cause(err), advice)
	}
	return nil
}

// cause removes redundant text from a network error.
func cause(err error) error {
	var op *net.OpError
	var call *os.SyscallError
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		return errors.New(dns.Err)
	case errors.As(err, &call):
		return call.Err
	case errors.As(err, &op):
		return op.Err
	}
	return err
}
