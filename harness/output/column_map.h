/*
 * column_map.h - the columns of the CSV of a run, one line each, in their order: the header, the
 * cells, the schema in the metadata, the values of --json and the tables of docs/csv.md come from
 * it
 *
 *     X(section, name, type, unit, meaning, empty, get)
 *
 * section  of SECTION_MAP: the table of docs/csv.md that has it
 * type     of COLUMN_TYPE_MAP
 * unit     "": it has none
 * meaning  in Markdown, without the escapes of a table
 * empty    when it is empty; NULL: never
 * get      the cell of a row r (row.h); columns.c has the functions in it
 *
 * Within one schema a line is only added at the end.
 */
#ifndef SCANBENCH_OUTPUT_COLUMN_MAP_H
#define SCANBENCH_OUTPUT_COLUMN_MAP_H

/* X(type, the datatype of CSVW, is it a number?, its word in docs/csv.md) */
#define COLUMN_TYPE_MAP(X)                                                          \
    X(TEXT, "\"string\"", false, "text")                                            \
    X(TIME, "\"dateTime\"", false, "date, time")                                    \
    X(COUNT, "\"unsignedLong\"", true, "integer")                                   \
    X(WHOLE, "\"long\"", true, "integer")                                           \
    X(REAL, "\"double\"", true, "number")                                           \
    X(TIMES, "\"double\", \"separator\": \" \", \"null\": \"-\"", false, "numbers") \
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
    X(CIRCUMSTANCES, "Circumstances")

