/*
 * column_map.h - the columns of the CSV of a run, one line each, in their order: the header, the
 * schema in the metadata, the values of --json and the tables of docs/csv.md come from it
 *
 *     X(section, name, type, unit, meaning, empty)
 *
 * section  of SECTION_MAP: the table of docs/csv.md that has it
 * type     of COLUMN_TYPE_MAP
 * unit     "": it has none
 * meaning  in Markdown, without the escapes of a table
 * empty    when it is empty; NULL: never
 *
 * Within one schema a line is only added at the end. result_csv.c writes the cells, and
 * circumstance_columns.c the last of them.
 */
#ifndef SCANBENCH_OUTPUT_COLUMN_MAP_H
#define SCANBENCH_OUTPUT_COLUMN_MAP_H

/* X(type, the datatype of CSVW, is it a number?, its word in docs/csv.md) */
#define COLUMN_TYPE_MAP(X)                        \
    X(TEXT, "\"string\"", false, "text")          \
    X(TIME, "\"dateTime\"", false, "date, time")  \
    X(COUNT, "\"unsignedLong\"", true, "integer") \
    X(WHOLE, "\"long\"", true, "integer")         \
    X(REAL, "\"double\"", true, "number")         \
    X(FLAG, "{\"base\": \"boolean\", \"format\": \"1|0\"}", false, "0 or 1")

/* X(section, its heading) */
#define SECTION_MAP(X)                    \
    X(ORIGIN, "Which run")                \
    X(PLUGIN, "Whose row")                \
    X(CONFIGURATION, "The configuration") \
    X(PHASE, "Which time")                \
    X(OUTCOME, "What became of it")       \
    X(STATISTICS, "Statistics")           \
    X(RATES, "Rates")                     \
    X(CALIBRATION, "Calibration")         \
    X(CIRCUMSTANCES, "Circumstances")

