package redact

import (
	"strings"
	"testing"
)

// secretNames are of variables, flags, headers, properties and parameters whose values are secrets.
const secretNames = `
GITHUB_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_ID_TOKEN_REQUEST_URL ACTIONS_RUNTIME_TOKEN HF_TOKEN MAXMIND_TOKEN MAX_API_TOKEN NPM_TOKEN GH_PAT PAT gitlab.pat
AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN VAULT_SECRET_ID GOOGLE_APPLICATION_CREDENTIALS KUBECONFIG KUBE_CONFIG_DATA
DATABASE_URL PGPASSWORD MYSQL_PWD DB_PWD PWD_HASH db.pwd pwd Pwd SENTRY_DSN dsn postgres.dsn AZURE_STORAGE_CONNECTION_STRING SLACK_WEBHOOK_URL
MY_PASSPHRASE APP_PASSCODE pass-phrase X_SIGNATURE X-Amz-Signature SSH_PRIVATE_KEY PRIVATE_KEY private GPG_PRIVATE STRIPE_KEY stripeKey SIGNING_KEY DB_KEY
API_KEY apiKey apikey x-api-key X-Api-Key APIKey API_KEYS dapi.key MY_API_KEY_2 client_secret clientSecret client-secret MY_SECRET_VALUE
OAUTH_SOCK_SECRET JWT MY_JWT BEARER BEARER_TOKEN COOKIE COOKIES Set-Cookie http.header.Cookie http.header.Authorization Proxy-Authorization
PASS DB_PASS DBPASS smtp.pass storepass PassWord pAsSwOrD passwd passwords db.passwords DB_PASSWORD_PROD redis.password passwrd http-password
AUTH redis.auth X_AUTHORIZATION GOAUTH NPM_CONFIG__AUTH proxyAuth OAUTH2 authToken auth-key AUTHENTICATION WWW-Authenticate
SESSION SESSION_ID JSESSIONID PHPSESSID DBUS_SESSION_BUS_ADDRESS pw db_pw TOKENIZERS_API_KEY XDG_SESSION_TOKEN DB.CREDS passin TOTP_OTP AZURE_SAS
NATS_NKEY ROOTPW rootpw SERVICE_ACCOUNT_JSON GCP_SA SA_JSON KEYSTORE KEYSTORE_BASE64 P12_BASE64 TLS_PEM CONN_STR MNEMONIC SEED_PHRASE PSK HMAC GIT_HTTP_EXTRAHEADER CARD_PIN
accesskey token tokens --api-token -password "password" --DB_PASSWORD
`

// publicNames are of what is no secret.
const publicNames = `
PWD OLDPWD PATH HOME USER GOFLAGS GOPATH GOPRIVATE KEYBOARD MONKEY key KEY KEYS compass bypass pat SSH_AUTH_SOCK XDG_SESSION_CLASS XDG_SESSION_ID
DESKTOP_SESSION SESSION_MANAGER SESSIONNAME GIT_AUTHOR_NAME author AUTHOR authors authority XAUTHORITY TOKENIZERS_PARALLELISM tokenizer Tokenise
password.file passwordfile passwordFile --token-file PASSWORD_FILE TOKEN_PATH secret-name token-length --token-ttl
max_tokens maxTokens max-new-tokens num.tokens tokens.max n_tokens key_size key_length keyspace KEYSPACE keyprefix PRIMARY_KEY sort-key public.key
hash salt seed fieldcount table redis.addr http.url mongodb.url --keep-calls --sort --rate --workers GIT_COMMITTER_EMAIL endSnapshot threadsnap pin
secretary secretaries SA KEYSTORE_TYPE keystore.path
pass_count passes bench output monkeys turkey
`

func TestSecretName(t *testing.T) {
	for _, x := range []struct {
		names string
		want  bool
	}{{secretNames, true}, {publicNames, false}} {
		for _, name := range strings.Fields(x.names) {
			if SecretName(name) != x.want {
				t.Errorf("%s is secret: %v, want %v", name, !x.want, x.want)
			}
		}
	}
	for _, name := range strings.Fields(secretNames) {
		if name == "PAT" || name == "Pwd" || name == "pwd" {
			continue // as capitals, another thing
		}
		for _, same := range []string{strings.ToUpper(name), strings.ToLower(name), strings.ReplaceAll(name, "_", "-"), strings.ReplaceAll(name, "-", "."), "my_" + name} {
			if strings.ToLower(same) == name && strings.ContainsFunc(name, func(r rune) bool { return r >= 'A' && r <= 'Z' }) {
				continue
			}
			if !SecretName(same) && !strings.Contains(name, "Key") { // a small word ends where a capital was
				t.Errorf("%s is a secret, and %s is none", name, same)
			}
		}
	}
}
