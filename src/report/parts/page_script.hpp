// What pages do: the button of the style, the one that saves the data, pictures and charts that zoom. Nothing asks the network.
#pragma once

#include <string_view>

namespace rta::report {

/// In the head, before anything is painted: charts need not stand still, and the style that the reader chose the last time.
inline constexpr std::string_view early_script = R"js(
document.documentElement.classList.add('moving');
try { const chosen = localStorage.getItem('rta-style'); if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.style = chosen; }
catch (refused) { /* a page that may store nothing follows the system */ }
)js";

/// Of every page.
inline constexpr std::string_view page_script = R"js(
'use strict';
window.rtaPage = (function () {
  const root = document.documentElement, restyled = [];
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => root.dataset.style ? root.dataset.style === 'dark' : systemDark.matches;
  const button = document.getElementById('style');
  function apply() {
    button.textContent = isDark() ? 'Light style' : 'Dark style';
    restyled.forEach(one => one());
  }
  button.hidden = false;
  button.addEventListener('click', () => {
    root.dataset.style = isDark() ? 'light' : 'dark';
    try { localStorage.setItem('rta-style', root.dataset.style); } catch (refused) { /* the choice ends with the page */ }
    apply();
  });
  systemDark.addEventListener('change', apply);
  let before;
  addEventListener('beforeprint', () => { before = root.dataset.style || ''; if (isDark()) { root.dataset.style = 'light'; apply(); } });
  addEventListener('afterprint', () => {
    if (before) root.dataset.style = before; else delete root.dataset.style;
    apply();
  });

  const data = document.getElementById('result'), save = document.getElementById('save');
  if (data) {
    save.hidden = false;
    save.addEventListener('click', () => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([data.dataset.file.endsWith('.json') ? data.textContent : JSON.parse(data.textContent)]));
      link.download = data.dataset.file;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  // Buttons above a box, for who has neither wheel nor drag; `zoom(factor)`, `all()`.
  function addTools(box, zoom, all, hint) {
    const tools = document.createElement('p');
    tools.className = 'tools';
    for (const [text, label, act] of [['+', 'Zoom in', () => zoom(1 / 1.5)], ['\u2212', 'Zoom out', () => zoom(1.5)], ['All', 'Show all', all]]) {
      const one = document.createElement('button');
      one.type = 'button';
      one.textContent = text;
      one.setAttribute('aria-label', label);
      one.addEventListener('click', act);
      tools.append(one);
    }
    const words = document.createElement('span');
    words.textContent = hint;
    tools.append(words);
    box.before(tools);
    box.tabIndex = 0;
    box.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '+' || event.key === '=') zoom(1 / 1.5);
      else if (event.key === '-') zoom(1.5);
      else if (event.key === '0') all();
      else return;
      event.preventDefault();
    });
  }
  // The plain wheel scrolls the page.
  function onWheel(box, zoom) {
    box.addEventListener('wheel', event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.pow(1.002, event.deltaY * Math.pow(16, event.deltaMode)), event.clientX, event.clientY);
    }, {passive: false});
  }

  document.querySelectorAll('.picture').forEach(box => {
    const svg = box.querySelector('svg');
    const natural = svg.getBoundingClientRect().width && svg.width.baseVal.value;
    let width = null;
    const show = () => { svg.style.width = width ? width + 'px' : ''; svg.style.maxWidth = width ? 'none' : ''; };
    // Small text is worse than scrolling.
    const all = () => { width = natural * 0.55 > box.clientWidth ? natural * 0.55 : null; show(); };
    function zoom(factor, x, y) {
      const old = svg.getBoundingClientRect(), frame = box.getBoundingClientRect();
      const atX = x === undefined ? frame.left + box.clientWidth / 2 : x, atY = y === undefined ? frame.top + box.clientHeight / 2 : y;
      const share = [(atX - old.left) / old.width, (atY - old.top) / old.height];
      width = Math.max(80, Math.min(8 * natural, old.width / factor));
      show();
      const now = svg.getBoundingClientRect();
      box.scrollLeft += now.left + share[0] * now.width - atX;
      box.scrollTop += now.top + share[1] * now.height - atY;
    }
    addTools(box, zoom, () => { width = null; show(); }, 'keys + \u2212 0; Ctrl with the wheel zooms, dragging moves');
    onWheel(box, zoom);
    let held = null;
    box.addEventListener('pointerdown', event => {
      if (event.pointerType !== 'mouse' || event.button !== 0 || event.target === box) return;  // a finger scrolls by itself
      held = [event.clientX + box.scrollLeft, event.clientY + box.scrollTop];
      box.setPointerCapture(event.pointerId);
    });
    box.addEventListener('pointermove', event => {
      if (held) box.scrollTo(held[0] - event.clientX, held[1] - event.clientY);
    });
    for (const end of ['pointerup', 'pointercancel']) box.addEventListener(end, () => { held = null; });
    all();
  });
  apply();
  return {restyled: restyled, addTools: addTools, onWheel: onWheel};
})();
)js";

