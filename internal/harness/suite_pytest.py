"""Makes a benchmark of pytest-benchmark speak suite's line protocol: docs/harnesses.md. PYTEST_DONT_REWRITE

suite loads this module with -p. A process of pytest has one test. Where the test calls its fixture, the requests on
standard input are answered, a round of n iterations each. If the request `list` follows the first one, the process
stays: the test runs to its end once, so that its fixtures and assertions have passed before anything is timed, and
then once more, in which the fixture answers until the input ends. Without it the answers are printed after the test.
The request `count n NAME` is like `run n NAME`, and valgrind counts what the iterations execute.
"""
import contextlib
import copy
import gc
import json
import os
import platform
import sys
import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

# The two streams are for requests and answers alone: what pytest and tests print goes to standard error.
requests = os.fdopen(os.dup(0), encoding="utf-8")
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)

# What tests import and start does not find this folder.
sys.path[:] = [folder for folder in sys.path if folder != os.path.dirname(__file__)]
first, _, others = os.environ.get("PYTHONPATH", "").partition(os.pathsep)
if others:
    os.environ["PYTHONPATH"] = others
elif first == os.path.dirname(__file__):
    del os.environ["PYTHONPATH"]

names = []  # of the benchmarks, for `list`
longest = 0.1  # s: rounds that need a setup or a run of the test each end then, though fewer than were asked for


def say(**answer):
    print(json.dumps(answer), file=answers, flush=True)


class Valgrind:
    """Lets callgrind count. A request is a sequence of instructions that does nothing where valgrind does not run."""

    running, dump, start = 0x1001, 0x43540003, 0x43540004  # of valgrind.h and callgrind.h
    code = bytes.fromhex("4889f8 31d2 48c1c703 48c1c70d 48c1c73d 48c1c733 4887db 4889d0 c3")  # for x86-64

    def __init__(self):
        import ctypes  # seldom needed, and not everywhere there
        import mmap

        if platform.machine() not in ("x86_64", "AMD64") or ctypes.sizeof(ctypes.c_void_p) != 8:
            raise RuntimeError("Python is counted on x86-64 alone, and this is %s" % platform.machine())
        self.page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self.page.write(self.code)
        address = ctypes.addressof(ctypes.c_char.from_buffer(self.page))
        self.call = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(address)

        def request(number, text=b""):
            kept = ctypes.create_string_buffer(text)
            arguments = (ctypes.c_uint64 * 6)(number, ctypes.addressof(kept))
            self.kept.append((kept, arguments))
            return ctypes.addressof(arguments)

        self.kept = []  # what the requests point to
        if not self.call(request(self.running)):
            raise RuntimeError("valgrind does not run this process of Python")
        self.begins = request(self.dump, b"suiteCountBegins")
        self.ends = request(self.dump, b"suiteCountEnds")
        gc.collect()
        gc.disable()  # when a collection comes depends on what was allocated before
        self.call(request(self.start))

    def __enter__(self):
        self.call(self.begins)

    def __exit__(self, *_):
        self.call(self.ends)


class Conversation:
    """The requests of a process, and what its test has answered so far."""

    def __init__(self):
        self.line = requests.readline()  # the next request, empty after the last
        self.stays = False
        self.open = []  # answers that are not printed yet
        self.rounds = []  # s, of a test that has one round each time
        self.failure = None  # why the test has no answer
        self.has_measured = False
        self.valgrind = None  # which counts the request that is answered

    @property
    def iterations(self):
        return int(self.line.split(" ", 2)[1])

    @property
    def name(self):
        return self.line.rstrip("\n").split(" ", 2)[-1]

    @property
    def is_asked(self):
        return self.line not in ("", "list\n")

    @property
    def is_counted(self):
        return self.line.startswith("count ")

    @property
    def counts(self):
        """A context in which valgrind counts, if the request asks for it."""
        if not self.is_counted:
            return contextlib.nullcontext()
        self.valgrind = self.valgrind or Valgrind()
        return self.valgrind

    @property
    def end(self):
        """When rounds that need a setup or a run of the test each end. Those that are counted take what they take."""
        return float("inf") if self.is_counted else time.perf_counter() + longest

    def next(self):
        self.line = requests.readline()

    def answer(self, measure):
        """Answers requests with measure(n), which returns the iterations and seconds of a round."""
        self.has_measured = True
        while self.is_asked:
            iterations, seconds = measure(self.iterations)
            self.open.append({"name": self.name, "iterations": iterations, "seconds": seconds})
            if self.stays:
                self.print()
            self.next()
        if self.stays:
            pytest.skip("the input has ended")  # nobody waits for the rest of the test

    def print(self):
        for answer in self.open:
            say(**(dict(name=answer["name"], **self.failure) if self.failure else answer))
        self.open = []

    def run(self, item):
        self.test(item)
        if not self.has_measured:
            self.fail("it measured nothing: does it call the fixture benchmark?")
        if self.rounds:
            self.repeat(item)
        elif self.line and not self.failure:
            self.print()
            say(benchmarks=[item.nodeid])
            self.stays = True
            self.next()
            self.test(item)
        self.print()
        while self.line:  # only after a failure
            if self.is_asked:
                say(name=self.name, **self.failure)
            else:
                say(benchmarks=[item.nodeid])
            self.next()

    def test(self, item):
        # A next test with the same parents keeps all fixtures but those of a function.
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=copy.copy(item))

    def repeat(self, item):
        """Answers requests with as many runs of a test that has one round."""
        while self.line and not self.failure:
            if not self.is_asked:
                say(benchmarks=[item.nodeid])
                self.next()
                continue
            end = self.end
            while len(self.rounds) < self.iterations and not self.failure and (
                not self.rounds or time.perf_counter() < end
            ):
                self.test(item)
            if not self.failure:
                say(name=self.name, iterations=len(self.rounds), seconds=sum(self.rounds))
                self.rounds = []
                self.next()

    def fail(self, message, kind="error"):
        self.failure = self.failure or {kind: message}


