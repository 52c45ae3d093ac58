package spawner

const (
	sysRead, sysSendto, sysClose, sysMmap       = 0, 44, 3, 9
	sysRtSigaction, sysNanosleep                = 13, 35
	sysRecvmsg, sysGetsockopt, sysClone         = 47, 55, 56
	sysWait4, sysKill, sysFcntl, sysChdir       = 61, 62, 72, 80
	sysSetpgid, sysGetppid, sysGetpid, sysPrctl = 109, 110, 39, 157
	sysSchedSetaffinity, sysSchedGetaffinity    = 203, 204
	sysClockGettime                             = 228
	sysExitGroup, sysWaitid, sysOpenat          = 231, 247, 257
)
