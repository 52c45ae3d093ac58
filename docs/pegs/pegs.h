/* pegs.h: where the time goes inside a C program. Protocol: docs/pegs.md of suite.
 *
 *   #define PEGS_IMPLEMENTATION      // in one file of the program
 *   #include "pegs.h"
 *
 *   PEG("read");                     // ends the arc from the last point, begins the next
 *   PEG_START("asked");              // begins an arc, ends none
 *   PEG_STOP("answered");            // ends the arc from the last point, begins none
 *   PEG_FROM("asked", "drawn");      // ends the arc asked -> drawn, whatever lies between
 *
 * Without SUITE_PEGS in the environment a point costs a load and a branch. With it, the
 * program writes its document when it ends by exit or by return from main. Each thread
 * has a last point of its own. What a point takes itself lies in no arc. C11, POSIX. */
#ifndef PEGS_H
#define PEGS_H

enum { PEGS_HIT, PEGS_BEGINS, PEGS_ENDS };
extern int pegs_state; /* 0 not looked yet, 1 off, 2 on */
struct pegs_site { const char *name, *from, *file; int line, id, from_id; };
void pegs_point(struct pegs_site *site, int deed);
void pegs_flush(int end); /* writes what there is now; end: there will be no more */
void pegs_reset(void);    /* forgets all; for a child of fork, which writes nothing otherwise */

#define PEGS_POINT(name, from, deed) do { \
	static struct pegs_site site_ = {name, from, __FILE__, __LINE__, 0, 0}; \
	if (pegs_state != 1) pegs_point(&site_, deed); } while (0)
#define PEG(name) PEGS_POINT(name, 0, PEGS_HIT)
#define PEG_START(name) PEGS_POINT(name, 0, PEGS_BEGINS)
#define PEG_STOP(name) PEGS_POINT(name, 0, PEGS_ENDS)
#define PEG_FROM(from, name) PEGS_POINT(name, from, PEGS_HIT)

#endif
#if defined(PEGS_IMPLEMENTATION) && !defined(PEGS_IMPLEMENTED)
#define PEGS_IMPLEMENTED
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PEGS_MOST = 64, PEGS_STEPS = 16, PEGS_BINS = 1 + 60 * PEGS_STEPS };
struct pegs_arc { uint64_t count; double sum, min, max, mean, squares; uint64_t bins[PEGS_BINS]; };
struct pegs_known { const char *name, *file; int line; uint64_t count, unmatched; };
struct pegs_left { double at, own; unsigned era; }; /* when a point was left, and what pegs had taken by then */

int pegs_state;
static atomic_flag pegs_busy = ATOMIC_FLAG_INIT; /* held for some tens of ns, so a spin lock */
static struct pegs_known pegs_points[PEGS_MOST + 1];           /* from 1 */
static struct pegs_arc *pegs_arcs[2][PEGS_MOST + 1][PEGS_MOST + 1]; /* next, directed */
static int pegs_count, pegs_lost;
static unsigned pegs_era = 1;
static uint64_t pegs_hits;
static double pegs_spent, pegs_residue; /* nanoseconds */
static char pegs_name[4096], pegs_scratch[4096];
static int pegs_fd = -1;
static pid_t pegs_pid;
static _Thread_local struct pegs_left pegs_leaving[PEGS_MOST + 1];
static _Thread_local double pegs_own; /* spent inside of pegs on this thread */
static _Thread_local int pegs_last;
static _Thread_local unsigned pegs_last_era;

