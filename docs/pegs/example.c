/* cc -O2 -o example example.c -lm && SUITE_PEGS=pegs ./example */
#define _POSIX_C_SOURCE 200809L
#define PEGS_IMPLEMENTATION
#include "pegs.h"

static unsigned work(unsigned steps) {
	unsigned x = 1;
	for (unsigned i = 0; i < steps; i++) x = x * 1664525 + 1013904223;
	return x;
}

int main(void) {
	unsigned sum = 0;
	for (int i = 0; i < 100; i++) {
		PEG_START("begin");
		sum += work(1000);
		PEG("parsed"); /* begin -> parsed */
		sum += work(5000);
		PEG("drawn"); /* parsed -> drawn */
		PEG_FROM("begin", "done"); /* begin -> done, with both */
	}
	printf("%u\n", sum);
	return 0;
}
