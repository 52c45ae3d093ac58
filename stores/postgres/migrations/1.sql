-- Version 1. Times are in UTC, numbers in seconds, bytes and shares.

CREATE TABLE suite.runs (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run          text NOT NULL UNIQUE,      -- digest of the run, sha256:…
    started      timestamptz NOT NULL,
    commit       text NOT NULL,             -- full hash, empty if it is not known
    committed    timestamptz,
    subject      text NOT NULL,             -- first line of the commit's message
    dirty        boolean NOT NULL,          -- the tree had changes that no commit has
    tool         text NOT NULL,             -- that measured: suite, go test, …
    tool_version text NOT NULL,
    go_version   text NOT NULL,
    machine      text NOT NULL,             -- times of two machines cannot be compared
    os           text NOT NULL,
    arch         text NOT NULL,
    cpu          text NOT NULL,
    cpus         integer NOT NULL,
    pushed       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON suite.runs (started);
CREATE INDEX ON suite.runs (commit);

CREATE TABLE suite.cases (
    id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    suite  text NOT NULL,
    name   text NOT NULL,
    params jsonb NOT NULL,                  -- names and values, as texts
    UNIQUE (suite, name)
);

CREATE TABLE suite.metrics (
    run_id  bigint NOT NULL REFERENCES suite.runs ON DELETE CASCADE,
    case_id bigint NOT NULL REFERENCES suite.cases ON DELETE CASCADE,
    metric  text NOT NULL,
    unit    text NOT NULL,                  -- s, B, 1/s, or empty for counts
    per     text NOT NULL,                  -- op, byte, iteration, or empty for a whole run
    better  text NOT NULL,                  -- lower or higher
    value   double precision NOT NULL,      -- the median
    low     double precision,               -- of its interval
    high    double precision,
    n       integer NOT NULL,               -- samples
    PRIMARY KEY (case_id, metric, run_id)
);
CREATE INDEX ON suite.metrics (run_id);

CREATE TABLE suite.comparisons (
    run_id     bigint NOT NULL,
    case_id    bigint NOT NULL,
    metric     text NOT NULL,
    against    text NOT NULL,               -- full hash of the base, usually the merge base
    ratio      double precision NOT NULL,   -- case over base, from pairs of the same run
    ratio_low  double precision,
    ratio_high double precision,
    verdict    text NOT NULL,               -- better, worse, same or unclear
    PRIMARY KEY (case_id, metric, run_id),
    FOREIGN KEY (case_id, metric, run_id) REFERENCES suite.metrics ON DELETE CASCADE
);

CREATE TABLE suite.gates (
    run_id  bigint NOT NULL REFERENCES suite.runs ON DELETE CASCADE,
    case_id bigint NOT NULL REFERENCES suite.cases ON DELETE CASCADE,
    gate    text NOT NULL,
    verdict text NOT NULL,                  -- pass, fail, accepted, inconclusive, error or skipped
    PRIMARY KEY (case_id, gate, run_id)
);
CREATE INDEX ON suite.gates (run_id);

-- A row for each metric of a case in a run.
CREATE VIEW suite.results AS
SELECT run, coalesce(committed, started) AS at, started, commit, committed, subject, dirty, tool, tool_version, go_version, machine, os, arch, cpu, cpus,
       suite, name AS case_name, params, metric, unit, per, better, value, low, high, n, against, ratio, ratio_low, ratio_high, verdict
FROM suite.metrics
JOIN suite.runs ON runs.id = run_id
JOIN suite.cases ON cases.id = case_id
LEFT JOIN suite.comparisons USING (case_id, metric, run_id);

-- A row for each gate of a case in a run.
CREATE VIEW suite.verdicts AS
SELECT run, coalesce(committed, started) AS at, started, commit, committed, subject, dirty, machine, suite, name AS case_name, params, gate, verdict
FROM suite.gates
JOIN suite.runs ON runs.id = run_id
JOIN suite.cases ON cases.id = case_id;