static double pegs_now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int pegs_compare(const void *a, const void *b) {
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Two readings with nothing between them: the residue is what 94 of 100 stay below. */
static double pegs_calibrate(void) {
	double d[32];
	for (int i = 0; i < 32; i++) {
		double t = pegs_now();
		d[i] = pegs_now() - t;
	}
	qsort(d, 32, sizeof *d, pegs_compare);
	return d[29];
}

/* A process that the program starts has the variable too, so each has a file of its own:
 * FILE.PID-START, and FILE~PID-START until it is whole. */
static void pegs_target(const char *target) {
	struct timespec t;
	pegs_pid = getpid();
	clock_gettime(CLOCK_REALTIME, &t);
	long long start = (long long)t.tv_sec * 1000000000 + t.tv_nsec;
	snprintf(pegs_name, sizeof pegs_name, "%s.%ld-%llx", target, (long)pegs_pid, start);
	snprintf(pegs_scratch, sizeof pegs_scratch, "%s~%ld-%llx", target, (long)pegs_pid, start);
}

static void pegs_at_exit(void) { pegs_flush(1); }

static void pegs_look(void) {
	const char *target = getenv("SUITE_PEGS");
	if (!target || !*target || strlen(target) > sizeof pegs_name - 64) { pegs_state = 1; return; }
	if (sscanf(target, "fd:%d", &pegs_fd) != 1) pegs_fd = -1;
	pegs_target(target);
	pegs_residue = pegs_calibrate();
	atexit(pegs_at_exit);
	pegs_state = 2;
}

static int pegs_find(const char *name, const char *file, int line) {
	for (int i = 1; i <= pegs_count; i++)
		if (!strcmp(pegs_points[i].name, name)) return i;
	if (pegs_count == PEGS_MOST) { pegs_lost++; return 0; }
	pegs_points[++pegs_count] = (struct pegs_known){name, file, line, 0, 0};
	return pegs_count;
}

/* The layout of the protocol: a bin below a nanosecond, then 16 steps in each octave. */
static int pegs_bin(double ns) {
	int octave;
	if (ns < 1) return 0;
	double half = frexp(ns, &octave); /* ns = half * 2^octave, 1/2 <= half < 1 */
	int bin = 1 + (octave - 1) * PEGS_STEPS + (int)((half * 2 - 1) * PEGS_STEPS);
	return bin < PEGS_BINS ? bin : PEGS_BINS - 1;
}

static double pegs_low(int bin) {
	return bin ? ldexp(1 + (double)((bin - 1) % PEGS_STEPS) / PEGS_STEPS, (bin - 1) / PEGS_STEPS) : 0;
}

static void pegs_take(int directed, int from, int to, double ns) {
	struct pegs_arc **slot = &pegs_arcs[directed][from][to], *a = *slot;
	if (!a && !(a = *slot = calloc(1, sizeof *a))) { pegs_lost++; return; }
	if (ns < 0) ns = 0;
	double before = a->mean;
	if (!a->count || ns < a->min) a->min = ns;
	if (ns > a->max) a->max = ns;
	a->count++;
	a->sum += ns;
	a->mean += (ns - before) / (double)a->count;
	a->squares += (ns - before) * (ns - a->mean);
	a->bins[pegs_bin(ns)]++;
}

static void pegs_arrive(struct pegs_site *site, int deed, double entered) {
	int last = pegs_last_era == pegs_era ? pegs_last : 0; /* an older one was forgotten */
	int from = site->from ? site->from_id : last;
	struct pegs_left *left = &pegs_leaving[from];
	if (deed == PEGS_BEGINS) return;
	if (from && left->era == pegs_era)
		pegs_take(site->from != 0, from, site->id, entered - left->at - (pegs_own - left->own));
	else if (site->from || deed == PEGS_ENDS)
		pegs_points[site->id].unmatched++;
}

void pegs_point(struct pegs_site *site, int deed) {
	double entered = pegs_now();
	while (atomic_flag_test_and_set_explicit(&pegs_busy, memory_order_acquire)) {}
	if (!pegs_state) pegs_look();
	if (pegs_state == 2 && site->from && !site->from_id) site->from_id = pegs_find(site->from, 0, 0);
	if (pegs_state == 2 && !site->id) site->id = pegs_find(site->name, site->file, site->line);
	if (pegs_state == 2 && site->id) {
		pegs_points[site->id].count++;
		if (!pegs_points[site->id].file) pegs_points[site->id].file = site->file, pegs_points[site->id].line = site->line;
		pegs_arrive(site, deed, entered);
		pegs_hits++;
		if (deed != PEGS_ENDS) pegs_last = site->id, pegs_last_era = pegs_era;
	}
	double left = pegs_now();
	pegs_own += left - entered;
	pegs_spent += left - entered;
	if (deed != PEGS_ENDS) pegs_leaving[site->id] = (struct pegs_left){left, pegs_own, pegs_era};
	atomic_flag_clear_explicit(&pegs_busy, memory_order_release);
}

static void pegs_text(FILE *f, const char *s) {
	fputc('"', f);
	for (; *s; s++)
		if (*s == '"' || *s == '\\') fprintf(f, "\\%c", *s);
		else if ((unsigned char)*s < ' ') fprintf(f, "\\u%04x", *s);
		else fputc(*s, f);
	fputc('"', f);
}

/* JSON has a point in its numbers, printf what the language of the program has. */
static void pegs_number(FILE *f, double x) {
	char text[40];
	snprintf(text, sizeof text, "%.17g", x);
	size_t whole = strspn(text, "-0123456789");
	size_t rest = whole + strcspn(text + whole, "0123456789e"); /* behind the point, of whatever length */
	fprintf(f, "%.*s%s%s", (int)whole, text, rest > whole ? "." : "", text + rest);
}

static void pegs_write_arc(FILE *f, const struct pegs_arc *a, int directed, int from, int to) {
	const char *comma = "";
	fputs("{\"from\":", f), pegs_text(f, pegs_points[from].name);
	fputs(",\"to\":", f), pegs_text(f, pegs_points[to].name);
	fprintf(f, ",\"kind\":\"%s\",\"count\":%llu", directed ? "directed" : "", (unsigned long long)a->count);
	fputs(",\"sum\":", f), pegs_number(f, a->sum);
	fputs(",\"min\":", f), pegs_number(f, a->min);
	fputs(",\"max\":", f), pegs_number(f, a->max);
	fputs(",\"squares\":", f), pegs_number(f, a->squares);
	fputs(",\"histogram\":[", f);
	for (int i = 0; i < PEGS_BINS; i++) {
		if (!a->bins[i]) continue;
		fprintf(f, "%s[", comma), pegs_number(f, pegs_low(i));
		fputc(',', f), pegs_number(f, pegs_low(i + 1));
		fprintf(f, ",%llu]", (unsigned long long)a->bins[i]);
		comma = ",";
	}
	fputs("]}", f);
}

static void pegs_write(FILE *f, int end) {
	const char *comma = "";
	fputs("{\"pegs\":\"suite-pegs/1\",\"clock\":\"monotonic\",\"residue\":", f), pegs_number(f, pegs_residue);
	fputs(",\"cost\":", f), pegs_number(f, pegs_hits ? pegs_spent / (double)pegs_hits : 0);
	fputs(",\"points\":[", f);
	for (int i = 1; i <= pegs_count; i++, comma = ",") {
		struct pegs_known *p = &pegs_points[i];
		fprintf(f, "%s{\"name\":", comma), pegs_text(f, p->name);
		if (p->file) fputs(",\"file\":", f), pegs_text(f, p->file), fprintf(f, ",\"line\":%d", p->line);
		fprintf(f, ",\"count\":%llu,\"unmatched\":%llu}", (unsigned long long)p->count, (unsigned long long)p->unmatched);
	}
	fputs("],\"arcs\":[", f);
	comma = "";
	for (int directed = 0; directed < 2; directed++)
		for (int from = 1; from <= pegs_count; from++)
			for (int to = 1; to <= pegs_count; to++)
				if (pegs_arcs[directed][from][to] && pegs_arcs[directed][from][to]->count) {
					fputs(comma, f), comma = ",";
					pegs_write_arc(f, pegs_arcs[directed][from][to], directed, from, to);
				}
	fputs("],\"problems\":[", f);
	if (pegs_lost) fprintf(f, "\"%d hits of more than %d points, or without memory\"", pegs_lost, PEGS_MOST);
	fprintf(f, "],\"end\":%s}\n", end ? "true" : "false");
}

void pegs_flush(int end) {
	if (pegs_state != 2 || getpid() != pegs_pid) return;
	while (atomic_flag_test_and_set_explicit(&pegs_busy, memory_order_acquire)) {}
	FILE *f = pegs_fd < 0 ? fopen(pegs_scratch, "w") : end ? fdopen(dup(pegs_fd), "w") : 0; /* documents of a stream add up: one, at the end */
	if (f) {
		pegs_write(f, end);
		int bad = ferror(f);
		bad |= fclose(f);
		if (pegs_fd < 0 && (bad || rename(pegs_scratch, pegs_name))) bad = 1, remove(pegs_scratch);
		if (bad) fprintf(stderr, "pegs: cannot write %s\n", pegs_fd < 0 ? pegs_name : "the descriptor");
	} else if (end) {
		perror("pegs: cannot write what SUITE_PEGS names");
	}
	atomic_flag_clear_explicit(&pegs_busy, memory_order_release);
}

void pegs_reset(void) {
	if (pegs_state != 2) return;
	for (int i = 1; i <= PEGS_MOST; i++) {
		pegs_points[i].count = pegs_points[i].unmatched = 0;
		for (int j = 1; j <= PEGS_MOST; j++)
			for (int k = 0; k < 2; k++) free(pegs_arcs[k][i][j]), pegs_arcs[k][i][j] = 0;
	}
	pegs_spent = 0, pegs_hits = 0, pegs_era++;
	pegs_target(getenv("SUITE_PEGS"));
}
#endif
