"""What all HTML pages share, in a real browser: styles, widths, zoom, keyboard, labels, data to save, and names that try to be markup."""

import html
import json
import pathlib
import re
import resource
import shutil
import tempfile
import unittest
import urllib.parse

from program import EXAMPLE, ROOT, opened_in_chromium, rta
from test_draw import HOSTILE, hostile_set

CAMERAS = ROOT / "tasksets/examples/cameras.yaml"
LATE = EXAMPLE.read_text().replace("D: 100 ms", "D: 7 ms")
needs_chromium = unittest.skipUnless(shutil.which("chromium"), "skipped: needs chromium")


def page(*arguments, stdin=b"", status=(0,)):
    run = rta(*arguments, "--format", "html", "-q", stdin=stdin)
    if run.returncode not in status:
        raise AssertionError(f"{arguments}: {run.returncode}, {run.stderr}")
    return run.stdout


def evaluated(document, script, delay=1500):
    """Runs a function's body in a page after its scripts; returns what it returns, which is JSON. May be a promise."""
    probe = f"""<script>
setTimeout(async function () {{
  var seen;
  try {{ seen = await (async function () {{ {script} }})(); }} catch (error) {{ seen = String(error.stack); }}
  document.body.textContent = 'seen ' + encodeURIComponent(JSON.stringify(seen)) + ' end';
}}, {delay});
</script></body>"""
    at = document.rindex("</body>")
    dom = opened_in_chromium(document[:at] + probe + document[at + len("</body>"):])
    seen = re.search(r"seen (\S*) end", dom)
    if seen is None:
        raise AssertionError(dom[-500:])
    return json.loads(urllib.parse.unquote(seen[1]))


def framed(pages, widths):
    """A document with every page in a frame of every width."""
    frames = "".join(f'<iframe style="width: {width}px; height: 900px" srcdoc="{html.escape(one)}"></iframe>' for one in pages for width in widths)
    return f"<!DOCTYPE html><html><head></head><body>{frames}</body></html>"


def carried(document):
    """The JSON that a page carries."""
    return json.loads(re.search(r'<script type="application/json" id="result"[^>]*>(.*?)</script>', document, re.S)[1])


def contrast(one, other):
    """As WCAG 2 defines it, of colours as `#rrggbb`."""

    def luminance(colour):
        parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


