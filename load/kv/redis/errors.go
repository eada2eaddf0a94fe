package redis

import (
	"errors"
	"net"
	"strings"

	"github.com/gomodule/redigo/redis"

	"github.com/tarebench/tare/load"
)

// classify says of an error of the client what load.Class cannot see, and removes
// the password from its text, which a server that echoes puts there.
func (d *store) classify(err error) error {
	return load.Mask(load.WithClass(class(err), err), d.password)
}

// class returns "" for what has no class of its own. The client's errors of the
// protocol have no type; they are what remains.
func class(err error) string {
	var answer redis.Error
	var network net.Error
	known := load.Class(err)
	switch {
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
