// How pages look: light or dark on screens as the reader's system or the page's button says, light on paper; from 360 px on.
#pragma once

#include <string_view>

namespace rta::report {

/// Names of the colours that style and charts use. Every text has a contrast of 4.5 or more with what it stands on.
inline constexpr std::string_view light_colours =
    "--ink: #1c2733; --soft: #55636f; --line: #d5dde5; --page: #ffffff; --shade: #f4f6f8; --accent: #0b5c96; --bad: #a63d00; "
    "color-scheme: light;";
inline constexpr std::string_view dark_colours =
    "--ink: #e6ebf0; --soft: #a7b4c0; --line: #3a4550; --page: #14191e; --shade: #1e252c; --accent: #7cc0f4; --bad: #ffa36b; "
    "color-scheme: dark;";

inline constexpr std::string_view page_style = R"css(
* { box-sizing: border-box; }
html { overflow-wrap: anywhere; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: clamp(15px, calc(12px + .22vw), 20px)/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
header, main { max-width: max(1160px, 74vw); margin: 0 auto; padding: 0 clamp(12px, 2.5vw, 24px); }
header { padding-top: clamp(16px, 3vw, 32px); }
footer { margin-top: 48px; padding-bottom: 48px; color: var(--soft); font-size: .87em; }
h1 { font-size: 1.7em; line-height: 1.25; margin: 0; }
h2 { font-size: 1.2em; margin: 36px 0 8px; }
p { max-width: 76ch; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -9999px; background: var(--page); padding: 8px 12px; z-index: 10; }
.skip:focus { left: 8px; top: 8px; }
.head { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; }
.head h1 { flex: 0 1 auto; }
.actions { margin-left: auto; display: flex; flex-wrap: wrap; gap: 8px; }
button { font: inherit; font-size: .87em; color: var(--ink); background: var(--shade); border: 1px solid var(--soft); border-radius: 6px;
  padding: 4px 12px; min-height: 32px; min-width: 36px; cursor: pointer; }
button:hover { border-color: var(--accent); color: var(--accent); }
button[hidden] { display: none; }
.badge { display: inline-block; padding: 3px 12px; border-radius: 999px; font-weight: 650; white-space: nowrap; }
.summary { color: var(--soft); margin: 8px 0 20px; font-size: 1.13em; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 20px; margin: 0; padding: 12px 16px; background: var(--shade);
  border-radius: 6px; }
dt { color: var(--soft); }
dd { margin: 0; }
nav { margin: 16px 0 0; font-size: .93em; }
nav ol { display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 4px 0 0; padding: 0; list-style: none; }
.scroll { overflow-x: auto; margin: 12px 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: 4px 14px 4px 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; }
td.words { white-space: normal; min-width: min(28ch, 70vw); max-width: 90ch; overflow-wrap: anywhere; }
td.bad { color: var(--bad); font-weight: 650; }
figure { margin: 0; }
figcaption { color: var(--soft); font-size: .93em; max-width: 90ch; margin: 4px 0 12px; }
figure canvas { display: block; }
.still svg { display: block; min-width: 640px; max-width: 100%; height: auto; }
@media screen { .moving .still { display: none; } }
figure .moves { cursor: grab; touch-action: pan-y; }
.tools { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin: 4px 0; color: var(--soft); font-size: .87em; max-width: none; }
.tools button { font-size: 1em; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 6px 0; padding: 0; list-style: none; font-size: .93em; }
.legend span, .bar span { border: 1px solid var(--soft); }
.legend span { display: inline-block; width: 1em; height: 1em; margin-right: .45em; vertical-align: -.12em; border-radius: 3px; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: 16px 32px; align-items: start; }
.beside > * { min-width: 0; }
.picture { overflow: auto; max-height: 85vh; }
.picture svg { display: block; max-width: 100%; height: auto; }
.picture g.graph > polygon { fill: none; }
.picture g.cluster polygon, .picture g.cluster path { fill: none; stroke: var(--line); }
.picture g.cluster text, .picture g.edge text { fill: var(--ink); }
.picture g.node polygon, .picture g.node path { stroke: var(--soft); }
.picture g.edge path { stroke: var(--soft); }
.picture g.edge polygon { fill: var(--soft); stroke: var(--soft); }
.picture [stroke-width="3"] { stroke: var(--ink) !important; }
.picture g.edge polygon[stroke-width="3"] { fill: var(--ink); }
.waterfall { width: 100%; }
.waterfall td, .waterfall th { border: 0; padding: 1px 0; }
.waterfall th { white-space: normal; font-weight: 400; color: var(--ink); text-align: left; }
.waterfall td { text-align: right; padding-left: 16px; }
.waterfall .bar { padding: 0 0 7px; }
.bar div { position: relative; height: 14px; background: var(--shade); }
.bar span, .bar i { position: absolute; top: 0; bottom: 0; }
.bar span { min-width: 2px; }
.bar i { width: 3px; margin-left: -1px; background: var(--ink); top: -3px; bottom: -3px; }
.matrix th, .matrix td { padding: 0; border: 1px solid var(--line); font-size: .87em; }
.matrix thead td { border: 0; }
.matrix thead th { vertical-align: bottom; padding: 4px 0; }
.matrix thead span { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 14em; overflow: hidden; }
.matrix tbody th { position: sticky; left: 0; background: var(--page); padding-right: 8px; }
.matrix tbody th span { display: block; max-width: min(28ch, 36vw); white-space: normal; overflow-wrap: anywhere; }
.matrix tbody td { min-width: 1.9em; text-align: center; color: var(--soft); }
.matrix td.marked { background: var(--c1); color: #000000; font-weight: 650; }
#vg-tooltip-element { position: absolute; visibility: hidden; pointer-events: none; padding: 6px 10px; background: var(--page); color: var(--ink);
  border: 1px solid var(--soft); border-radius: 4px; box-shadow: 0 2px 6px rgba(0, 0, 0, .25); font-size: 13px; white-space: pre-line;
  max-width: min(60ch, 94vw); z-index: 9; }
@media (hover: none) { .tools span { display: none; } }
@media (max-width: 640px) {
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: 6px; }
  .actions { margin-left: 0; }
}
@media print {
  body { font-size: 10pt; }
  header, main { max-width: none; padding-left: 0; padding-right: 0; }
  nav, .skip, .actions, .tools { display: none !important; }
  .scroll, .picture { overflow: visible; max-height: none; }
  .picture svg { width: auto !important; max-width: 100% !important; max-height: 22cm; }
  figure canvas { max-width: 100%; max-height: 22cm; width: auto !important; height: auto !important; }
  .still svg { min-width: 0; width: 100%; max-height: 22cm; }
  /* what a reader has zoomed is printed as it is seen */
  figure:is(.zoomed, .deeper) .still, figure:not(.zoomed, .deeper) .still ~ .scroll { display: none; }
  table { font-size: 9pt; }
  th, td { white-space: normal; padding-right: 8px; }
  td.number, th.number { white-space: nowrap; }
  td.words { min-width: 0; }
  h2, h2 + p, .legend, .waterfall tr:not([aria-hidden]) { break-after: avoid; }
  figure, tr, dl { break-inside: avoid; }
  .beside { display: block; }
  thead { display: table-header-group; }
  .matrix td { white-space: nowrap; }
  .badge, .legend span, .bar span, .bar i, .bar div, .matrix td { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

}  // namespace rta::report
