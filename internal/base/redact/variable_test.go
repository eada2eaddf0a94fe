package redact

import (
	"strings"
	"testing"
)

// TestSecretVariable: plain values of names that are about secrets are passed on, and what may be a secret is not.
func TestSecretVariable(t *testing.T) {
	plain := `
NUM_KEYS=10
BENCH_KEYS=100000
BENCH_KEYS=small,large
CACHE_KEY=linux-go-1.26
CACHE_KEYS=8f14e45fceea167a5a36dedd4bea2543
TOKEN_BUCKET_RATE=100
TOKEN_BUCKET_RATE=100/s
TOKEN_BUCKET_BURST=1e3
AUTH_DISABLED=true
AUTH_ENABLED=0
AUTH_ADDR=localhost:8080
AUTH_ADDR=vault:8200
AUTH_ADDR=:8080
AUTH_HOST=auth.example.com
AUTH_TIMEOUT=1m30s
AUTH_LISTEN=[::1]:80
SESSION_CACHE_AGE=30s,1m
OAUTH_URL=https://login.example.com/oauth2/authorize
TOKEN_URL=https://h/token
DATABASE_URL=postgres://localhost/bench
DATABASE_URL=postgres://me@localhost:5432/bench
PG_DSN=host=localhost port=5432 user=me dbname=bench
MYSQL_DSN=me@tcp(127.0.0.1:3306)/bench
MYSQL_DSN=
NUM_TOKENS=10
BATCH_TOKENS=4096
SESSIONS=10,100
PARTITION_KEY=x
`
	secret := `
API_TOKEN=1234
API_TOKEN=true
API_TOKEN_2=1234
API_TOKEN_PROD=1234
apiToken=10
SYSTEM_ACCESSTOKEN=1
DB_PASSWORD=1234
DB_PASSWORD_PROD=1234
DB_PASSWORD1=12
DB_PASS=1
MYSQL_PWD=1
MY_PASSPHRASE=10s
APP_PASSCODE=123456
CLIENT_SECRET=10
CLIENT_SECRET_OLD=10
API_KEY=1234
SIGNING_KEY=10
PGPASSWORD=localhost:80
REDIS_AUTH=1234
HTTP_AUTH=me:1234
AUTH_USER=me:1234
AUTH_USER=first.last:1234
AUTH_CODE=123456
TOTP=123456
CARD_PIN_TOKEN=1234
STRIPE_KEY=abc
DEPLOY_KEYS=abc,def
AUTH_DATA=a1b2c3d4e5f6
AUTH_STATE=12345678901234567890
OAUTH_URL=https://me:x@h/auth
OAUTH_URL=https://h/auth?x=1
SESSION_URL=https://h/s/3f9a8b7c6d5e4f3a
SLACK_WEBHOOK_URL=https://h/hook
DATABASE_URL=postgres://me:x@localhost/bench
SENTRY_DSN=https://0123456789abcdef@h/1
PG_DSN=host=localhost password=x
PG_DSN=host=localhost auth=x
MYSQL_DSN=me:x@tcp(127.0.0.1:3306)/bench
EMPTY_TOKEN=
LINK=https://h/x?sig=x
CACHE_KEY=https://me:x@h
SESSION=1
JWT=1
`
	for text, want := range map[string]bool{plain: false, secret: true} {
		for line := range strings.Lines(strings.TrimSpace(text)) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			if got := SecretVariable(name, value); got != want {
				t.Errorf("%s=%s is a secret: %v, want %v", name, value, got, want)
			}
		}
	}
	for name := range strings.FieldsSeq(secretNames) {
		if value := "hunter2-geheim-0815"; !SecretVariable(name, value) {
			t.Errorf("%s=%s is passed on", name, value)
		}
	}
}
