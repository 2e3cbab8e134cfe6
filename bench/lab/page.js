// Draws `plots` by Chart.js: a canvas for each, in the order of the data.
"use strict";

const colours = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b",
                 "#e377c2", "#7f7f7f", "#bcbd22"];

const power = exponent => ["", "K", "M", "G"][exponent] ?? "";

// 65536 as 64K.
function size(bytes) {
  let exponent = 0;
  while (bytes >= 1024 && exponent < 3) {
    bytes /= 1024;
    ++exponent;
  }
  return +bytes.toPrecision(3) + power(exponent);
}

const byTwos = axis => {
  // Powers of two at which labels have room.
  const first = Math.floor(Math.log2(axis.min)), last = Math.ceil(Math.log2(axis.max));
  const step = Math.max(1, Math.ceil((last - first) / 12));
  axis.ticks = [];
  for (let i = first; i <= last; i += step) axis.ticks.push({value: 2 ** i});
};

const named = (text, more) => ({title: {display: true, text}, ...more});

function lines(plot) {
  const values = plot.lines.flatMap(line => line.points.map(point => point[1]));
  const bottom = Math.min(...values) / 1.3, top = Math.max(...values) * 1.3;
  const datasets = plot.lines.map((line, i) => ({
    label: line.label,
    data: line.points.map(([x, y]) => ({x, y})),
    borderColor: colours[i % colours.length],
    backgroundColor: colours[i % colours.length],
    borderDash: line.dashed ? [6, 4] : [],
    borderWidth: 1.5,
    pointRadius: 2.5,
  }));
  const marks = plot.marks.map(([label, x]) => ({
    label,
    data: [{x, y: bottom}, {x, y: top}],
    borderColor: "#444",
    backgroundColor: "#444",
    borderDash: [2, 3],
    borderWidth: 1.5,
    pointRadius: 0,
  }));
  const x = named(plot.x, {type: "logarithmic", ticks: {callback: size}, afterBuildTicks: byTwos});
  const y = named(plot.y, {type: "logarithmic", min: bottom, max: top});
  return {type: "line", data: {datasets: [...datasets, ...marks]}, options: {scales: {x, y}}};
}

function classes(plot) {
  const datasets = plot.lines.map((line, i) => ({
    label: line.label,
    // Side by side, so that no line hides another.
    data: line.points.map(([kind, y]) => ({
      x: plot.classes.indexOf(kind) + (i + 1) / (plot.lines.length + 1) - 0.5, y,
    })),
    backgroundColor: colours[i % colours.length],
    pointRadius: 4,
  }));
  const callback = value => plot.classes[value] ?? "";
  const x = {type: "linear", min: -0.5, max: plot.classes.length - 0.5,
             ticks: {stepSize: 1, callback, autoSkip: false}};
  x.afterBuildTicks = axis => axis.ticks = plot.classes.map((_, value) => ({value}));
  return {type: "scatter", data: {datasets},
          options: {scales: {x, y: named(plot.y, {beginAtZero: true})}}};
}

// From light to dark as values grow.
function shade(value, least, most) {
  const part = most > least ? (value - least) / (most - least) : 0;
  return `hsl(${220 - 200 * part}, 75%, ${80 - 40 * part}%)`;
}

function heat(plot) {
  const values = plot.cells.map(cell => cell[2]);
  const least = Math.min(...values), most = Math.max(...values);
  const count = plot.labels.length;
  const radius = context => {
    const area = context.chart.chartArea;
    return area ? Math.SQRT1_2 * Math.min(area.width, area.height) / count : 1;
  };
  const cells = {
    data: plot.cells.map(([x, y, value]) => ({x, y, value})),
    pointStyle: "rect",
    radius,
    hoverRadius: radius,
    borderWidth: 0,
    backgroundColor: plot.cells.map(cell => shade(cell[2], least, most)),
  };
  const edges = plot.breaks.flatMap(at => [
    {x: at - 0.5, y: -0.5}, {x: at - 0.5, y: count - 0.5}, {x: NaN, y: NaN},
    {x: -0.5, y: at - 0.5}, {x: count - 0.5, y: at - 0.5}, {x: NaN, y: NaN},
  ]);
  const borders = {type: "line", data: edges, borderColor: "#000", borderWidth: 1, pointRadius: 0};
  const axis = reverse => ({
    type: "linear", min: -0.5, max: count - 0.5, reverse, grid: {display: false},
    ticks: {callback: value => plot.labels[value] ?? ""},
    afterBuildTicks: made => {
      const step = Math.ceil(count / 32);
      made.ticks = plot.labels.map((_, value) => ({value})).filter(t => t.value % step === 0);
    },
  });
  const label = item => `${plot.labels[item.raw.x]} to ${plot.labels[item.raw.y]}: ` +
                        `${item.raw.value.toPrecision(3)} us`;
  return {
    type: "scatter",
    data: {datasets: [borders, cells]},
    options: {
      scales: {x: axis(false), y: axis(true)},
      plugins: {
        legend: {display: false},
        tooltip: {callbacks: {label}},
        subtitle: {display: true, text: `light: ${least.toPrecision(3)}, dark: ` +
                                        `${most.toPrecision(3)}; P package, N NUMA node, L L3`},
      },
    },
  };
}

Chart.defaults.animation = false;
Chart.defaults.maintainAspectRatio = false;
Chart.defaults.plugins.legend.labels.boxWidth = 24;
const makers = {lines, classes, heat};

// All places first: a picture has the size that its place had when it was drawn.
const places = plots.map(plot => {
  const figure = document.getElementById("plots").appendChild(document.createElement("figure"));
  figure.appendChild(document.createElement("figcaption")).textContent = plot.title;
  const room = figure.appendChild(document.createElement("div"));
  room.className = `room ${plot.kind}`;
  return room.appendChild(document.createElement("canvas"));
});
plots.forEach((plot, i) => new Chart(places[i], makers[plot.kind](plot)));
