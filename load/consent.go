package load

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Consent says which targets off this machine may be loaded. Load on a machine of
// others is an attack, so nil allows this machine alone: loopback addresses and Unix
// sockets, which need no consent.
//
// Allowing a host name and allowing a block of addresses are different things. A name allows the addresses that it resolves
// to, and those to which a load balancer moves it in mid-run; Moved returns these. A block
// of addresses allows them by whatever name. Some addresses only a block allows:
// unspecified, link-local (among them that of cloud metadata), multicast and broadcast
// ones. A name that resolved to public addresses alone allows no private ones later
// (DNS rebinding).
//
// The [Dialer] asks it about every connection, after the name was resolved and before
// it connects. Methods may be called from several goroutines.
type Consent struct {
	texts  []string
	names  []allowedName
	blocks []allowedBlock

	also  *Consent // must allow it, too; nil: nothing else must
	whose string   // list that is, for errors

	mu    sync.Mutex
	first map[string]*resolved // by allowed name
}

type allowedName struct {
	name string // lower case
	port string // "" for all
}

type allowedBlock struct {
	block netip.Prefix
	port  string
}

// resolved is what an allowed name resolves to.
type resolved struct {
	public bool                // all first addresses are public
	first  map[netip.Addr]bool // before the run
	later  map[netip.Addr]bool // in mid-run, others than the first
}

// ParseConsent reads a list of HOST, HOST:PORT, addresses with or without a port, and
// CIDR blocks such as 10.0.0.0/16. It returns nil for an empty list, and all errors.
func ParseConsent(list []string) (*Consent, error) {
	if len(list) == 0 {
		return nil, nil
	}
	c := &Consent{first: map[string]*resolved{}}
	var errs []error
	for _, text := range list {
		text = strings.TrimSpace(text)
		if err := c.add(text); err != nil {
			errs = append(errs, fmt.Errorf("%q: %w", withoutUser(text), err))
			continue
		}
		c.texts = append(c.texts, text)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return c, nil
}

// withoutUser returns what was given for a host without a user and a password before it, which hosts do not have.
func withoutUser(text string) string {
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		text = Redacted + text[at:]
	}
	return Redact("", text)
}

func (c *Consent) add(text string) error {
	if strings.Contains(text, "/") {
		block, err := netip.ParsePrefix(text)
		if err != nil {
			return errors.New("want a host, host:port, or a block of addresses as 10.0.0.0/16; no URL")
		}
		if block.Bits() == 0 {
			return errors.New("is every address: name what you may load")
		}
		c.blocks = append(c.blocks, allowedBlock{block: block.Masked()})
		return nil
	}
	host, port := text, ""
	if h, p, err := net.SplitHostPort(text); err == nil {
		host, port = h, p
		if n, err := net.LookupPort("tcp", port); err != nil || n == 0 {
			return errors.New("the port is no number from 1 to 65535")
		}
	}
	if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		ip = ip.Unmap().WithZone("")
		if isSpecial(ip) {
			return fmt.Errorf("is %s: only a block allows it, as %s/%d", specialName(ip), ip, ip.BitLen())
		}
		c.blocks = append(c.blocks, allowedBlock{netip.PrefixFrom(ip, ip.BitLen()), port})
		return nil
	}
	if !isHostName(host) {
		return errors.New("want a host, host:port, or a block of addresses as 10.0.0.0/16")
	}
	c.names = append(c.names, allowedName{canonical(host), port})
	return nil
}

// canonical returns a host name as names are compared.
func canonical(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }

func isHostName(host string) bool {
	return host != "" && len(host) <= 253 && !strings.ContainsFunc(host, func(r rune) bool {
		return r != '-' && r != '.' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80
	})
}

// Within returns the consent to what both allow. An error about an address that only c allows names whose list the other is.
// The result is for checks: it is not to be changed, and knows of moved names what c allows.
func (c *Consent) Within(other *Consent, whose string) *Consent {
	if c == nil || other == nil {
		return nil
	}
	return &Consent{texts: c.texts, names: c.names, blocks: c.blocks, also: other, whose: whose, first: map[string]*resolved{}}
}

// List returns what was allowed, as it was given.
func (c *Consent) List() []string {
	if c == nil {
		return nil
	}
	return slices.Clone(c.texts)
}

// String returns the list in one line.
func (c *Consent) String() string { return strings.Join(c.List(), " ") }

// A RefusedError is about an address off this machine that was not allowed. Its class
// is [ClassNotAllowed].
type RefusedError struct {
	Address   string       // host:port, as it was given
	Addresses []netip.Addr // to which the host resolves
	Why       string       // "" if nothing allows it
	Allow     string       // what would allow it
}

func (e *RefusedError) Error() string {
	at := e.Address
	if host, _, err := net.SplitHostPort(at); err == nil && len(e.Addresses) > 0 && host != e.Addresses[0].String() {
		at += " (" + joinAddresses(e.Addresses) + ")"
	}
	if e.Why != "" {
		return at + " " + e.Why
	}
	return at + " is not on this machine, and was not allowed"
}

// Class implements [Class].
func (e *RefusedError) Class() string { return ClassNotAllowed }

func joinAddresses(as []netip.Addr) string {
	var out []string
	for _, a := range as[:min(len(as), 4)] {
		out = append(out, a.String())
	}
	if n := len(as) - len(out); n > 0 {
		out = append(out, fmt.Sprintf("%d more", n))
	}
	return strings.Join(out, ", ")
}