/// Of pages with charts, behind Vega.
inline constexpr std::string_view chart_script = R"js(
'use strict';
(function () {
  const tip = document.getElementById('vg-tooltip-element');
  function tooltip(handler, event, item, value) {
    if (value === null || value === undefined || value === '') { tip.style.visibility = 'hidden'; return; }
    tip.textContent = typeof value === 'object' ? Object.keys(value).map(k => k + ': ' + value[k]).join('\n') : String(value);
    const left = event.pageX + 14, room = document.documentElement.clientWidth - tip.offsetWidth - 12;
    tip.style.left = Math.max(0, Math.min(left, room)) + 'px';
    tip.style.top = (event.pageY + 14) + 'px';
    tip.style.visibility = 'visible';
  }
  addEventListener('keydown', event => { if (event.key === 'Escape') tip.style.visibility = 'hidden'; });

  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  function coloured(value) {
    if (typeof value === 'string') return /^var\(--[a-z0-9]+\)$/.test(value) ? colour(value.slice(4, -1)) : value;
    if (Array.isArray(value)) return value.map(coloured);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, coloured(one)]));
  }
  function config() {
    const ink = colour('--ink'), soft = colour('--soft'), line = colour('--line'), font = 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
    const size = Math.round(0.8 * parseFloat(getComputedStyle(document.body).fontSize)), category = [];
    for (let i = 0; i < 8; ++i) category.push(colour('--c' + i));
    const words = {labelColor: ink, titleColor: ink, labelFont: font, titleFont: font, labelFontSize: size, titleFontSize: size};
    return {
      axis: Object.assign({gridColor: line, domainColor: soft, tickColor: soft}, words), legend: words,
      style: {'guide-label': {fill: ink, font: font}, 'guide-title': {fill: ink, font: font}},  // texts of charts' own, too
      axisX: {labelOverlap: true, labelSeparation: 6}, range: {category: category}, events: {defaults: {prevent: false}}
    };
  }
  // What fits a small screen: shorter names beside a chart, legends in several lines.
  function narrowed(spec, width) {
    (spec.axes || []).forEach(axis => { if (axis.labelLimit) axis.labelLimit = Math.min(axis.labelLimit, Math.max(60, width * 0.3)); });
    (spec.legends || []).forEach(legend => {
      if (legend.direction === 'horizontal' && !legend.columns && legend.type !== 'gradient') legend.columns = Math.max(1, Math.floor(width / 150));
    });
    return spec;
  }

  // A time axis that zooms and moves: signals `whole` and `domainX`, scale `x`.
  function addZoom(box, current) {
    const whole = () => current().signal('whole');
    function show(from, to) {
      const [first, last] = whole(), length = Math.min(to - from, last - first);
      const start = Math.max(first, Math.min(from, last - length));
      current().signal('domainX', [start, start + length]).runAsync();
      box.parentElement.classList.toggle('zoomed', length < last - first);
    }
    const at = x => {
      const canvas = box.querySelector('canvas').getBoundingClientRect();
      return current().scale('x').invert(x - canvas.left - current().origin()[0]);
    };
    function zoom(factor, x) {
      const [from, to] = current().signal('domainX'), anchor = x === undefined ? (from + to) / 2 : at(x);
      const [first, last] = whole();
      if ((to - from) * factor < (last - first) * 1e-7) return;
      show(anchor + (from - anchor) * factor, anchor + (to - anchor) * factor);
    }
    const all = () => show(...whole());
    const move = share => { const [from, to] = current().signal('domainX'); show(from + (to - from) * share, to + (to - from) * share); };
    box.classList.add('moves');
    rtaPage.addTools(box, zoom, all, 'keys + \u2212 0 and arrows; Ctrl with the wheel zooms, dragging moves');
    rtaPage.onWheel(box, zoom);
    box.addEventListener('keydown', event => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      move(event.key === 'ArrowLeft' ? -0.15 : 0.15);
      event.preventDefault();
    });
    box.addEventListener('dblclick', all);
    const down = new Map();  // where each finger, or the mouse, went down or was last
    box.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      down.set(event.pointerId, event.clientX);
      if (event.pointerType === 'mouse') box.setPointerCapture(event.pointerId);
    });
    box.addEventListener('pointermove', event => {
      if (!down.has(event.pointerId)) return;
      const last = down.get(event.pointerId), others = [...down].filter(([id]) => id !== event.pointerId);
      if (others.length === 0) {
        const [from, to] = current().signal('domainX'), by = at(last) - at(event.clientX);
        show(from + by, to + by);
      } else {
        const other = others[0][1], before = Math.abs(last - other), now = Math.abs(event.clientX - other);
        if (before > 0 && now > 0) zoom(before / now, (event.clientX + other) / 2);
      }
      down.set(event.pointerId, event.clientX);
    });
    for (const end of ['pointerup', 'pointercancel']) box.addEventListener(end, event => { down.delete(event.pointerId); });
  }

  window.rtaViews = [];
  function draw(data, index) {
    const box = document.getElementById(data.dataset.chart), first = JSON.parse(data.textContent);
    let spec = first;
    const label = box.getAttribute('aria-label');
    let view = null;
    function make() {
      const kept = view && zooms ? view.signal('domainX') : null;
      if (view) view.finalize();
      const own = narrowed(coloured(spec), box.clientWidth);
      own.description = label;
      view = new vega.View(vega.parse(own, config()), {renderer: 'canvas', container: box, hover: true, tooltip: tooltip});
      if (kept) view.signal('domainX', kept);
      window.rtaViews[index] = view;
      view.runAsync().then(fit);
    }
    function fit() {
      const made = view, width = Math.max(160, box.clientWidth - 110);
      try { made.signal('width', width); } catch (fixed) { return; }
      made.runAsync().then(() => {
        const over = box.scrollWidth - box.clientWidth;  // long labels beside the chart
        if (over > 0 && made === view) made.signal('width', Math.max(160, width - over)).runAsync();
      });
    }
    const zooms = (spec.signals || []).some(signal => signal.name === 'domainX');
    make();
    if (zooms) addZoom(box, () => view);
    const other = document.querySelector('script[data-other="' + data.dataset.chart + '"]');
    if (other) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'other';
      button.textContent = other.dataset.show;
      button.addEventListener('click', () => {
        spec = spec === first ? JSON.parse(other.textContent) : first;
        button.textContent = spec === first ? other.dataset.show : other.dataset.back;
        box.parentElement.classList.toggle('deeper', spec !== first);
        make();
      });
      const tools = box.previousElementSibling;
      if (tools && tools.className === 'tools') tools.append(button); else box.before(button);
    }
    rtaPage.restyled.push(make);
    addEventListener('resize', fit);
  }
  // One after the other, so that the page is there while they are drawn. Messages, because browsers hold timers of hidden pages back.
  const waiting = [...document.querySelectorAll('script[type="application/vnd.vega.v5+json"]')], turn = new MessageChannel();
  let drawn = 0;
  turn.port1.onmessage = () => {
    if (drawn === waiting.length) return;
    draw(waiting[drawn], drawn);
    ++drawn;
    turn.port2.postMessage(null);
  };
  turn.port2.postMessage(null);
})();
)js";

}  // namespace rta::report
