// cells.js - heat maps: cells in columns and lines, each with a colour and words

const CELL_GAP = 4, NAMES_GAP = 14;
const namesWidth = (names, width) => Math.min(longest(names) + NAMES_GAP, narrow(width) ? 150 : 300);
const cellWidth = (map, width) => (width - namesWidth(map.names, width) - CELL_GAP) / map.columns.length;

// map: {columns: [words], across: what they are, names: [words] of the lines, down: what they are or none,
// cells: [{x, y, fill: [r, g, b], words, bold, tip(): html}]}
function cellsOption(map, width) {
  const left = namesWidth(map.names, width), wide = cellWidth(map, width);
  const title = { nameTextStyle: { color: colour('quiet'), fontSize: 12, fontStyle: 'italic' }, nameLocation: 'middle' };
  return {
    grid: { left, right: CELL_GAP, top: 4, bottom: 34 },
    xAxis: { type: 'category', data: map.columns, axisTick: { show: false }, axisLine: { show: false }, name: map.across, nameGap: 20, ...title, axisLabel: { color: colour('quiet'), fontSize: 12, margin: 6 } },
    yAxis: {
      type: 'category', inverse: true, data: map.names.map((name, y) => String(y)), axisTick: { show: false }, axisLine: { show: false },
      axisLabel: { interval: 0, color: colour('ink'), fontSize: 12, formatter: (value, y) => map.names[y], width: left - 10, overflow: 'truncate' },
    },
    series: [{
      type: 'heatmap',
      data: map.cells.map(c => ({
        value: [c.x, c.y, 0], itemStyle: { color: 'rgb(' + c.fill.join(',') + ')', borderColor: colour('ground'), borderWidth: 2, borderRadius: 3 },
        label: { show: true, formatter: c.words, color: contrast(c.fill), fontSize: wide < 44 ? 11 : 12, fontWeight: c.bold ? 'bold' : 'normal', lineHeight: 15 },
      })),
      emphasis: { itemStyle: { borderColor: colour('ink'), borderWidth: 2 } },
    }],
    visualMap: { show: false, min: 0, max: 1, dimension: 2, inRange: {}, seriesIndex: [] },
    tooltip: tooltip({ trigger: 'item', formatter: at => map.cells[at.dataIndex].tip() }),
  };
}

function rgb(text) {
  const value = parseInt(text.slice(1), 16);
  return [value >> 16, value >> 8 & 255, value & 255];
}

function mix(stops, t) {
  const at = t * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(at)), f = at - i;
  return stops[i].map((v, k) => Math.round(v + (stops[i + 1][k] - v) * f));
}

const luminance = colours => {
  const [r, g, b] = colours.map(v => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = fill => (luminance(fill) > 0.18 ? '#111315' : '#ffffff');
