-- What became worse in the last month, the largest change first.
SELECT at, case_name, metric, ratio, ratio_low, ratio_high
FROM suite.results
WHERE verdict = 'worse' AND at > now() - interval '30 days'
ORDER BY ratio DESC;
