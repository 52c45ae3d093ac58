package wire

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
)

// handles names the environment variable that carries both pipe handles.
const handles = "SUITE_HOST_HANDLES"

// Inherit passes the host's ends of both pipes to a command.
func Inherit(cmd *exec.Cmd, requests, answers *os.File) error {
	for _, f := range []*os.File{requests, answers} {
		h := windows.Handle(f.Fd())
		if err := windows.SetHandleInformation(h, windows.HANDLE_FLAG_INHERIT,
			windows.HANDLE_FLAG_INHERIT); err != nil {
			return err
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags:              syscall.CREATE_NEW_PROCESS_GROUP,
		AdditionalInheritedHandles: []syscall.Handle{syscall.Handle(requests.Fd()), syscall.Handle(answers.Fd())},
	}
	cmd.Env = append(cmd.Environ(), fmt.Sprintf("%s=%d,%d", handles, requests.Fd(), answers.Fd()))
	return nil
}

// HangUp returns a function that never returns: here a host that is busy notices
// only after its batch that the controller is gone.
func HangUp(*os.File) (wait func()) { return func() { select {} } }

func Inherited() (in, out *os.File, err error) {
	first, second, ok := strings.Cut(os.Getenv(handles), ",")
	a, errA := strconv.ParseUint(first, 10, 64)
	b, errB := strconv.ParseUint(second, 10, 64)
	if !ok || errA != nil || errB != nil {
		return nil, nil, fmt.Errorf("%s is not set", handles)
	}
	os.Unsetenv(handles)
	return os.NewFile(uintptr(a), "requests"), os.NewFile(uintptr(b), "answers"), nil
}

// Watch sees nothing: handles are not small numbers that one closes by mistake.
func Watch(...*os.File) (intact func() error) { return func() error { return nil } }
