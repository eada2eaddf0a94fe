package nettest

import (
	"encoding/binary"
	"net"
	"net/netip"
	"strings"
	"testing"
)

func parse4(t *testing.T, text string) []byte {
	t.Helper()
	ip, err := netip.ParseAddr(text)
	if err != nil || !ip.Is4() {
		t.Fatalf("%q is no IPv4 address", text)
	}
	return ip.AsSlice()
}

// serve answers questions for the addresses of names at 127.0.0.1:53 (RFC 1035, section 4.1),
// with a time to live of 0. It calls answer from one goroutine.
func serve(t *testing.T, answer func(name string) string) {
	t.Helper()
	c, err := net.ListenPacket("udp", "127.0.0.1:53")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go func() {
		b := make([]byte, 512)
		for {
			n, from, err := c.ReadFrom(b)
			if err != nil {
				return
			}
			name, kind, end := question(b[:n])
			if end == 0 {
				continue
			}
			ip := answer(name)
			if ip != "" && kind != typeA {
				ip = "none" // the name exists, without an address of this kind
			}
			c.WriteTo(reply(b[:end], ip), from)
		}
	}()
}

const (
	typeA     = 1
	headerLen = 12
	notFound  = 3 // RCODE
)

// question returns the name and type of a query's only question, and where it ends; 0 if the
// query is none.
func question(b []byte) (name string, kind uint16, end int) {
	at := headerLen
	var labels []string
	for at < len(b) && b[at] != 0 {
		next := at + 1 + int(b[at])
		if next >= len(b) {
			return "", 0, 0
		}
		labels = append(labels, string(b[at+1:next]))
		at = next
	}
	if at+5 > len(b) {
		return "", 0, 0
	}
	return strings.ToLower(strings.Join(labels, ".")), binary.BigEndian.Uint16(b[at+1:]), at + 5
}

// reply returns the answer to a query of which q are the header and the question.
func reply(q []byte, ip string) []byte {
	r := append([]byte(nil), q...)
	r[2], r[3] = 0x85, 0x80 // an authoritative response, recursion desired and available
	clear(r[6:headerLen])
	a, err := netip.ParseAddr(ip)
	switch {
	case ip == "":
		r[3] |= notFound
	case err == nil:
		r[7] = 1
		r = append(r, 0xc0, headerLen, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4)
		r = append(r, a.AsSlice()...)
	}
	return r
}
