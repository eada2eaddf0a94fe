package server

import (
	"crypto/tls"
	"net"
)

// serveTLS makes a listener one for TLS, with a certificate and its key in files of PEM.
func serveTLS(l net.Listener, cert, key string) (net.Listener, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}), nil
}