/* clang-format off */
#define COLUMN_MAP(X) \
    X(ORIGIN, schema, COUNT, "", "version of this list, 1. Within a version columns are only added, at the end", NULL, count(ROW_SCHEMA)) \
    X(ORIGIN, run_id, TEXT, "", "start of the run in UTC, its process id and a random number. Rows added by `--resume` have their own", NULL, text(r->origin->run_id)) \
    X(ORIGIN, timestamp_utc, TIME, "", "when the row was written, ISO 8601", NULL, text(r->origin->now)) \
    X(ORIGIN, host, TEXT, "", "name of the machine", NULL, text(r->origin->host)) \
    X(PLUGIN, plugin, TEXT, "", "the plugin's id", NULL, text(plugin_of(r)->id)) \
    X(PLUGIN, plugin_version, TEXT, "", "version of its code, or of the library it calls", "plugin not loaded", text(plugin_of(r)->version)) \
    X(PLUGIN, role, TEXT, "", "`algorithm`; `baseline`; `peer`: somebody else's library; `ceiling`: copies its input; `mock`: for tests; `calibrator`: the harness's own [scan and copy](#calibration)", "plugin not loaded", text(role_of(r))) \
    X(PLUGIN, backend, TEXT, "", "`cpu`, `opencl`, `cuda`, `cuda_host` (CUDA, on arrays in the host's memory), or whatever a plugin names. Rows of one backend and device share a ceiling", "plugin not loaded", text(r->calibrator ? "cpu" : plugin_of(r)->backend)) \
    X(PLUGIN, device, TEXT, "", "name of the device", "not there", text(r->m->session->device.name)) \
    X(PLUGIN, driver, TEXT, "", "driver and version, in the driver's words", "CPU; not there", text(r->m->session->device.driver)) \
    X(CONFIGURATION, kind, TEXT, "", "`exclusive`: y[i] = x[0] ⊕ … ⊕ x[i−1]; `inclusive`: up to x[i]", "ceilings, calibrators", text(has_op(r) ? kind_name(job_of(r)->kind) : "")) \
    X(CONFIGURATION, op, TEXT, "", "`sum` (integers wrap), `max`, `min`, or `affine` on pairs: (a, b) ⊕ (c, d) = (a·c, b·c + d)", "ceilings, calibrators", text(has_op(r) ? op_name(job_of(r)->op) : "")) \
    X(CONFIGURATION, dtype, TEXT, "", "`i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64`, and the pairs `u32x2 f32x2`", NULL, text(dtype_name(r->problem->dtype))) \
    X(CONFIGURATION, n, COUNT, "", "number of elements of one scan; also in the rows of ceilings, which copy all scans as one array", NULL, count(r->problem->n)) \
    X(CONFIGURATION, block, WHOLE, "", "threads per block, work-items per work-group, elements per tile: the tunable of that name", "no such tunable", whole_if(setting_of(r)->has_block, setting_of(r)->block)) \
    X(CONFIGURATION, vt, WHOLE, "", "values per thread", "no such tunable", whole_if(setting_of(r)->has_vt, setting_of(r)->vt)) \
    X(CONFIGURATION, params, TEXT, "", "the other tunables, as `pad=1;threads=2`", "none", text(params_of(r))) \
    X(CONFIGURATION, cache, TEXT, "", "`hot`: the same buffers run after run. At sizes that fit, data comes from a cache. `cold`: the caches are displaced before each sample (`--cache`)", NULL, text(cache_state_word(job_of(r)->cache))) \
    X(PHASE, phase, TEXT, "", "what was timed: `run`, `device`, `kernel:<name>`, `graph`, `h2d`, `d2h`, `e2e` or `create`", NULL, text(r->p ? phase_print(&r->p->name, r->text) : phase_word(PHASE_RUN))) \
    X(OUTCOME, status, TEXT, "", "`ok`, or why there are no numbers: `skipped`, `unavailable`, `unsupported`, `wrong`, `crashed`, `timeout` or `error`", NULL, text(row_status_word(r->m->result.status))) \
    X(OUTCOME, reason, TEXT, "", "why it is not `ok`, in the words of the driver, the plugin or scanbench", "`ok`", text(fault_text(&r->m->result.fault, r->text, sizeof r->text))) \
    X(OUTCOME, verified, FLAG, "", "1: this configuration's output was compared in full, before and after the timing, and after it with another input in the same buffers too, whose seed nobody can know (in `tune` after it alone); and in every visit some elements were compared right after a run on a changed input ([proof](proof.md#what-a-timed-row-rests-on)). 0: it was compared and is wrong", "nothing was compared, as of settings that dropped out of a race", whole_if((r->p && r->m->result.verified) || r->m->result.status == ROW_WRONG, r->m->result.verified)) \
    X(OUTCOME, max_rel_error, REAL, "", "largest |got − expected| ÷ Σ|x| up to that element; 0 for `max`, `min` and copies", "integers; not `ok`", real_if(r->p && r->m->result.has_error && dtype_is_float(job_of(r)->dtype), r->m->result.max_rel_error)) \
    X(STATISTICS, samples, COUNT, "", "how many times were taken", "not `ok`", count_if(r->p, OF_SAMPLES(n))) \
    X(STATISTICS, median_ns, REAL, "ns", "the median of the rounds' values, each the median of the samples of one round (by a device's clock, which ticks coarsely: the mean of their middle half): the number to quote", "not `ok`", real_if(r->p, OF_ROUNDS(median))) \
    X(STATISTICS, ci_lo_ns, REAL, "ns", "lower end of the 95 % confidence interval of `median_ns`, from order statistics of the rounds' values; it assumes no distribution. At least 0.5 % below it. It holds **within this run**", "fewer than 6 rounds", positive(OF_ROUNDS(has_ci) ? OF_ROUNDS(lo) : 0)) \
    X(STATISTICS, ci_hi_ns, REAL, "ns", "upper end of that interval, at least 0.5 % above `median_ns`", "fewer than 6 rounds", positive(OF_ROUNDS(has_ci) ? OF_ROUNDS(hi) : 0)) \
    X(STATISTICS, min_ns, REAL, "ns", "the shortest sample", "not `ok`", real_if(r->p, OF_SAMPLES(min))) \
    X(STATISTICS, q1_ns, REAL, "ns", "first quartile of the samples", "not `ok`", real_if(r->p, OF_SAMPLES(q1))) \
    X(STATISTICS, q3_ns, REAL, "ns", "third quartile of the samples", "not `ok`", real_if(r->p, OF_SAMPLES(q3))) \
    X(STATISTICS, max_ns, REAL, "ns", "the longest sample", "not `ok`", real_if(r->p, OF_SAMPLES(max))) \
    X(STATISTICS, mad_ns, REAL, "ns", "median absolute deviation × 1.4826, which estimates a standard deviation", "fewer than 2 samples", real_if(OF_SAMPLES(has_stddev), OF_SAMPLES(mad))) \
    X(STATISTICS, mean_ns, REAL, "ns", "mean of the samples, for comparison with tools that report it; times have long upper tails", "not `ok`", real_if(r->p, OF_SAMPLES(mean))) \
    X(STATISTICS, stddev_ns, REAL, "ns", "standard deviation of the samples, likewise", "fewer than 2 samples", real_if(OF_SAMPLES(has_stddev), OF_SAMPLES(stddev))) \
    X(STATISTICS, outliers, COUNT, "", "samples more than 1.5 interquartile ranges outside the quartiles: counted, never dropped", "not `ok`", count_if(r->p, OF_SAMPLES(outliers))) \
    X(RATES, elems_per_s, REAL, "1/s", "rows·n·inner ÷ median", "`create`; n = 0; calibrators", positive(r->elems_per_s)) \
    X(RATES, bytes_per_s, REAL, "B/s", "bytes read and written, rows·n·inner·(sizeof(`dtype`) + sizeof(`result`)), ÷ median", "`create`, `h2d`, `d2h`; n = 0; calibrators", positive(r->bytes_per_s)) \
    X(RATES, pct_copy, REAL, "%", "this row's share of the copy, made within rounds: the median of their ratios. The copy is the fastest ceiling of the same backend and device, with at most as many threads, the same bytes read and written, cache and phase (`kernel:*` is held against the copy's `device`); of a row with `in_place` 1 it is a pass in place", "as `bytes_per_s`; no ceiling among the plugins", positive(100 * r->copy.median)) \
    X(RATES, speedup, REAL, "", "the baseline's `run` ÷ this row's time, within rounds: the median of their ratios, at the same n, rows, inner, dtype, result, op, kind (or `kinds`, if that is `any`) and cache. Of `e2e` too: is it worth copying?", "phases other than `run`, `device`, `e2e`; ceilings; baseline not among the plugins", positive(r->speedup.median)) \
    X(CIRCUMSTANCES, binding, TEXT, "", "where the worker was bound, read back from the system: `core:1 pu:1 node:0`, for several threads `pu:0-7 node:0`, or `any`", "worker not started", text(r->m->session->binding)) \
    X(CIRCUMSTANCES, clock_mhz, REAL, "MHz", "measured clock of the device, never its nominal one: a GPU's `sm` clock right after the samples of `run`, by NVIDIA's NVML; on a CPU the same as `cpu_mhz`. Mean over visits", "the system does not measure it (AMD and Intel GPUs, most virtual machines); not `ok`", positive(r->p ? device_mhz(r->m) : 0)) \
    X(CIRCUMSTANCES, flags, TEXT, "", "remarks, separated by `;`: see [flags](#flags)", "none", text(flags_of(r))) \
    X(STATISTICS, stop_reason, TEXT, "", "why the group's rounds ended. `precision`: the half width of the interval of `run` is within 1.25 % in all configurations; `rounds`: there were 40 rounds, or `--max-samples`; `time_limit`: its time was up; `once`: `create`", "not `ok`", text(r->p ? stop_reason_word(r->p->stop) : "")) \
    X(CONFIGURATION, seed, COUNT, "", "of the input; with the configuration it determines every element", NULL, count(job_of(r)->seed)) \
    X(STATISTICS, rounds, COUNT, "", "how many rounds have a value", "not `ok`", count_if(r->p, OF_ROUNDS(n))) \
    X(RATES, speedup_lo, REAL, "", "lower end of the 95 % confidence interval of `speedup`, as of the median", COLUMN_NO_RATIO, positive(r->speedup.lo)) \
    X(RATES, speedup_hi, REAL, "", "upper end of the interval of `speedup`", COLUMN_AS("speedup_lo"), positive(r->speedup.hi)) \
    X(RATES, pct_copy_lo, REAL, "%", "lower end of the 95 % confidence interval of `pct_copy`", COLUMN_AS("speedup_lo"), positive(100 * r->copy.lo)) \
    X(RATES, pct_copy_hi, REAL, "%", "upper end of the interval of `pct_copy`", COLUMN_AS("speedup_lo"), positive(100 * r->copy.hi)) \
    X(CIRCUMSTANCES, cpu_mhz, REAL, "MHz", "clock of the core that calls the plugin, right after the samples of `run`, mean over visits: cpufreq's `scaling_cur_freq`; else `cpu MHz` of /proc/cpuinfo if the processor has the counters that measure it (flag `aperfmperf`)", "the system does not measure it; not `ok`", positive(r->p ? circumstances_mean(&r->m->circumstances, WATCH_CPU_MHZ) : 0)) \
    X(CIRCUMSTANCES, load, REAL, "", "/proc/loadavg's average of one minute, the mean of those before and after the group's rounds. The run's own threads are in it", "unknown; not `ok`", real_if(r->p && r->m->circumstances.has_load, r->m->circumstances.load)) \
    X(CIRCUMSTANCES, steal_pct, REAL, "%", "share of the time during the group's rounds in which the hypervisor ran something else: of the processing units the worker is bound to, else of all", "unknown; less than 0.2 s; not `ok`", real_if(r->p && r->m->circumstances.has_steal, r->m->circumstances.steal_pct)) \
    X(CIRCUMSTANCES, involuntary_switches, COUNT, "", "how often the system took the core away while `run` was sampled, all visits together: from the calling thread under a binding to one core, else from all threads of the worker", "phases other than `run`; not `ok`", count_if(is_watched(r), r->m->circumstances.switches)) \
    X(CIRCUMSTANCES, page_faults, COUNT, "", "page faults while `run` was sampled, minor and major, counted alike", COLUMN_AS("involuntary_switches"), count_if(is_watched(r), r->m->circumstances.faults)) \
    X(CIRCUMSTANCES, gpu_temperature_c, REAL, "°C", "the highest temperature of the GPU after a visit", "no NVML; unknown; not `ok`", most_of(r, WATCH_GPU_TEMPERATURE)) \
    X(CIRCUMSTANCES, gpu_throttle, TEXT, "", "why the GPU lowered its clock, in any visit, separated by `;`: `power_cap`, `hw_slowdown`, `thermal`, `power_brake`; `none` if it did not. An idle GPU and a clock that somebody set are no throttling", COLUMN_AS("gpu_temperature_c"), text(throttle_of(r))) \
    X(CIRCUMSTANCES, gpu_processes, COUNT, "", "the most processes outside this run that computed on the GPU", "as `gpu_temperature_c`; process numbers of another namespace, as in some containers", most_of(r, WATCH_GPU_PROCESSES)) \
    X(CONFIGURATION, parts, COUNT, "", "in how many parts the problem lies, each in the memory of a device of its own: the tunable of that name, which stands in `params`, too. `pct_copy` is held against a copy in as many parts", "plugins that do not know of parts", count_if(setting_of(r)->parts > 0, setting_of(r)->parts)) \
    X(CONFIGURATION, layout, TEXT, "", "`contiguous`: a slice a part; `cyclic`: tiles dealt out in turn", "as `parts`; one part", text(setting_of(r)->parts > 1 ? layout_name(plugin_of(r)->layout) : "")) \
    X(CONFIGURATION, kinds, TEXT, "", "the kind that was asked for: that of `kind`, or `any` (`--kinds any`). Rows with `any` were sampled in the same rounds and form one ranking, whatever their `kind`: exclusive where the plugin declares that, else inclusive", "ceilings, calibrators", text(has_op(r) ? job_kinds_word(job_of(r)) : "")) \
    X(CONFIGURATION, in_place, FLAG, "", "1: the output takes the place of the input, which is lost, because the plugin works no other way. Such rows are ranked by themselves, and `pct_copy` holds them against a pass that inverts the same bytes in place", "plugin not loaded", whole_if(!plugin_of(r)->problem, measurement_is_in_place(r->m))) \
    X(ORIGIN, group_id, COUNT, "", "number of the group within the run, from 1. Rows of one `run_id` and one `group_id` were sampled in the same rounds; with `--order sequential` each configuration is a group. A ceiling has the number of the first group that it was measured with", NULL, count(r->origin->group_id)) \
    X(STATISTICS, rounds_ns, TIMES, "ns", "the values of the group's rounds, in their order, separated by spaces; `-`: a round without one. In two rows of one `run_id` and one `group_id` the same place is the same round, so the ratio of two rows is made of their common places; the shorter list ended earlier", "`create`; not `ok`", rounds_of(r)) \
    X(STATISTICS, spins_ns, TIMES, "ns", "the time of the [spin](#calibration) beside each of `rounds_ns`, in the same form", "as `rounds_ns`; phases by a device's clock, `h2d`, `d2h`; n = 0", spins_of(r)) \
    X(CONFIGURATION, rows, COUNT, "", "rows, each a scan of its own (`--rows`): a problem is a tensor rows × n × inner, scanned along its middle axis", "rows of older versions: 1", count(job_rows(r->problem))) \
    X(CONFIGURATION, inner, COUNT, "", "scans that lie side by side, element by element (`--inner`)", COLUMN_AS("rows"), count(job_inner(r->problem))) \
    X(OUTCOME, max_ulps, REAL, "", "the largest error in units of the last place: |got − exact| ÷ the distance of the type's numbers at |exact|; 0 for `max`, `min` and copies. One rounding makes 0.5 at most. Where terms cancel, as in `affine`, it grows without bound", "integers; not `ok`; rows of older versions", real_if(r->p && r->m->result.has_error && dtype_is_float(job_of(r)->dtype), r->m->result.max_ulps)) \
    X(CONFIGURATION, result, TEXT, "", "the type of the results: that of `dtype`, or a wider one (`--results`), to which each element is converted and in which it is scanned; ceilings convert, too", "rows of older versions: as `dtype`", text(dtype_name(job_result_type(r->problem))))
