package judge

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// secretWords are words in the names of variables with secrets, as CI systems and tools
// name them. Underscores separate the words of a name: GH_PAT, MYSQL_PWD.
var secretWords = []string{
	"AUTH", "AUTHORIZATION", "BEARER", "COOKIE", "CRED", "CREDS", "DSN", "ENCRYPTION", "JWT", "KEY", "KEYS", "OTP",
	"PASS", "PAT", "PIN", "PW", "PWD", "SALT", "WEBHOOK",
}

// secretParts matches words that contain such a word: DBPASSWORD, ACCESSTOKENS, SSHPASS.
var secretParts = lazy.Regexp(`TOKEN|SECRET|PASSW|PASSPHRASE|PASSCODE|CREDENTIAL|` +
	`(API|ACCESS|PRIVATE|ENCRYPTION|SIGNING)KEY|PASS$|PWD$`)

// knownPlain lists variables whose names contain such a word although their values are paths.
var knownPlain = []string{"PWD", "OLDPWD", "SSH_AUTH_SOCK", "GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS", "PGPASSFILE"}

// passwords match the password in the address of a server, or the signature of a SAS URL, which
// is one, in the forms https://x.blob.core.windows.net/y?sv=…&sig=secret,
// postgres://me:secret@db/x, me:secret@tcp(db:3306)/x (but not image:tag@sha256:…), and
// host=db password=secret or jdbc:…?password=secret.
var passwords = []func() *regexp.Regexp{
	lazy.Regexp(`://[^/\s:@]*:([^\s@]+)@`),
	lazy.Regexp(`^[^/\s:@]+:(\S+)@[\w.-]*(?:\([^)]*\))?(?::\d+)?(?:[/?]\S*)?$`),
	lazy.Regexp(`[?&;]sig=([^\s&;'"]+)`),
	lazy.Regexp(`(?i)(?:^|[\s;?&])(?:password|passwd|pwd)\s*=\s*('[^']*'|"[^"]*"|[^\s;&]+)`),
}

// leastSecret is the smallest length, in bytes, of a value that is masked. Shorter values,
// such as true or 1, are common in texts that have nothing to do with the secret.
const leastSecret = 8

// secrets finds what no report of these plans may contain: the secrets among the
// variables of this process and the variables that the suite files set.
func secrets(plans []*spec.Plan) []result.Secret {
	variables := os.Environ()
	for _, plan := range plans {
		variables = append(variables, plan.Given...)
		for i := range plan.Cases {
			c := &plan.Cases[i]
			variables = append(variables, c.Env...)
			for k := range c.Services {
				variables = append(variables, c.Services[k].Env...)
			}
		}
	}
	slices.Sort(variables)
	all := secretsOf(slices.Compact(variables))
	// In single quotes of YAML, as in the text of a suite file, an apostrophe is doubled.
	for _, s := range all {
		if strings.Contains(s.Value, "'") {
			all = append(all, result.Secret{Name: s.Name, Value: strings.ReplaceAll(s.Value, "'", "''")})
		}
	}
	return all
}

// SecretNames finds the cases whose names would contain a secret because of ${env.NAME}. Names
// are never masked, because verdicts, baselines and other results refer to them.
func SecretNames(plans []*spec.Plan) (problems diag.Problems) {
	for _, s := range secretsOf(os.Environ()) {
		for _, plan := range plans {
			if !mentionsVariable(plan, s.Name) {
				continue
			}
			for i := range plan.Cases {
				if c := &plan.Cases[i]; strings.Contains(c.Name, s.Value) {
					problems = append(problems, diag.Problem{Place: c.Place,
						Message: fmt.Sprintf("the name of case %q would contain the value of $%s, a secret",
							strings.ReplaceAll(c.Name, s.Value, "$"+s.Name), s.Name),
						Hint: "give it a name: without it"})
				}
			}
		}
	}
	return problems
}

// mentionsVariable reports whether the files of a plan may expand a variable. It is true for
// files whose text was too long to be kept.
func mentionsVariable(plan *spec.Plan, name string) bool {
	return slices.ContainsFunc(plan.Sources, func(f result.Source) bool {
		return f.Left > 0 || strings.Contains(f.Text, "env."+name)
	})
}

// maskReasons masks secrets in the reasons of counterparts, which quote command lines and
// are quoted in the reasons of gates.
func maskReasons(plan *spec.Plan) {
	if plan.Against == nil {
		return
	}
	mask := result.Masker(secrets([]*spec.Plan{plan}))
	for i := range plan.Cases {
		counterpart := plan.Cases[i].Counterpart
		if counterpart != nil {
			counterpart.Reason = mask(counterpart.Reason)
		}
	}
}

// secretsOf finds the secrets among variables, each NAME=value. A password in the address of a
// server is a second secret, because programs print it without the address.
func secretsOf(variables []string) (all []result.Secret) {
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		password := passwordIn(value)
		if isSecretName(name) || password != "" {
			for _, text := range []string{value, password} {
				if len(text) >= leastSecret {
					all = append(all, result.Secret{Name: name, Value: text})
				}
			}
		}
	}
	return all
}

func isSecretName(name string) bool {
	name = strings.ToUpper(name)
	if slices.Contains(knownPlain, name) {
		return false
	}
	words := strings.FieldsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains(secretWords, word) || secretParts().MatchString(word)
	})
}

// passwordIn returns the password in the address of a server, "" if there is none.
func passwordIn(value string) string {
	for _, pattern := range passwords {
		if found := pattern().FindStringSubmatch(value); found != nil {
			return strings.Trim(found[1], `'"`)
		}
	}
	return ""
}
