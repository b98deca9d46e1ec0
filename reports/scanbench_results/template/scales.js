// scales.js - axes. Logarithmic ones are drawn as linear axes of logarithms, so that they end where the
// data ends and have ticks between the powers of ten where there is room.

// The ticks of [lo, hi], given as logarithms, `most` at most: powers of ten, with numbers between a few of them.
function logTicks(lo, hi, most) {
  if (hi - lo < 0.5) return linearTicks(10 ** lo, 10 ** hi, Math.min(most, 6)).filter(v => v > 0).map(Math.log10);
  const powers = (mantissas, step) => {
    const ticks = [];
    for (let e = Math.floor(lo); e <= Math.ceil(hi); e++) {
      if (e % step !== 0) continue;
      for (const m of mantissas) {
        const at = e + Math.log10(m);
        if (at >= lo - 1e-9 && at <= hi + 1e-9) ticks.push(at);
      }
    }
    return ticks;
  };
  for (const mantissas of [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3]]) {
    const ticks = powers(mantissas, 1);
    if (ticks.length >= 2 && ticks.length <= most) return ticks;
  }
  return powers([1], Math.max(1, Math.ceil((hi - lo) / most)));
}

function linearTicks(lo, hi, most) {
  const rough = (hi - lo) / most || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map(m => m * power).find(s => s >= rough - 1e-12);
  const ticks = [];
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + step * 1e-9; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

// {min, max, ticks, to(value), from(position), words(value)}; most: how many ticks there are.
function logScale(values, words, { pad = 0.04, most = 8 } = {}) {
  let lo = Math.log10(Math.min(...extremes(values))), hi = Math.log10(Math.max(...extremes(values)));
  const extra = Math.max((hi - lo) * pad, 0.02);
  lo -= extra;
  hi += extra;
  return {
    min: lo, max: hi, ticks: logTicks(lo, hi, most), to: Math.log10, from: at => 10 ** at,
    words: at => words(Number((10 ** at).toPrecision(6))),
  };
}

function linearScale(values, words, { from = null, most = 6 } = {}) {
  const [least, largest] = extremes(values);
  const lo = from === null ? least : Math.min(from, least), hi = largest + (largest - lo) * 0.06 || 1;
  return { min: lo, max: hi, ticks: linearTicks(lo, hi, most), to: v => v, from: at => at, words: at => words(at) };
}

// Of any number of values: Math.min(...values) has a limit.
function extremes(values) {
  let lo = Infinity, hi = -Infinity;
  for (const v of values) {
    if (v < lo) lo = v;
    if (v > hi) hi = v;
  }
  return [lo, hi];
}

function axisOf(scale, more = {}) {
  return {
    type: 'value', min: scale.min, max: scale.max,
    axisTick: { show: false, customValues: scale.ticks },
    axisLabel: { customValues: scale.ticks, formatter: scale.words, color: colour('quiet'), fontSize: 12, hideOverlap: true, showMinLabel: true, showMaxLabel: true },
    splitLine: { show: true, lineStyle: { color: colour('rule'), width: 1 } },
    axisLine: { show: false },
    ...more,
  };
}
