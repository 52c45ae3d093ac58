-- Moves the rows of the temporary table pushed into the tables. What is there already stays.
-- Cases are inserted in order, so that two programs that push at once never wait for each other.

INSERT INTO suite.runs (run, started, commit, committed, subject, dirty, tool, tool_version, go_version, machine, os, arch, cpu, cpus)
SELECT DISTINCT run, started, commit, committed, subject, dirty, tool, tool_version, go_version, machine, os, arch, cpu, cpus
FROM pushed
ON CONFLICT DO NOTHING;

INSERT INTO suite.cases (suite, name, params)
SELECT DISTINCT ON (suite, case_name) suite, case_name, params
FROM pushed
ORDER BY suite, case_name
ON CONFLICT DO NOTHING;

INSERT INTO suite.metrics (run_id, case_id, metric, unit, per, better, value, low, high, n)
SELECT runs.id, cases.id, metric, unit, per, better, value, low, high, n
FROM pushed JOIN suite.runs USING (run) JOIN suite.cases ON cases.suite = pushed.suite AND cases.name = case_name
WHERE metric <> ''
ON CONFLICT DO NOTHING;

INSERT INTO suite.comparisons (run_id, case_id, metric, against, ratio, ratio_low, ratio_high, verdict)
SELECT runs.id, cases.id, metric, against, ratio, ratio_low, ratio_high, verdict
FROM pushed JOIN suite.runs USING (run) JOIN suite.cases ON cases.suite = pushed.suite AND cases.name = case_name
WHERE ratio IS NOT NULL
ON CONFLICT DO NOTHING;

INSERT INTO suite.gates (run_id, case_id, gate, verdict)
SELECT runs.id, cases.id, gate, verdict
FROM pushed JOIN suite.runs USING (run) JOIN suite.cases ON cases.suite = pushed.suite AND cases.name = case_name
WHERE gate <> ''
ON CONFLICT DO NOTHING;
