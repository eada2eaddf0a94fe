package redis

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/tarebench/tare/load"
)

// classify says of an error of go-redis what load.Class cannot see, and removes
// the password from its text, which a server that echoes puts there.
func (d *store) classify(err error) error {
	return load.Mask(load.WithClass(class(err), err), d.password)
}

// class returns "" for what load.Class knows. The errors of go-redis' reader have
// no type; they are what remains.
func class(err error) string {
	var answer redis.Error
	var network net.Error
	switch {
	case errors.Is(err, redis.ErrPoolTimeout):
		return load.ClassTimeout
	case errors.As(err, &answer) && !errors.Is(err, redis.Nil):
		return load.ClassServer
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, redis.ErrClosed), load.Class(err) != load.ClassOther:
		return ""
	case strings.HasPrefix(err.Error(), "redis: "):
		return load.ClassProtocol
	}
	return ""
}