// Check returns an error unless the target at host:port, or at the path of a Unix
// socket, may be loaded. It resolves the host: the error is a *[RefusedError] if one of
// its addresses may not.
func (c *Consent) Check(ctx context.Context, address string) error {
	if network(address) == "unix" {
		return nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("address %q is not host:port", address)
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return fmt.Errorf("cannot resolve host %q: %w", host, cause(err))
	}
	for i, ip := range ips {
		ips[i] = ip.Unmap()
	}
	byName := c.allowsName(host, port)
	if byName {
		c.resolve(canonical(host), ips)
	}
	for _, ip := range ips {
		if why := c.refuses(host, ip, port, byName); why != nil {
			why.Address, why.Addresses = address, ips
			return why
		}
	}
	if c != nil && c.also != nil {
		return c.byOther(c.also.Check(ctx, address))
	}
	return nil
}

// byOther adds to an error that another list is meant.
func (c *Consent) byOther(err error) error {
	var refused *RefusedError
	if errors.As(err, &refused) && refused.Why == "" {
		refused.Why = "is not on this machine, and " + c.whose + " does not allow it"
	}
	return err
}

// refuses returns why a connection to an address of a host may not be made, or nil.
func (c *Consent) refuses(host string, ip netip.Addr, port string, byName bool) *RefusedError {
	plain := ip.WithZone("")
	if c != nil && slices.ContainsFunc(c.blocks, func(b allowedBlock) bool { return b.block.Contains(plain) && (b.port == "" || b.port == port) }) {
		return nil
	}
	address := net.JoinHostPort(host, port)
	block := fmt.Sprintf("%s/%d", plain, plain.BitLen())
	switch {
	case isSpecial(plain):
		return &RefusedError{Address: address, Addresses: []netip.Addr{ip}, Why: "is " + specialName(plain) + ", which only a block of addresses allows", Allow: block}
	case byName && !c.mayMove(canonical(host), plain):
		return &RefusedError{Address: address, Addresses: []netip.Addr{ip}, Why: "resolved to public addresses first and now to one that is not", Allow: block}
	case byName, plain.IsLoopback():
		return nil
	}
	return &RefusedError{Address: address, Addresses: []netip.Addr{ip}, Allow: address}
}

// allowsName reports whether a name is allowed. An address is none.
func (c *Consent) allowsName(host, port string) bool {
	if c == nil {
		return false
	}
	host = canonical(host)
	return slices.ContainsFunc(c.names, func(n allowedName) bool { return n.name == host && (n.port == "" || n.port == port) })
}

// resolve notes the first addresses of an allowed name.
func (c *Consent) resolve(name string, ips []netip.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first[name] != nil {
		return
	}
	r := &resolved{public: len(ips) > 0, first: map[netip.Addr]bool{}, later: map[netip.Addr]bool{}}
	for _, ip := range ips {
		r.first[ip.WithZone("")] = true
		r.public = r.public && isPublic(ip)
	}
	c.first[name] = r
}

// mayMove reports whether an allowed name may resolve to an address, and notes it.
func (c *Consent) mayMove(name string, ip netip.Addr) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.first[name]
	switch {
	case r == nil: // a redirect led to it
		c.first[name] = &resolved{public: isPublic(ip), first: map[netip.Addr]bool{ip: true}, later: map[netip.Addr]bool{}}
	case r.first[ip]:
	case r.public && !isPublic(ip):
		return false
	default:
		r.later[ip] = true
	}
	return true
}

// Moved returns the addresses to which allowed names moved since Check, by name.
func (c *Consent) Moved() map[string][]netip.Addr {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[string][]netip.Addr{}
	for name, r := range c.first {
		if len(r.later) > 0 {
			later := slices.Collect(maps.Keys(r.later))
			slices.SortFunc(later, netip.Addr.Compare)
			out[name] = later
		}
	}
	return out
}

// nameKey is the key of a context's value: the host:port that is dialled.
type nameKey struct{}

// control is the ControlContext of a [net.Dialer]. It checks the address to which a name
// was resolved.
func (c *Consent) control(ctx context.Context, network, address string, _ syscall.RawConn) error {
	if strings.HasPrefix(network, "unix") {
		return nil
	}
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("address %q is not ip:port", address)
	}
	ip, port := ap.Addr().Unmap(), fmt.Sprint(ap.Port())
	host := ip.String()
	if name, ok := ctx.Value(nameKey{}).(string); ok {
		if h, _, err := net.SplitHostPort(name); err == nil {
			host = h
		}
	}
	if why := c.refuses(host, ip, port, c.allowsName(host, port)); why != nil {
		return why
	}
	if c != nil && c.also != nil {
		if why := c.also.refuses(host, ip, port, c.also.allowsName(host, port)); why != nil {
			return c.byOther(why)
		}
	}
	return nil
}

// isSpecial reports whether only a block allows an address.
func isSpecial(ip netip.Addr) bool { return specialName(ip) != "" }

func specialName(ip netip.Addr) string {
	switch {
	case ip.IsUnspecified():
		return "the unspecified address"
	case ip.IsLinkLocalUnicast(), ip.IsLinkLocalMulticast():
		return "a link-local address"
	case ip.IsMulticast(), ip.IsInterfaceLocalMulticast():
		return "a multicast address"
	case ip == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return "the broadcast address"
	case ip == netip.MustParseAddr("fd00:ec2::254"):
		return "a metadata address"
	}
	return ""
}

// isPublic reports whether an address is one of the internet.
func isPublic(ip netip.Addr) bool {
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !sharedSpace.Contains(ip)
}

// sharedSpace is the address space of carriers' translators (RFC 6598).
var sharedSpace = netip.MustParsePrefix("100.64.0.0/10")