/* clang-format on */

/* When several are empty. */
#define COLUMN_AS(other) "as `" other "`"
#define COLUMN_NO_RATIO                                                                         \
    "the ratio is empty; fewer than 6 rounds in common; the copy or the baseline was not in "   \
    "the group's rounds but kept by `--resume`, or the order is sequential: then the ratio is " \
    "that of the medians"

/* clang-format off */
/* The columns of --samples: X(name), which are those of a row, */
#define SAMPLE_SHARED_MAP(X) \
    X(schema) X(run_id) X(plugin) X(backend) X(device) X(kind) X(op) X(dtype) X(n) X(block) X(vt) \
    X(params) X(cache) X(phase)
/* and X(name, type, unit, meaning, get), which are never empty, of the sample at r->sample. */
#define SAMPLE_OWN_MAP(X) \
    X(batch, COUNT, "", "how many runs shared the interval", count(r->p->batch)) \
    X(index, COUNT, "", "from 0, in the order in which the samples of a configuration and phase were taken", count(r->sample)) \
    X(ns, REAL, "ns", "time of one run, also where several shared an interval", real_if(true, r->p->samples[r->sample])) \
    X(round, COUNT, "", "from 0: the round of its visit", count(r->p->rounds[r->sample]))
/* and X(name), which came later and are those of a row. */
#define SAMPLE_LATER_MAP(X) X(kinds) X(rows) X(inner) X(result)
/* clang-format on */

#endif
