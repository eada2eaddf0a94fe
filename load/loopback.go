package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"
)

// errNotLoopback ends every refusal. No option allows another target: load on a
// machine of others is an attack.
var errNotLoopback = errors.New("is not a loopback address, and tare loads loopback targets only")

// lookupTimeout limits the resolution of a host name.
const lookupTimeout = 10 * time.Second

// Loopback returns an error unless a target is on this machine: a "host:port" with
// only loopback addresses, or the path of a Unix socket. The [Dialer] checks the
// address again when it connects.
func Loopback(address string) error {
	if network(address) == "unix" {
		return nil
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("address %q is not host:port", address)
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookupTimeout)
	defer cancel()
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return fmt.Errorf("cannot resolve host %q: %w", host, cause(err))
	}
	for _, ip := range ips {
		if !ip.Unmap().IsLoopback() {
			return fmt.Errorf("%s %w", address, errNotLoopback)
		}
	}
	return nil
}

// network returns the network of an address of a binding.
func network(address string) string {
	if strings.HasPrefix(address, "/") {
		return "unix"
	}
	return "tcp"
}

// Reach checks that a target is on this machine and accepts connections. Its error is
// such as "cannot reach HOST:PORT: connection refused"; the binding adds advice. A
// timeout of 0 means 10 s.
func Reach(ctx context.Context, address string, timeout time.Duration) error {
	if err := Loopback(address); err != nil {
		return err
	}
	d := NewDialer(ctx, timeout)
	defer d.Close()
	if _, err := d.DialContext(ctx, network(address), address); err != nil {
		return fmt.Errorf("cannot reach %s: %w", address, cause(err))
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

// onlyLoopback checks the address to which a name was resolved.
func onlyLoopback(_ context.Context, network, address string, _ syscall.RawConn) error {
	if strings.HasPrefix(network, "unix") {
		return nil
	}
	ap, err := netip.ParseAddrPort(address)
	if err != nil || !ap.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%s %w", address, errNotLoopback)
	}
	return nil
}