class Widths(unittest.TestCase):
    def pages(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            trace = folder / "trace.jsonl"
            yield page("analyze", CAMERAS)
            yield page("analyze", "-", stdin=LATE, status=(1,))
            yield page("draw", CAMERAS)
            yield page("simulate", EXAMPLE, "--duration", "100ms", "--trace", trace)
            yield rta("compare", trace, EXAMPLE, "--format", "html").stdout
            yield page("compile", ROOT / "tasksets/static/driving.yaml", "--effort", "1")

    @needs_chromium
    def test_no_page_scrolls_sideways_and_no_labels_of_pictures_overlap(self):
        widths = (360, 1400, 3840)
        for number, document in enumerate(self.pages()):
            with self.subTest(number):
                self.assertEqual(evaluated(framed([document], widths), """
  return Array.from(document.querySelectorAll('iframe')).map(frame => {
    const page = frame.contentDocument, root = page.documentElement;
    const texts = Array.from(page.querySelectorAll('.picture text')).map(text => text.getBoundingClientRect());
    let overlaps = 0;
    texts.forEach((a, i) => texts.slice(i + 1).forEach(b => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 0.3 * Math.min(a.height, b.height)) ++overlaps;
    }));
    const charts = Array.from(page.querySelectorAll('figure > div[id]'));
    return [root.scrollWidth - root.clientWidth, overlaps, charts.filter(box => !box.querySelector('canvas')).length];
  });""", delay=3000), [[0, 0, 0]] * len(widths))


class Styles(unittest.TestCase):
    def test_every_text_has_contrast_in_both_styles(self):
        document = page("analyze", CAMERAS)
        styles = [dict(re.findall(r"--(\w+): (#\w{6})", block)) for block in re.findall(r":root[^{]*\{([^}]*)\}", document)]
        self.assertEqual(len(styles), 3)  # light, dark by the system, dark by the button
        self.assertEqual(styles[1], styles[2])
        for style in styles:
            for text in ("ink", "soft", "accent", "bad"):
                for ground in ("page", "shade"):
                    self.assertGreaterEqual(contrast(style[text], style[ground]), 4.5, (text, ground, style))
        badges = re.findall(r'class="badge" style="background:(#\w+);color:(#\w+)"', page("analyze", "-", stdin=LATE, status=(1,)) + document)
        self.assertEqual(len(badges), 2)
        for ground, text in badges:
            self.assertGreaterEqual(contrast(ground, text), 4.5)

    @needs_chromium
    def test_the_button_turns_the_style_keeps_it_and_paper_is_light(self):
        document = page("analyze", CAMERAS)
        seen = evaluated(document, f"""
  const root = document.documentElement, button = document.getElementById('style'), seen = [];
  const ground = () => getComputedStyle(document.body).backgroundColor;
  seen.push(ground(), button.textContent);
  button.click();
  await new Promise(done => setTimeout(done, 300));
  seen.push(ground(), button.textContent, root.dataset.style, document.querySelectorAll('figure canvas').length - window.rtaViews.length);
  const again = document.createElement('iframe');
  again.srcdoc = {json.dumps(document).replace("</", "<" + chr(92) + "/")};
  document.body.append(again);
  await new Promise(done => again.onload = done);
  seen.push(again.contentDocument.documentElement.dataset.style);
  dispatchEvent(new Event('beforeprint'));
  seen.push(root.dataset.style, ground());
  dispatchEvent(new Event('afterprint'));
  seen.push(root.dataset.style);
  return seen;""")
        self.assertEqual(seen, ["rgb(255, 255, 255)", "Dark style", "rgb(20, 25, 30)", "Light style", "dark", 0, "dark", "light", "rgb(255, 255, 255)",
                                "dark"])


class Zoom(unittest.TestCase):
    @needs_chromium
    def test_charts_zoom_by_buttons_keys_drag_and_ctrl_with_the_wheel_alone(self):
        seen = evaluated(page("simulate", EXAMPLE, "--duration", "100ms"), """
  const view = window.rtaViews[0], box = document.querySelector('.moves'), canvas = box.querySelector('canvas');
  const length = () => { const [from, to] = view.signal('domainX'); return to - from; };
  const whole = length(), seen = {};
  const at = () => { const frame = canvas.getBoundingClientRect(); return {clientX: frame.left + frame.width / 2, clientY: frame.top + 20}; };
  const send = async (kind, type, more) => {
    const event = new kind(type, Object.assign({bubbles: true, cancelable: true}, at(), more));
    canvas.dispatchEvent(event);
    await view.runAsync();
    return event.defaultPrevented;
  };
  const press = async key => { box.dispatchEvent(new KeyboardEvent('keydown', {key: key, bubbles: true, cancelable: true})); await view.runAsync(); };
  const button = label => box.parentNode.querySelector('button[aria-label="' + label + '"]');
  seen.plainTaken = await send(WheelEvent, 'wheel', {deltaY: -300});
  seen.plain = length() === whole;
  seen.ctrlTaken = await send(WheelEvent, 'wheel', {deltaY: -300, ctrlKey: true});
  seen.ctrl = length() < whole;
  await press('0'); seen.all = length() === whole;
  await press('+'); seen.plus = Math.abs(length() - whole / 1.5) < 1e-6;
  await press('-'); seen.minus = Math.abs(length() - whole) < 1e-6;
  button('Zoom in').click(); await view.runAsync(); seen.button = length() < whole;
  const start = view.signal('domainX')[0];
  await press('ArrowRight'); seen.right = view.signal('domainX')[0] > start;
  const from = view.signal('domainX')[0], pointer = {pointerId: 1, pointerType: 'touch', button: 0, buttons: 1};
  await send(PointerEvent, 'pointerdown', pointer);
  await send(PointerEvent, 'pointermove', Object.assign({}, pointer, {clientX: at().clientX + 50}));
  await send(PointerEvent, 'pointerup', pointer);
  seen.drag = view.signal('domainX')[0] < from;
  button('Show all').click(); await view.runAsync(); seen.whole = length() === whole;
  await send(PointerEvent, 'pointerdown', pointer);
  await send(PointerEvent, 'pointerdown', Object.assign({}, pointer, {pointerId: 2, clientX: at().clientX + 40}));
  await send(PointerEvent, 'pointermove', Object.assign({}, pointer, {pointerId: 2, clientX: at().clientX + 120}));
  seen.pinch = length() < whole;
  return seen;""")
        self.assertEqual((seen.pop("plainTaken"), seen.pop("ctrlTaken")), (False, True), seen)
        self.assertEqual(set(seen.values()), {True}, seen)

    @needs_chromium
    def test_pictures_zoom_likewise(self):
        seen = evaluated(page("draw", CAMERAS), """
  const box = document.querySelector('.picture'), svg = box.querySelector('svg'), width = () => Math.round(svg.getBoundingClientRect().width);
  const send = more => {
    const event = new WheelEvent('wheel', Object.assign({bubbles: true, cancelable: true, deltaY: -300, clientX: 200, clientY: 200}, more));
    box.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const before = width(), seen = [send({}), width() === before, send({ctrlKey: true}), width() > before];
  box.previousElementSibling.querySelector('[aria-label="Show all"]').click();
  const fits = width() <= box.clientWidth;
  box.dispatchEvent(new KeyboardEvent('keydown', {key: '+', bubbles: true}));
  return seen.concat([fits, width() > before]);""")
        self.assertEqual(seen, [False, True, True, True, True, True])


class Readers(unittest.TestCase):
    @needs_chromium
    def test_everything_has_a_name_and_the_keyboard_reaches_the_result_first(self):
        seen = evaluated(page("analyze", "-", stdin=LATE, status=(1,)), """
  const all = what => Array.from(document.querySelectorAll(what));
  const named = one => (one.getAttribute('aria-label') || one.textContent).trim() !== '';
  const skip = document.querySelector('a, button, [tabindex]');
  return {
    language: document.documentElement.lang, titles: all('h1').length, mains: all('main').length,
    skip: [skip.textContent, document.querySelector(skip.getAttribute('href')).tagName],
    unnamed: all('button, a, [role=region], [role=img], figure > div').filter(one => !named(one)).length,
    heads: all('table:not(.waterfall) th:not([scope=col])').length,
    unreachable: all('.scroll').filter(one => one.scrollWidth > one.clientWidth && one.tabIndex !== 0).length,
    links: all('nav a').filter(one => !document.querySelector(one.getAttribute('href'))).length,
    ids: all('[id]').length - new Set(all('[id]').map(one => one.id)).size,
    charts: all('figure > div[id] > *').length > 0 && all('figure > div[id]').filter(one => one.getAttribute('role') !== 'graphics-document').length,
    badge: document.querySelector('.badge').textContent
  };""")
        self.assertEqual(seen, {"language": "en", "titles": 1, "mains": 1, "skip": ["Skip to the result", "MAIN"], "unnamed": 0, "heads": 0,
                                "unreachable": 0, "links": 0, "ids": 0, "charts": 0, "badge": "deadline missed"})


class Data(unittest.TestCase):
    def test_pages_carry_the_result_that_is_written_as_json(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "set.yaml").write_text(hostile_set())
            for number, arguments in enumerate((("analyze", EXAMPLE), ("simulate", EXAMPLE, "--duration", "50ms"), ("analyze", folder / "set.yaml"),
                                                ("simulate", folder / "set.yaml", "--duration", "50ms"))):
                outputs = folder / f"{number}.json", folder / f"{number}.html"
                rta(*arguments, "-q", "-o", outputs[0], "-o", outputs[1])
                self.assertEqual(carried(outputs[1].read_text()), json.loads(outputs[0].read_text()))

    @needs_chromium
    def test_the_button_saves_it(self):
        document = page("analyze", EXAMPLE)
        seen = evaluated(document, """
  let saved = null, name = null;
  window.Blob = function (parts) { saved = parts.join(''); };  // to read a real one takes time that no budget of the browser counts
  URL.createObjectURL = () => '#';
  HTMLAnchorElement.prototype.click = function () { name = this.download; };
  document.getElementById('save').click();
  return [name, saved];""")
        self.assertEqual(seen[0], "analysis.json")
        self.assertEqual(json.loads(seen[1]), carried(document))

    @needs_chromium
    def test_of_a_sweep_it_is_the_summary_as_written(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            rta("sweep", ROOT / "tasksets/sweeps/schedulers.yaml", "--count", 2, "-q", "-o", folder / "sweep")
            rta("plot", folder / "sweep", "-o", folder / "sweep.html")
            seen = evaluated((folder / "sweep.html").read_text(), """
  let saved = null;
  window.Blob = function (parts) { saved = parts.join(''); };
  URL.createObjectURL = () => '#';
  HTMLAnchorElement.prototype.click = () => {};
  document.getElementById('save').click();
  return saved;""")
            self.assertIn(seen.encode(), [file.read_bytes() for file in (folder / "sweep").glob("*.csv")])


class HostileNames(unittest.TestCase):
    @needs_chromium
    def test_names_are_text_on_every_page(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "set.yaml").write_text(hostile_set())
            pages = [
                page("analyze", folder / "set.yaml"),
                page("simulate", folder / "set.yaml", "--duration", "50ms", "--trace", folder / "trace.jsonl"),
                rta("compare", folder / "trace.jsonl", folder / "set.yaml", "--format", "html").stdout,
                page("draw", folder / "set.yaml"),
            ]
        seen = evaluated(framed(pages, (1400,)), """
  return Array.from(document.querySelectorAll('iframe')).map(frame => {
    const page = frame.contentDocument, kinds = new Set(Array.from(page.querySelectorAll('body *')).map(one => one.tagName.toLowerCase()));
    const handlers = Array.from(page.querySelectorAll('*')).filter(one => Array.from(one.attributes).some(a => a.name.startsWith('on'))).length;
    return [Array.from(kinds), handlers, page.documentElement.textContent];
  });""", delay=4000)
        known = set("a button canvas caption dd div dl dt figcaption figure footer form g h1 h2 header i li main nav noscript ol p path polygon polyline script span svg "
                    "table tbody td text th thead tr ul".split())
        for kinds, handlers, text in seen:
            self.assertEqual(set(kinds) - known, set())
            self.assertEqual(handlers, 0)
            for one in HOSTILE:
                self.assertIn(one, text)


class Policy(unittest.TestCase):
    def test_every_page_says_first_that_it_loads_nothing(self):
        for document, charts in ((page("simulate", EXAMPLE, "--duration", "50ms"), True), (page("draw", EXAMPLE), False)):
            head = re.match(r'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="([^"]*)">', document)
            self.assertIn("default-src 'none';", head[1])
            self.assertEqual("'unsafe-eval'" in head[1], charts)

    @needs_chromium
    def test_it_holds(self):
        # The tests' own policy refuses the image, too: with the page's there are two refusals.
        with self.assertRaises(AssertionError) as refused:
            evaluated(page("draw", EXAMPLE), "new Image().src = 'http://second.invalid/'; return 0;")
        self.assertEqual(len(re.findall("http://second.invalid/.* Content Security Policy", str(refused.exception))), 2, refused.exception)


# Where Vega's specifications hold programs.
EXPRESSIONS = ("signal", "expr", "update", "test", "init", "events", "filter", "between", "markname", "parse")


class Expressions(unittest.TestCase):
    """Vega makes functions of expressions: no text of a user may stand in one."""

    def programs(self, specification):
        if isinstance(specification, list):
            return [program for one in specification for program in self.programs(one)]
        if not isinstance(specification, dict):
            return []
        own = [json.dumps(value, ensure_ascii=False) for key, value in specification.items() if key in EXPRESSIONS]
        # Data are values: they hold names, and no programs.
        return own + [program for key, value in specification.items() if key != "values" for program in self.programs(value)]

    def test_no_name_stands_in_one(self):
        pool, dag, node = "alert(1)'", "]+alert(2)+['", "'+alert(3)+'"
        text = f"""platform: {{"{pool}": {{processors: 1}}}}
dags:
  - {{name: "{dag}", T: 10 ms, D: 9 ms, nodes: {{"{node}": {{on: "{pool}", C: 4 ms}}}}}}
  - {{name: other, T: 10 ms, D: 9 ms, nodes: {{"{node}": {{on: "{pool}", C: 4 ms}}}}}}
"""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "set.yaml").write_text(text)
            (folder / "late.yaml").write_text(text.replace("D: 9 ms", "D: 5 ms"))
            sweep = (ROOT / "tasksets/sweeps/schedulers.yaml").read_text()
            (folder / "sweep.yaml").write_text(sweep.replace("{name: G-EDF,", """{name: "alert(1)'",""").replace("sets: 500", "sets: 1"))
            self.assertEqual(rta("sweep", folder / "sweep.yaml", "-q", "-o", folder / "sweep").returncode, 0)
            self.assertEqual(rta("plot", folder / "sweep", "-o", folder / "sweep.html").returncode, 0)
            pages = [page("analyze", folder / "late.yaml", status=(1,)), page("compile", folder / "set.yaml", "--effort", "1"),
                     page("simulate", folder / "set.yaml", "--duration", "50ms", "--trace", folder / "trace.jsonl"),
                     rta("compare", folder / "trace.jsonl", folder / "set.yaml", "--format", "html").stdout, (folder / "sweep.html").read_text()]
        for document in pages:
            charts = re.findall(r'<script type="application/vnd.vega.v5\+json"[^>]*>(.*?)</script>', document, re.S)
            self.assertTrue(charts)
            self.assertIn("alert(", "".join(charts))  # in data
            for chart in charts:
                for program in self.programs(json.loads(chart)):
                    self.assertNotIn("alert(", program)


def large_set(dags, nodes):
    """DAGs that are trees, each with its own times, so that no two are of a kind."""
    text = "platform:\n  cpu: {processors: 16, scheduler: G-EDF}\n  other: {processors: 8, scheduler: G-EDF}\ndags:\n"
    for d in range(dags):
        text += f"  - name: dag{d}\n    T: {100 + d} ms\n    D: {1000 + 40 * d} us\n    nodes:\n"
        text += "".join(f"      n{v}: {{on: {'cpu' if v % 3 else 'other'}, C: {20 + (7 * v + d) % 70} us}}\n" for v in range(nodes))
        text += "    edges: [" + ", ".join(f"n{v // 2} -> n{v}" for v in range(1, nodes)) + "]\n"
    return text


class LargeSets(unittest.TestCase):
    LIMIT = 3_000_000  # bytes

    def test_what_is_not_drawn_is_said_and_the_worst_come_first(self):
        document = page("analyze", "-", stdin=large_set(50, 50), status=(1,))
        self.assertLess(len(document.encode()), self.LIMIT)
        self.assertEqual(document.count('class="scroll picture"'), 8)
        self.assertIn("The 8 worst of 50 kinds of DAGs are drawn, with their nodes; of 42 more there are only the table and the first chart.", document)
        rows = re.findall(r"<tr><td>(dag\d+)</td><td[^>]*>[^<]*</td><td[^>]*>([^<]*)</td><td[^>]*>([^<]*)</td>", document)
        self.assertEqual(len(rows), 50)
        result = {dag["name"]: dag["response_bound_ns"] - dag["deadline_ns"] for dag in carried(document)["dags"]}
        self.assertEqual([row[0] for row in rows], sorted(result, key=lambda name: -result[name]))
        self.assertEqual(re.findall(r'<h2 id="s\d+">DAG (\w+)</h2>', document), [row[0] for row in rows[:8]])

    def test_pages_of_what_was_simulated_stay_small_too(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "set.yaml").write_text(large_set(50, 50))
            pages = [page("simulate", folder / "set.yaml", "--duration", "100ms", "--trace", folder / "trace.jsonl", status=(0, 1)),
                     page("compare", folder / "trace.jsonl", folder / "set.yaml", status=(0, 1)),
                     page("draw", folder / "set.yaml", "--no-bounds")]
        for document in pages:
            self.assertLess(len(document.encode()), self.LIMIT)

    def test_a_dag_that_is_too_large_to_draw_is_named(self):
        document = page("analyze", "-", stdin=large_set(1, 61), status=(0, 1))
        self.assertIn("Its 61 nodes and 60 edges are not drawn here; 'rta draw' draws them.", document)
        self.assertNotIn('class="scroll picture"', document)

    @needs_chromium
    def test_the_first_paint_is_soon(self):
        # Processor time to open the page and draw all of it, beyond that of an empty page: others run beside this test.
        def seconds(document):
            def used():
                usage = resource.getrusage(resource.RUSAGE_CHILDREN)
                return usage.ru_utime + usage.ru_stime

            before = used()
            opened_in_chromium(document)
            return used() - before

        document = page("analyze", "-", stdin=large_set(50, 50), status=(1,))
        empty = "<!DOCTYPE html><html><head></head><body></body></html>"
        self.assertLess(min(seconds(document) for _ in range(3)) - min(seconds(empty) for _ in range(3)), 2)


if __name__ == "__main__":
    unittest.main()
