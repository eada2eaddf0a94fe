package postgres

import (
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tarebench/tare/load"
)

// classify returns an error with its class, and removes the password from its text,
// which a wrong server may echo.
func (d *store) classify(err error) error {
	err = plain(err)
	return load.Mask(load.WithClass(class(err), err), d.config.Password)
}

// class returns the class of an error, or "" if load.Class knows it.
func class(err error) string {
	var answer *pgconn.PgError
	switch {
	case errors.As(err, &answer):
		return classOfCode(answer.Code)
	case errors.Is(err, pgconn.ErrConnClosed):
		return load.ClassReset
	case load.Class(err) != load.ClassOther:
		return ""
	}
	return load.ClassProtocol // pgx could not parse the answer
}

// tooManyConnections is PostgreSQL's code for a server that takes no more clients.
const tooManyConnections = "53300"

// classOfCode returns the class of an error code of the server, by PostgreSQL's table
// of codes.
func classOfCode(code string) string {
	switch code {
	case "57P03", tooManyConnections: // cannot connect now
		return load.ClassRefused
	case "57P01", "57P02", "57P05": // the session was ended by administrator, crash, idleness
		return load.ClassReset
	case "57014": // cancelled, as by statement_timeout
		return load.ClassTimeout
	}
	if strings.HasPrefix(code, "08") { // connection exceptions
		return load.ClassReset
	}
	return load.ClassServer
}

// plain shortens pgx's text of several lines for attempts to connect to the error of
// the server or the network.
func plain(err error) error {
	var connecting *pgconn.ConnectError
	if !errors.As(err, &connecting) {
		return err
	}
	var answer *pgconn.PgError
	var network *net.OpError
	switch {
	case errors.As(err, &answer):
		return answer
	case errors.As(err, &network):
		return network
	}
	return oneLine{connecting.Unwrap()}
}

type oneLine struct{ error }

func (e oneLine) Error() string { return strings.ReplaceAll(e.error.Error(), "\n", "; ") }
func (e oneLine) Unwrap() error { return e.error }