/* clang-format off */
#define COLUMN_MAP(X) \
    X(ORIGIN, schema, COUNT, "", "version of this list, 1. Within a version columns are only added, at the end", NULL) \
    X(ORIGIN, run_id, TEXT, "", "start of the run in UTC, its process id and a random number. Rows added by `--resume` have their own", NULL) \
    X(ORIGIN, timestamp_utc, TIME, "", "when the row was written, ISO 8601", NULL) \
    X(ORIGIN, host, TEXT, "", "name of the machine", NULL) \
    X(PLUGIN, plugin, TEXT, "", "the plugin's id", NULL) \
    X(PLUGIN, plugin_version, TEXT, "", "version of its code, or of the library it calls", "plugin not loaded") \
    X(PLUGIN, role, TEXT, "", "`algorithm`; `baseline`; `peer`: somebody else's library; `ceiling`: copies its input; `mock`: for tests", "plugin not loaded") \
    X(PLUGIN, backend, TEXT, "", "`cpu`, `opencl`, `cuda`, `cuda_host` (CUDA, on arrays in the host's memory), or whatever a plugin names. Rows of one backend and device share a ceiling", "plugin not loaded") \
    X(PLUGIN, device, TEXT, "", "name of the device", "not there") \
    X(PLUGIN, driver, TEXT, "", "driver and version, in the driver's words", "CPU; not there") \
    X(CONFIGURATION, kind, TEXT, "", "`exclusive`: y[i] = x[0] ⊕ … ⊕ x[i−1]; `inclusive`: up to x[i]", "ceilings") \
    X(CONFIGURATION, op, TEXT, "", "`sum` (integers wrap), `max`, `min`, or `affine` on pairs: (a, b) ⊕ (c, d) = (a·c, b·c + d)", "ceilings") \
    X(CONFIGURATION, dtype, TEXT, "", "`i32 u32 i64 u64 f32 f64`, and the pairs `u32x2 f32x2`", NULL) \
    X(CONFIGURATION, n, COUNT, "", "number of elements", NULL) \
    X(CONFIGURATION, block, WHOLE, "", "threads per block, work-items per work-group, elements per tile: the tunable of that name", "no such tunable") \
    X(CONFIGURATION, vt, WHOLE, "", "values per thread", "no such tunable") \
    X(CONFIGURATION, params, TEXT, "", "the other tunables, as `pad=1;threads=2`", "none") \
    X(CONFIGURATION, cache, TEXT, "", "`hot`: the same buffers run after run. At sizes that fit, data comes from a cache. `cold`: the caches are displaced before each sample (`--cache`)", NULL) \
    X(PHASE, phase, TEXT, "", "what was timed: `run`, `device`, `kernel:<name>`, `h2d`, `d2h`, `e2e` or `create`", NULL) \
    X(OUTCOME, status, TEXT, "", "`ok`, or why there are no numbers: `skipped`, `unavailable`, `unsupported`, `wrong`, `crashed`, `timeout` or `error`", NULL) \
    X(OUTCOME, reason, TEXT, "", "why it is not `ok`, in the words of the driver, the plugin or scanbench", "`ok`") \
    X(OUTCOME, verified, FLAG, "", "1: this configuration's output was compared in full, before and after the timing, and after it with another input in the same buffers too, whose seed nobody can know (in `tune` after it alone); and in every visit some elements were compared right after a run on a changed input ([proof](proof.md#what-a-timed-row-rests-on)). 0: it was compared and is wrong", "nothing was compared, as of settings that dropped out of a race") \
    X(OUTCOME, max_rel_error, REAL, "", "largest |got − expected| ÷ Σ|x| up to that element; 0 for `max`, `min` and copies", "integers; not `ok`") \
    X(STATISTICS, samples, COUNT, "", "how many times were taken", "not `ok`") \
    X(STATISTICS, median_ns, REAL, "ns", "the median of the rounds' values, each the median of the samples of one round (by a device's clock, which ticks coarsely: the mean of their middle half): the number to quote", "not `ok`") \
    X(STATISTICS, ci_lo_ns, REAL, "ns", "lower end of the 95 % confidence interval of `median_ns`, from order statistics of the rounds' values; it assumes no distribution. At least 0.5 % below it. It holds **within this run**", "fewer than 6 rounds") \
    X(STATISTICS, ci_hi_ns, REAL, "ns", "upper end of that interval, at least 0.5 % above `median_ns`", "fewer than 6 rounds") \
    X(STATISTICS, min_ns, REAL, "ns", "the shortest sample", "not `ok`") \
    X(STATISTICS, q1_ns, REAL, "ns", "first quartile of the samples", "not `ok`") \
    X(STATISTICS, q3_ns, REAL, "ns", "third quartile of the samples", "not `ok`") \
    X(STATISTICS, max_ns, REAL, "ns", "the longest sample", "not `ok`") \
    X(STATISTICS, mad_ns, REAL, "ns", "median absolute deviation × 1.4826, which estimates a standard deviation", "fewer than 2 samples") \
    X(STATISTICS, mean_ns, REAL, "ns", "mean of the samples, for comparison with tools that report it; times have long upper tails", "not `ok`") \
    X(STATISTICS, stddev_ns, REAL, "ns", "standard deviation of the samples, likewise", "fewer than 2 samples") \
    X(STATISTICS, outliers, COUNT, "", "samples more than 1.5 interquartile ranges outside the quartiles: counted, never dropped", "not `ok`") \
    X(RATES, elems_per_s, REAL, "1/s", "n ÷ median", "`create`; n = 0") \
    X(RATES, bytes_per_s, REAL, "B/s", "2·n·sizeof(T) ÷ median", "`create`, `h2d`, `d2h`; n = 0") \
    X(RATES, pct_copy, REAL, "%", "this row's share of the copy, made within rounds: the median of their ratios. The copy is the fastest ceiling of the same backend and device, with at most as many threads, the same bytes, cache and phase (`kernel:*` is held against the copy's `device`); of a row with `in_place` 1 it is a pass in place", "as `bytes_per_s`; no ceiling among the plugins") \
    X(RATES, speedup, REAL, "", "the baseline's `run` ÷ this row's time, within rounds: the median of their ratios, at the same n, dtype, op, kind (or `kinds`, if that is `any`) and cache. Of `e2e` too: is it worth copying?", "phases other than `run`, `device`, `e2e`; ceilings; baseline not among the plugins") \
    X(CIRCUMSTANCES, binding, TEXT, "", "where the worker was bound, read back from the system: `core:1 pu:1 node:0`, for several threads `pu:0-7 node:0`, or `any`", "worker not started") \
    X(CIRCUMSTANCES, clock_mhz, REAL, "MHz", "measured clock of the device, never its nominal one: a GPU's `sm` clock right after the samples of `run`, by NVIDIA's NVML; on a CPU the same as `cpu_mhz`. Mean over visits", "the system does not measure it (AMD and Intel GPUs, most virtual machines); not `ok`") \
    X(CIRCUMSTANCES, flags, TEXT, "", "remarks, separated by `;`: see [flags](#flags)", "none") \
    X(STATISTICS, stop_reason, TEXT, "", "why the group's rounds ended. `precision`: the half width of the interval of `run` is within 1.25 % in all configurations; `rounds`: there were 40 rounds, or `--max-samples`; `time_limit`: its time was up; `once`: `create`", "not `ok`") \
    X(CONFIGURATION, seed, COUNT, "", "of the input; with the configuration it determines every element", NULL) \
    X(STATISTICS, rounds, COUNT, "", "how many rounds have a value", "not `ok`") \
    X(RATES, speedup_lo, REAL, "", "lower end of the 95 % confidence interval of `speedup`, as of the median", COLUMN_NO_RATIO) \
    X(RATES, speedup_hi, REAL, "", "upper end of the interval of `speedup`", COLUMN_AS("speedup_lo")) \
    X(RATES, pct_copy_lo, REAL, "%", "lower end of the 95 % confidence interval of `pct_copy`", COLUMN_AS("speedup_lo")) \
    X(RATES, pct_copy_hi, REAL, "%", "upper end of the interval of `pct_copy`", COLUMN_AS("speedup_lo")) \
    X(CALIBRATION, time_per_spin, REAL, "", "this time ÷ that of a fixed chain of 5000 dependent multiplications, run before and after each visit on the worker's core: the frequency cancels", "phases by a device's clock, `create`, `h2d`, `d2h`; n = 0") \
    X(CALIBRATION, time_per_spin_lo, REAL, "", "lower end of the 95 % confidence interval of `time_per_spin`, the median of the rounds' ratios; at least 0.5 % below it", "the ratio is empty; fewer than 6 rounds in common") \
    X(CALIBRATION, time_per_spin_hi, REAL, "", "upper end of the interval of `time_per_spin`", COLUMN_AS("time_per_spin_lo")) \
    X(CALIBRATION, time_per_scan, REAL, "", "this time ÷ that of the harness's own serial scan of as many bytes (4 kB to 64 MiB), bound as CPU plugins of one thread are", "as `time_per_spin`; `--order sequential`; fewer than six rounds wanted") \
    X(CALIBRATION, time_per_scan_lo, REAL, "", "lower end of the interval of `time_per_scan`", COLUMN_AS("time_per_spin_lo")) \
    X(CALIBRATION, time_per_scan_hi, REAL, "", "upper end of the interval of `time_per_scan`", COLUMN_AS("time_per_spin_lo")) \
    X(CALIBRATION, time_per_copy, REAL, "", "this time ÷ that of the harness's own copy of as many bytes: what weighs on caches and memory cancels", COLUMN_AS("time_per_scan")) \
    X(CALIBRATION, time_per_copy_lo, REAL, "", "lower end of the interval of `time_per_copy`", COLUMN_AS("time_per_spin_lo")) \
    X(CALIBRATION, time_per_copy_hi, REAL, "", "upper end of the interval of `time_per_copy`", COLUMN_AS("time_per_spin_lo")) \
    X(CIRCUMSTANCES, cpu_mhz, REAL, "MHz", "clock of the core that calls the plugin, right after the samples of `run`, mean over visits: cpufreq's `scaling_cur_freq`; else `cpu MHz` of /proc/cpuinfo if the processor has the counters that measure it (flag `aperfmperf`)", "the system does not measure it; not `ok`") \
    X(CIRCUMSTANCES, load, REAL, "", "/proc/loadavg's average of one minute, the mean of those before and after the group's rounds. The run's own threads are in it", "unknown; not `ok`") \
    X(CIRCUMSTANCES, steal_pct, REAL, "%", "share of the time during the group's rounds in which the hypervisor ran something else: of the processing units the worker is bound to, else of all", "unknown; less than 0.2 s; not `ok`") \
    X(CIRCUMSTANCES, involuntary_switches, COUNT, "", "how often the system took the core away while `run` was sampled, all visits together: from the calling thread under a binding to one core, else from all threads of the worker", "phases other than `run`; not `ok`") \
    X(CIRCUMSTANCES, page_faults, COUNT, "", "page faults while `run` was sampled, minor and major, counted alike", COLUMN_AS("involuntary_switches")) \
    X(CIRCUMSTANCES, gpu_temperature_c, REAL, "°C", "the highest temperature of the GPU after a visit", "no NVML; unknown; not `ok`") \
    X(CIRCUMSTANCES, gpu_throttle, TEXT, "", "why the GPU lowered its clock, in any visit, separated by `;`: `power_cap`, `hw_slowdown`, `thermal`, `power_brake`; `none` if it did not. An idle GPU and a clock that somebody set are no throttling", COLUMN_AS("gpu_temperature_c")) \
    X(CIRCUMSTANCES, gpu_processes, COUNT, "", "the most processes outside this run that computed on the GPU", "as `gpu_temperature_c`; process numbers of another namespace, as in some containers") \
    X(CONFIGURATION, parts, COUNT, "", "in how many parts the problem lies, each in the memory of a device of its own: the tunable of that name, which stands in `params`, too. `pct_copy` is held against a copy in as many parts", "plugins that do not know of parts") \
    X(CONFIGURATION, layout, TEXT, "", "`contiguous`: a slice a part; `cyclic`: tiles dealt out in turn", "as `parts`; one part") \
    X(CONFIGURATION, kinds, TEXT, "", "the kind that was asked for: that of `kind`, or `any` (`--kinds any`). Rows with `any` were sampled in the same rounds and form one ranking, whatever their `kind`: exclusive where the plugin declares that, else inclusive", "ceilings") \
    X(CONFIGURATION, in_place, FLAG, "", "1: the output takes the place of the input, which is lost, because the plugin works no other way. Such rows are ranked by themselves, and `pct_copy` holds them against a pass that inverts the same bytes in place", "plugin not loaded")
/* clang-format on */

/* When several are empty. */
#define COLUMN_AS(other) "as `" other "`"
#define COLUMN_NO_RATIO                                                                         \
    "the ratio is empty; fewer than 6 rounds in common; the copy or the baseline was not in "   \
    "the group's rounds but kept by `--resume`, or the order is sequential: then the ratio is " \
    "that of the medians"

/* clang-format off */
/* The columns of --samples: X(name), which mean what they mean in a row, */
#define SAMPLE_SHARED_MAP(X) \
    X(schema) X(run_id) X(plugin) X(backend) X(device) X(kind) X(op) X(dtype) X(n) X(block) X(vt) \
    X(params) X(cache) X(phase)
/* and X(name, type, unit, meaning), which are never empty. */
#define SAMPLE_OWN_MAP(X) \
    X(batch, COUNT, "", "how many runs shared the interval") \
    X(index, COUNT, "", "from 0, in the order in which the samples of a configuration and phase were taken") \
    X(ns, REAL, "ns", "time of one run, also where several shared an interval") \
    X(round, COUNT, "", "from 0: the round of its visit")
/* and X(name), which came later and mean what they mean in a row. */
#define SAMPLE_LATER_MAP(X) X(kinds)
/* clang-format on */

#endif
