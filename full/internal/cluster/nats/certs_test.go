package nats

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"testing"
	"time"
)

// authority signs certificates for a test.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.cert, a.key = a.sign(template, template, nil)
	return a
}

// sign returns a certificate and its key. Without a signer's key it signs itself.
func (a *authority) sign(template, parent *x509.Certificate, signer *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	if signer == nil {
		signer = key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return cert, key
}

// pair returns a certificate for addresses, which ends at a time.
func (a *authority) pair(until time.Time, ips ...string) tls.Certificate {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "test"}, NotAfter: until,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, ip := range ips {
		template.IPAddresses = append(template.IPAddresses, net.ParseIP(ip))
	}
	cert, key := a.sign(template, a.cert, a.key)
	return tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key}
}

func (a *authority) pool() *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(a.cert)
	return p
}

// server returns the configuration of a server at 127.0.0.1 and other addresses.
func (a *authority) server(ips ...string) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{a.pair(time.Now().Add(time.Hour), append(ips, "127.0.0.1")...)}, MinVersion: tls.VersionTLS13}
}

// mutual is server, for clients with certificates only.
func (a *authority) mutual() *tls.Config {
	c := a.server()
	c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, a.pool()
	return c
}

// client returns the configuration of a client that trusts the authority.
func (a *authority) client() *tls.Config {
	return &tls.Config{RootCAs: a.pool(), MinVersion: tls.VersionTLS12}
}

// clientPair is client, with a certificate.
func (a *authority) clientPair() *tls.Config {
	c := a.client()
	c.Certificates = []tls.Certificate{a.pair(time.Now().Add(time.Hour))}
	return c
}
