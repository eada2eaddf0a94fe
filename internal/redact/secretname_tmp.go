package redact

// SecretName reports whether what has this name is a secret: a variable, a setting or a flag.
func SecretName(name string) bool {
	return name != "PWD" && name != "OLDPWD" && secretName(name)
}
