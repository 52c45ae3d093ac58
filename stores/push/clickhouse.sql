CREATE TABLE suite (
    run          String,                   -- digest of the run
    started      DateTime64(6, 'UTC'),
    commit       String,
    committed    Nullable(DateTime64(6, 'UTC')),
    subject      String,
    dirty        Bool,
    tool         LowCardinality(String),
    tool_version LowCardinality(String),
    go_version   LowCardinality(String),
    machine      LowCardinality(String),
    os           LowCardinality(String),
    arch         LowCardinality(String),
    cpu          LowCardinality(String),
    cpus         Int32,
    suite        LowCardinality(String),
    case_name    LowCardinality(String),
    params       Map(String, String),
    metric       LowCardinality(String),   -- empty in rows of gates
    unit         LowCardinality(String),
    per          LowCardinality(String),
    better       LowCardinality(String),
    value        Nullable(Float64),
    low          Nullable(Float64),
    high         Nullable(Float64),
    n            Int32,
    against      String,
    ratio        Nullable(Float64),
    ratio_low    Nullable(Float64),
    ratio_high   Nullable(Float64),
    gate         LowCardinality(String),   -- empty in rows of metrics
    verdict      LowCardinality(String)
) ENGINE = ReplacingMergeTree
ORDER BY (suite, case_name, metric, gate, started, run)
