package load

import "github.com/tarebench/tare/internal/base/redact"

// Masked replaces a secret in output.
const Masked = redact.Placeholder

// Redact returns a value in a form that may be shown and recorded. It returns [Masked]
// if the name says that the value is secret: if password, passphrase, dsn, token, secret,
// authorization, cookie or the like is in it (redis.password, X-Auth-Token, MY_TOKEN_2), or if
// it ends with _key, pass or signature. A name about a secret is none (password.file,
// max_tokens). Otherwise it replaces the secrets in the value that it recognises:
//
//   - the password of a URL, up to the last @, because an unescaped password may
//     contain any character; in http URLs also a user without a password, because it
//     may be a token;
//   - the text after sig=, key=, code= and similar ones among the parameters of a URL, as signed
//     links have them;
//   - the text after a secret name and =, as in the parameters of a URL or in
//     PostgreSQL's host=… password=…, up to white space or the closing quote;
//   - the text after a secret name and a colon, as in a header, up to the end of
//     the line.
//
// It hides a text that may be one. The name may be "" for any text, such as an
// error. Redacting twice changes nothing.
func Redact(name, value string) string { return redact.Value(name, value) }
