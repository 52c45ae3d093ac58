package judge

import (
	"testing"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

func TestNamesOfSecrets(t *testing.T) {
	for _, name := range []string{"GITHUB_TOKEN", "SECRET", "client_secret", "DB_PASSWORD", "DBPASSWORD", "KEY_PASSPHRASE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
		"MYSQL_PWD", "SSHPASS", "RSYNC_PASSWORD", "REDISCLI_AUTH", "GH_PAT", "AZURE_DEVOPS_EXT_PAT", "SSH_KEY", "STRIPE_APIKEY", "SENTRY_DSN", "NPM_CONFIG__AUTH", "SMTP_PASS",
		"GOOGLE_APPLICATION_CREDENTIALS", "SLACK_WEBHOOK", "JWT", "ACCESSTOKENS", "rails_master_key", "CARD_PIN", "DB_PW", "VAULT_ENCRYPTION", "PW", "DJANGO-SECRET-KEY"} {
		if !isSecretName(name) {
			t.Errorf("%s is no secret", name)
		}
	}
	for _, name := range []string{"PATH", "PWD", "OLDPWD", "HOME", "KEYBOARD", "MONKEY", "COMPASSES", "PATTERN", "AUTHOR", "GIT_AUTHOR_NAME", "SSH_AUTH_SOCK",
		"SSH_ASKPASS", "PASSENGERS", "SALTED", "CREDITS", "TURKEYS", "XDG_SESSION_ID", "PINNED", "SPIN", "ENCRYPTED"} {
		if isSecretName(name) {
			t.Errorf("%s is a secret", name)
		}
	}
}

// A password in an address is a secret whatever the variable is called, with the address
// and by itself.
func TestPasswordsInAddresses(t *testing.T) {
	for value, want := range map[string]string{
		"postgres://me:hunter2hunter2@db/x":                                             "hunter2hunter2",
		"https://:hunter2hunter2@host:3128":                                             "hunter2hunter2",
		"me:hunter2hunter2@tcp(db:3306)/x?parseTime=true":                               "hunter2hunter2",
		"me:hunter2@hunter2@unix(/tmp/mysql.sock)/x":                                    "hunter2@hunter2",
		"me:hunter2hunter2@db:5432/x":                                                   "hunter2hunter2",
		"host=db user=me password=hunter2hunter2 sslmode=off":                           "hunter2hunter2",
		"host=db password='hunter2 hunter2'":                                            "hunter2 hunter2",
		"Server=db;User Id=me;Password=hunter2hunter2;Encrypt=yes":                      "hunter2hunter2",
		"jdbc:postgresql://db/x?user=me&password=hunter2hunter2":                        "hunter2hunter2",
		"https://x.blob.core.windows.net/y?sv=2024-11-04&sig=hunter2hunter2%3D&se=2027": "hunter2hunter2%3D",
		"https://x/y?design=modern":                                                     "",
		"postgres://db/x":                                                               "",
		"golang:1.26.0-trixie@sha256:0a1b":                                              "",
		"git@example.org:me/x.git":                                                      "",
		"/usr/bin:/bin":                                                                 "",
		"a sentence: me@example.org":                                                    "",
	} {
		if got := passwordIn(value); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
		var secrets []result.Secret
		if want != "" {
			secrets = []result.Secret{{Name: "PLACE", Value: value}, {Name: "PLACE", Value: want}}
		}
		if diff := cmp.Diff(secrets, secretsOf([]string{"PLACE=" + value})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", value, diff)
		}
	}
	if got := secretsOf([]string{"MODE_TOKEN=measured", "SHORT_TOKEN=true", "PLAIN=hunter2hunter2"}); len(got) != 1 || got[0].Value != "measured" {
		t.Errorf("got %v", got)
	}
}
