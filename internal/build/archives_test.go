package build

import "testing"

func TestSettingsThatOnlyOneBinaryHas(t *testing.T) {
	for _, test := range []struct {
		a, b []string
		want string
	}{
		{[]string{"-race", "-tags=x"}, []string{"-tags=x"}, "-race"},
		{[]string{"-buildmode=exe", "DefaultGODEBUG=panicnil=1,tls3des=1,urlmaxqueryparams=0"}, []string{"-buildmode=exe", "DefaultGODEBUG=urlmaxqueryparams=0"},
			"DefaultGODEBUG panicnil=1, DefaultGODEBUG tls3des=1"},
		{[]string{"a", "b", "c", "d"}, []string{"e"}, "a, b, c and 2 more"},
		{[]string{"-s", "-w"}, []string{"-w", "-s"}, "the order of -s -w"},
	} {
		if got := unlike(test.a, test.b); got != test.want {
			t.Errorf("%q, %q: %s, want %s", test.a, test.b, got, test.want)
		}
	}
}
