#!/bin/sh
# prepare.sh [DIR] makes what a controller and its agents need to trust each other: a token, an authority, and a certificate of
# the controller for the names below, valid for 30 days. DIR is secrets by default. It needs openssl.
set -eu
names=DNS:localhost,IP:127.0.0.1,DNS:controller,DNS:tare-controller
dir=${1:-secrets}
mkdir -m 700 "$dir" # others cannot read what is in it; a container gets the files one by one
cd "$dir"
openssl rand -hex 24 >token
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj '/CN=authority of tare agents' \
  -keyout ca.key -out ca.crt 2>/dev/null
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=controller -keyout tls.key -out tls.csr 2>/dev/null
printf 'subjectAltName=%s\n' "$names" >names
openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -days 30 -extfile names -out tls.crt 2>/dev/null
rm -f tls.csr names ca.srl
chmod 600 ca.key
chmod 644 token ca.crt tls.crt tls.key # users of containers have other numbers
