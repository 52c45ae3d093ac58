package main

import (
	"os"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// secretName tells variables that hold secrets, as CI systems and tools call them.
var secretName = lazy.Regexp(`(?i)TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|_PASS$|API_?KEY|(ACCESS|PRIVATE|ENCRYPTION|SIGNING)_KEY`)

// password finds an address with a password in it: postgres://me:secret@db/x.
var password = lazy.Regexp(`://[^/\s:@]*:[^/\s@]+@`)

// leastSecret is the length of a value that is masked, bytes: shorter ones, such
// as true or 1, stand in texts that have nothing to do with them.
const leastSecret = 8

// secrets are the variables of this process that no report may hold.
func secrets() []result.Secret { return secretsOf(os.Environ()) }

// declaredSecrets are the variables of which suite files themselves say the values, as
// they are spelled there: in single quotes of YAML, an apostrophe is doubled.
func declaredSecrets(plans []*spec.Plan) (all []result.Secret) {
	for _, plan := range plans {
		all = append(all, secretsOf(plan.Given)...)
	}
	for _, s := range all {
		if strings.Contains(s.Value, "'") {
			all = append(all, result.Secret{Name: s.Name, Value: strings.ReplaceAll(s.Value, "'", "''")})
		}
	}
	return all
}

// secretsOf are those of some variables, NAME=value, that no report may hold.
func secretsOf(variables []string) (all []result.Secret) {
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		if len(value) >= leastSecret && (secretName().MatchString(name) || password().MatchString(value)) {
			all = append(all, result.Secret{Name: name, Value: value})
		}
	}
	return all
}
