package spawner

const (
	sysRead             = 0
	sysSendto           = 44
	sysClose            = 3
	sysMmap             = 9
	sysRtSigaction      = 13
	sysNanosleep        = 35
	sysRecvmsg          = 47
	sysGetsockopt       = 55
	sysClone            = 56
	sysWait4            = 61
	sysKill             = 62
	sysFcntl            = 72
	sysChdir            = 80
	sysSetpgid          = 109
	sysGetppid          = 110
	sysGetpid           = 39
	sysPrctl            = 157
	sysSchedSetaffinity = 203
	sysSchedGetaffinity = 204
	sysClockGettime     = 228
	sysExitGroup        = 231
	sysWaitid           = 247
	sysOpenat           = 257
)
