package tree

import (
	"slices"
	"strings"
)

// tied lists the variables that tie git to one repository, as `git rev-parse --local-env-vars`
// prints them, except the ones for configuration, which the user may have set.
var tied = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_GRAFT_FILE",
	"GIT_SHALLOW_FILE", "GIT_QUARANTINE_PATH",
	"GIT_INTERNAL_SUPER_PREFIX", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_CONFIG",
	"GIT_CONFIG_PARAMETERS",
}

// ofShell lists the variables that a shell sets for each program that it starts. They name the folder in which the user
// was before, and how suite was started: another folder is another environment, in which nothing is known of a case.
var ofShell = []string{"OLDPWD", "_"}

// Environ returns env, a list of NAME=value, without the variables that tie git to one
// repository, and without those that differ each time that a shell starts suite. Commands in both trees get this
// environment: if a git hook starts suite, those variables name the user's repository.
func Environ(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(tied, strings.ToUpper(name)) || slices.Contains(ofShell, name)
	})
}
