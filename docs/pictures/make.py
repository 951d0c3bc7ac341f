"""Draws the pictures of docs/reproduction.md: make.py PROGRAM. Needs chromium; the charts are those of `rta simulate --format html`."""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LITERATURE = HERE.parent.parent / "tasksets" / "literature"
PICTURES = {
    "figure-3.1": ["experiments/yang2020-table-3.1.yaml"],
    "amert-figure-3": ["experiments/amert2017-table-1.yaml", "--copy-rules", "amert2017"],
    "figure-3.3": ["experiments/amert2017-table-2.yaml"],
    "figure-3.4": ["experiments/amert2017-table-3.yaml"],
    "figure-3.5": ["experiments/amert2017-table-4.yaml"],
    "figure-3.6": ["experiments/amert2017-table-5.yaml"],
    "figure-4.4": ["example-4.3.yaml", "--duration", "1us", "--window", "0us-4us"],
    "figure-4.5": ["theorem-4.1.yaml", "--duration", "5ms", "--phase", "tau2=900us", "--phase", "tau3=900us", "--window", "0ms-5ms"],
    "figure-4.6": ["theorem-4.2-drawn.yaml", "--duration", "4ms", "--window", "0ms-5ms"],
    "figure-4.7": ["example-4.4-m2016.yaml", "--duration", "3us", "--phase", "tau2=1us", "--phase", "tau3=2us", "--placement", "first-fit"],
    "figure-4.8": ["example-4.4-m2048.yaml", "--duration", "3us", "--phase", "tau2=1us", "--phase", "tau3=2us", "--placement", "first-fit"],
}
# Charts are drawn some time after the page is there.
SAVE = """<script>setTimeout(function () { window.rtaViews[0].signal('width', 820).runAsync().then(function (v) { return v.toSVG(); }).then(function (svg) {
  document.body.innerHTML = ''; document.body.setAttribute('data-svg', btoa(unescape(encodeURIComponent(svg)))); }); }, 1500);</script></body>"""


def draw(program, name, arguments):
    import base64

    file, *options = arguments
    html = subprocess.run([program, "simulate", LITERATURE / file, "--format", "html", "--quiet", *options], capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        page.write_text(html.replace("</body>", SAVE))
        dom = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", "--virtual-time-budget=8000", "--dump-dom",
             page.as_uri()], capture_output=True, text=True, check=True).stdout
    svg = base64.b64decode(re.search(r'data-svg="([^"]+)"', dom)[1]).decode()
    (HERE / f"{name}.svg").write_text(svg + "\n")


if __name__ == "__main__":
    for picture, command in PICTURES.items():
        draw(sys.argv[1], picture, command)
