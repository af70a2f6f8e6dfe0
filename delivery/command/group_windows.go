package command

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps a console window from flashing up.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true}
}
