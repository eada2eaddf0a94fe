#!/bin/sh
# elsewhere.sh COMMAND [ARG…] runs a command in a network of its own, in which a Redis server listens at 10.9.9.10: to the
# command it is another machine. It needs Linux with user namespaces, and no root.
exec unshare --user --map-root-user --net sh -ec '
ip link set lo up
ip address add 10.9.9.10/32 dev lo
dir=$(mktemp -d)
redis-server --bind 10.9.9.10 --protected-mode no --save "" --dir "$dir" --loglevel warning >/dev/null &
trap "kill $!; rmdir $dir" EXIT
until redis-cli -h 10.9.9.10 ping >/dev/null 2>&1; do sleep 0.1; done
"$@"' sh "$@"
