package spawner

const (
	sysRead, sysSendto, sysClose, sysMmap       = 63, 206, 57, 222
	sysRtSigaction, sysNanosleep                = 134, 101
	sysRecvmsg, sysGetsockopt, sysClone         = 212, 209, 220
	sysWait4, sysKill, sysFcntl, sysChdir       = 260, 129, 25, 49
	sysSetpgid, sysGetppid, sysGetpid, sysPrctl = 154, 173, 172, 167
	sysSchedSetaffinity, sysSchedGetaffinity    = 122, 123
	sysClockGettime                             = 113
	sysExitGroup, sysWaitid, sysOpenat          = 94, 95, 56
)
