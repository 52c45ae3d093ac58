"""Where the time goes inside a Python program. Protocol: docs/pegs.md of suite.

    import pegs

    pegs.hit("read")                 # ends the arc from the last point, begins the next
    pegs.start("asked")              # begins an arc, ends none
    pegs.stop("answered")            # ends the arc from the last point, begins none
    pegs.hit("drawn", after="asked") # ends the arc asked -> drawn, whatever lies between
    with pegs.span("load"):          # a span; spans nest, and may hold themselves
        ...

Without SUITE_PEGS in the environment a point costs a call and a test. With it, the
program writes its document when it ends by sys.exit or at its end. os._exit, which
ends the workers of multiprocessing, and signals without a handler write nothing: call
pegs.flush() before. Each thread has a last point and spans of its own. What a point
takes itself lies in no arc. Python 3.7 or later.
"""

import atexit
import bisect
import contextlib
import json
import os
import sys
import threading
import time

_TARGET = os.environ.get("SUITE_PEGS", "")
if _TARGET and not _TARGET.startswith("fd:"):
    _TARGET = os.path.abspath(_TARGET)  # the program may change its folder
_now = time.perf_counter_ns
_lock = threading.RLock()  # a handler of signals may hit a point while one is being hit
_EDGES = [0.0] + [2.0**o * (1 + s / 16) for o in range(60) for s in range(16)]


class _Arc:
    def __init__(self):
        self.count = self.zero = 0
        self.sum = self.mean = self.squares = self.max = 0.0
        self.min = float("inf")
        self.bins = {}

    def take(self, ns):
        if ns < 0:
            ns, self.zero = 0, self.zero + 1
        before = self.mean
        self.count += 1
        self.sum += ns
        self.mean += (ns - before) / self.count
        self.squares += (ns - before) * (ns - self.mean)
        self.min, self.max = min(self.min, ns), max(self.max, ns)
        low = bisect.bisect_right(_EDGES, ns) - 1
        self.bins[low] = self.bins.get(low, 0) + 1


class _Lane(threading.local):
    def __init__(self):
        self.last, self.own, self.left, self.spans = None, 0, {}, []

    def since(self, left, now):
        return now - left[0] - (self.own - left[1])


def _calibrate():
    """The residue in nanoseconds: what 94 of 100 arcs of a chain with nothing in it stay below."""
    for _ in range(200):
        _point("a", None, True, True)
    seen, bins = 0, _arcs["a", "a", ""].bins
    for i in sorted(bins):
        seen += bins[i]
        if seen >= 188:
            break
    _forget()
    return _EDGES[i + 1]


def _forget():
    """Begins anew; a child of fork has what its parent had counted."""
    global _points, _arcs, _hits, _spent, _own, _lane, _lock
    _points, _arcs, _hits, _spent, _lane, _lock = {}, {}, 0, 0, _Lane(), threading.RLock()
    # A process that the program starts has the variable too: each has a file of its own.
    _own = "%d-%x" % (os.getpid(), time.time_ns())


def _count(name, unmatched=False):
    p = _points.setdefault(name, [0, 0])
    p[0] += 1
    p[1] += unmatched


def _take(start, end, kind, ns):
    _arcs.setdefault((start or "", end, kind), _Arc()).take(ns)


def _leave(entered, name=None, follows=True):
    """Notes the end of a call: the last thing that it does."""
    global _hits, _spent
    _hits += 1
    left = _now()
    _lane.own += left - entered
    _spent += left - entered
    if name is not None:
        _lane.left[name] = (left, _lane.own)
        if follows:
            _lane.last = name
    return left, _lane.own


def _point(name, after, ends, begins):
    entered = _now()
    with _lock:
        start = after if after is not None else _lane.last
        left = _lane.left.get(start)
        if ends and left is not None:
            _take(start, name, "directed" if after is not None else "", _lane.since(left, entered))
        _count(name, ends and left is None and (after is not None or not begins))
        _leave(entered, name if begins else None)


@contextlib.contextmanager
def _span(name):
    entered = _now()
    with _lock:
        _count(name)
        around = _lane.spans[-1] if _lane.spans else ""
        _lane.spans.append(name)
        left = _leave(entered, name, follows=False)
    try:
        yield
    finally:
        entered = _now()
        with _lock:
            _lane.spans.pop()
            _take(around, name, "span", _lane.since(left, entered))
            _leave(entered)


def _document(end):
    arcs = []
    for (start, to, kind), a in sorted(_arcs.items()):
        bins = [[_EDGES[i], _EDGES[i + 1], n] for i, n in sorted(a.bins.items())]
        arcs.append({"from": start, "to": to, "kind": kind, "count": a.count, "sum": a.sum, "min": a.min, "max": a.max,
                     "squares": a.squares, "zero": a.zero, "histogram": bins})
    points = [{"name": n, "count": c, "unmatched": u} for n, (c, u) in _points.items()]
    return {"pegs": "suite-pegs/1", "clock": "perf_counter", "residue": _RESIDUE, "cost": _spent / max(_hits, 1),
            "points": points, "arcs": arcs, "end": end}


def flush(end=True):
    """Writes what there is now; end says that there will be no more."""
    if not _TARGET:
        return
    with _lock:
        text = json.dumps(_document(end)) + "\n"
        if _TARGET.startswith("fd:"):
            if end:  # documents of a stream add up: one, at the end
                os.write(int(_TARGET[3:]), text.encode())
            return
        scratch = "%s~%s" % (_TARGET, _own)
        with open(scratch, "w") as f:
            f.write(text)
        os.replace(scratch, "%s.%s" % (_TARGET, _own))


def _at_exit():
    try:
        flush()
    except OSError as e:
        print("pegs: cannot write what SUITE_PEGS=%s names: %s" % (_TARGET, e), file=sys.stderr)


if _TARGET:
    _forget()
    _RESIDUE = _calibrate()
    atexit.register(_at_exit)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forget)


def hit(name, after=None):
    if _TARGET:
        _point(name, after, True, True)


def start(name):
    if _TARGET:
        _point(name, None, False, True)


def stop(name, after=None):
    if _TARGET:
        _point(name, after, True, False)


def span(name):
    return _span(name) if _TARGET else contextlib.nullcontext()