conversation = None


def raw(self, function, *args, **kwargs):
    """benchmark(function): a round calls it n times."""
    if self.disabled:
        return original_raw(self, function, *args, **kwargs)
    runner = self._make_runner(function, args, kwargs)
    self._add_stats = lambda stats: None  # there is no table
    results = []

    def measure(n):
        results.clear()
        with conversation.counts:
            if n > 1:
                seconds = untraced(runner, range(n))
            else:
                seconds, result = untraced(runner, None)
                results.append(result)
        self._make_stats(n).update(seconds)
        return n, seconds

    conversation.answer(measure)
    return results[0] if results else function(*args, **kwargs)


def pedantic(self, target, args=(), kwargs=None, rounds=1, warmup_rounds=0, iterations=1, **around):
    """benchmark.pedantic(target): a round of n iterations, or n rounds if each has a setup or teardown.

    A test with one call and no setup may use up what it has prepared, such as an iterator: each run of the test has one
    round.
    """
    if self.disabled:
        return original_pedantic(self, target, args, kwargs, rounds=rounds, warmup_rounds=warmup_rounds,
                                 iterations=iterations, **around)
    self._add_stats = lambda stats: None
    is_prepared = any(around.values())
    result = None

    def counted(*args, **kwargs):
        with conversation.counts:
            return target(*args, **kwargs)

    def round_of(n):
        nonlocal result
        if is_prepared:  # valgrind counts no setup
            function = counted if conversation.is_counted else target
            result = untraced(original_pedantic, self, function, args, kwargs, rounds=1, iterations=n, **around)
        else:
            with conversation.counts:
                result = untraced(original_pedantic, self, target, args, kwargs, rounds=1, iterations=n)
        return self.stats.stats.data[0] * n  # it has the time of an iteration

    def measure(n):
        if not is_prepared:
            return n, round_of(n)
        done, seconds, end = 0, 0.0, conversation.end
        while done < n and (not done or time.perf_counter() < end):
            done, seconds = done + 1, seconds + round_of(1)
        return done, seconds

    if rounds * iterations + warmup_rounds == 1 and not is_prepared:
        conversation.has_measured = True
        conversation.rounds.append(round_of(1))
        return result
    conversation.answer(measure)
    return result


original_raw, BenchmarkFixture._raw = BenchmarkFixture._raw, raw
original_pedantic, BenchmarkFixture._raw_pedantic = BenchmarkFixture._raw_pedantic, pedantic


def untraced(function, *args, **kwargs):
    """Calls a function without the tracers of debuggers and coverage, as pytest-benchmark does."""
    tracer, profiler = sys.gettrace(), sys.getprofile()
    sys.settrace(None)
    sys.setprofile(None)
    try:
        return function(*args, **kwargs)
    finally:
        sys.settrace(tracer)
        sys.setprofile(profiler)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    global conversation
    if session.config.option.setupplan or session.testsfailed:
        return None  # pytest goes on
    conversation = Conversation()
    asked = [item for item in session.items if item.nodeid == conversation.name]
    if not asked:
        raise pytest.UsageError("pytest collects no test of the name %r" % conversation.name)
    conversation.run(asked[0])  # with a path in the command it may be there twice
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if conversation is None:  # the list: with --setup-plan the marks that skip a test have been looked at
        if report.when == "setup" and report.passed and {"benchmark", "benchmark_weave"} & set(item.fixturenames):
            names.append(item.nodeid)
    elif not report.passed:
        why = report.longrepr
        if isinstance(why, tuple):  # file, line and reason
            why = "%s:%s: %s" % (os.path.relpath(why[0]), why[1], why[2].replace("Skipped: ", "", 1))
        else:
            why = getattr(getattr(why, "reprcrash", None), "message", None) or str(why)
        conversation.fail(why.strip().split("\n")[0], "skipped" if isinstance(report.longrepr, tuple) else "error")


def pytest_sessionfinish(session):
    if session.config.option.setupplan:
        say(benchmarks=names)
