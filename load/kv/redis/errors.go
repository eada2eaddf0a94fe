package redis

import (
	"errors"
	"net"
	"strings"

	"github.com/gomodule/redigo/redis"

	"github.com/tarebench/tare/load"
)

// classify returns an error with its class, and removes the password from its text,
// which a wrong server may echo.
func (d *store) classify(err error) error {
	return load.Mask(load.WithClass(class(err), err), d.password)
}

// class returns the class of an error, or "" if load.Class knows it. The client's
// protocol errors have no type and are recognised by their prefix.
func class(err error) string {
	var answer redis.Error
	var network net.Error
	known := load.Class(err)
	switch {
	case hasPrefix(err, "ERR max number of clients"): // and the connection was closed
		return load.ClassRefused
	case errors.As(err, &answer):
		return load.ClassServer
	case known != load.ClassOther:
		return known
	case errors.As(err, &network):
		return ""
	case strings.HasPrefix(err.Error(), "redigo: "):
		return load.ClassProtocol
	}
	return ""
}
