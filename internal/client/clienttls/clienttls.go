package clienttls

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"github.com/tarebench/tare/internal/base/input/regularfile"
)

// Files are settings of a client. The zero value trusts what the system trusts.
type Files struct {
	CA         string // certificates in PEM that are trusted instead of the system's
	Cert, Key  string // of the client, in PEM; both or none
	ServerName string // that the certificate must have, instead of the host's
	Insecure   bool   // the server's certificate is not checked
}

// Given reports whether any setting was made.
func (f Files) Given() bool { return f != Files{} }

// Config returns the configuration for connections to a host. An error names the property
// that is wrong: prefix and ca, cert or key.
func (f Files) Config(host, prefix string) (*tls.Config, error) {
	c := &tls.Config{ServerName: host, InsecureSkipVerify: f.Insecure, MinVersion: tls.VersionTLS12}
	if f.ServerName != "" {
		c.ServerName = f.ServerName
	}
	var errs []error
	if f.CA != "" {
		pool, err := readPool(f.CA)
		if err != nil {
			errs = append(errs, fmt.Errorf("property %sca: %w", prefix, err))
		}
		c.RootCAs = pool
	}
	switch {
	case f.Cert != "" && f.Key == "":
		errs = append(errs, fmt.Errorf("property %scert needs property %skey", prefix, prefix))
	case f.Cert == "" && f.Key != "":
		errs = append(errs, fmt.Errorf("property %skey needs property %scert", prefix, prefix))
	case f.Cert != "":
		pair, err := readPair(f.Cert, f.Key)
		if err != nil {
			errs = append(errs, fmt.Errorf("property %scert: %w", prefix, err))
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, errors.Join(errs...)
}

func readPool(file string) (*x509.CertPool, error) {
	text, err := regularfile.Read(file, maxFile)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s: no certificate in PEM", file)
	}
	return pool, nil
}

func readPair(cert, key string) (tls.Certificate, error) {
	certText, err := regularfile.Read(cert, maxFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	keyText, err := regularfile.Read(key, maxFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	pair, err := tls.X509KeyPair(certText, keyText)
	if err != nil {
		return pair, fmt.Errorf("%s and %s: %w", cert, key, err)
	}
	return pair, nil
}

// maxFile is the limit of a file, in bytes.
const maxFile = 16 << 20
