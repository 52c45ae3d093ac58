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

// ofSession lists the variables that name the shell, the window of a terminal or the login in which suite was started,
// and the folder in which the user was before. In another environment nothing is known of a case, so each new terminal
// would run all cases again to find out what they look at. A variable that says what a terminal can do (TERM), or that a
// program needs to reach another one (SSH_AUTH_SOCK), is not among them.
var ofSession = []string{
	"OLDPWD", "_", "SHLVL", // of a shell
	"WINDOWID", "TERM_SESSION_ID", "SHELL_SESSION_ID", "ITERM_SESSION_ID", "WT_SESSION", "KITTY_WINDOW_ID",
	"ALACRITTY_WINDOW_ID", "WEZTERM_PANE", "TMUX_PANE", "GNOME_TERMINAL_SCREEN", "KONSOLE_DBUS_SESSION",
	"KONSOLE_DBUS_WINDOW",                                       // of a window
	"SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "XDG_SESSION_ID", // of a login
}

// Environ returns env, a list of NAME=value, without the variables that tie git to one
// repository, and without those that differ from shell to shell and from terminal to terminal. Commands in both trees get
// this environment: if a git hook starts suite, those variables name the user's repository.
func Environ(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(tied, strings.ToUpper(name)) || slices.Contains(ofSession, name)
	})
}
