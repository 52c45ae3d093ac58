CREATE TEMPORARY TABLE pushed (
    run text, started timestamptz, commit text, committed timestamptz, subject text, dirty boolean, tool text, tool_version text, go_version text,
    machine text, os text, arch text, cpu text, cpus integer, suite text, case_name text, params jsonb, metric text, unit text, per text, better text,
    value double precision, low double precision, high double precision, n integer,
    against text, ratio double precision, ratio_low double precision, ratio_high double precision, gate text, verdict text
) ON COMMIT DELETE ROWS
