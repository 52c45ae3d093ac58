package spawner

const (
	sysRead             = 63
	sysSendto           = 206
	sysClose            = 57
	sysMmap             = 222
	sysRtSigaction      = 134
	sysNanosleep        = 101
	sysRecvmsg          = 212
	sysGetsockopt       = 209
	sysClone            = 220
	sysWait4            = 260
	sysKill             = 129
	sysFcntl            = 25
	sysChdir            = 49
	sysSetpgid          = 154
	sysGetppid          = 173
	sysGetpid           = 172
	sysPrctl            = 167
	sysSchedSetaffinity = 122
	sysSchedGetaffinity = 123
	sysClockGettime     = 113
	sysExitGroup        = 94
	sysWaitid           = 95
	sysOpenat           = 56
)
