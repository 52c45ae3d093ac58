package push

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// passwordVariable has the password of servers that are reached by HTTP.
const passwordVariable = "SUITE_PUSH_PASSWORD"

// HTTP returns the openers of the stores of this package. lookup reads variables of the
// environment.
func HTTP(lookup func(string) (string, bool)) map[string]Opener {
	all := map[string]Opener{}
	for kind, open := range map[string]func(string, *url.URL, func(string) (string, bool)) (Store, error){
		"clickhouse": openClickHouse, "pushgateway": openPushgateway, "otlp": openOTLP,
	} {
		all[kind] = func(_ context.Context, to string) (Store, error) {
			if to == "otlp:" { // the environment has the address
				return open("", nil, lookup)
			}
			place, u, err := parse(kind, to)
			if err != nil {
				return nil, err
			}
			return open(place, u, lookup)
		}
	}
	return all
}

// parse reads kind+http://HOST. place is the same without secrets.
func parse(kind, to string) (place string, u *url.URL, err error) {
	address := strings.TrimPrefix(to, kind+"+")
	if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		return "", nil, Usage(kind+" needs http or https", fmt.Sprintf("for example %s+http://HOST", kind))
	}
	u, err = Parse(address, passwordVariable)
	if err == nil && u.Host == "" {
		err = Usage("the URL of "+kind+" has no host", fmt.Sprintf("for example %s+http://HOST", kind))
	}
	if err != nil {
		return "", nil, err
	}
	return kind + "+" + withoutSecrets(address), u, nil
}

// Parse reads a URL. Its errors show no part of it: a password that is not escaped ends up in
// any other part. The hint names the variable that may have the password.
func Parse(address, variable string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.User == nil && strings.Contains(strings.ReplaceAll(address, "@base64/", ""), "@") {
		return nil, Usage("the URL cannot be read",
			"in a password, write / as %2F, @ as %40, : as %3A, # as %23, ? as %3F and % as %25, or put it into "+
				"the variable "+variable)
	}
	return u, nil
}

// withoutSecrets is a URL without the parts that may have secrets.
func withoutSecrets(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "another place"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// bare is a URL without its user, its path, its query and its fragment.
func bare(u *url.URL) *url.URL { return &url.URL{Scheme: u.Scheme, Host: u.Host} }

// password reads the password from the environment.
func password(lookup func(string) (string, bool)) string {
	word, _ := lookup(passwordVariable)
	return word
}
