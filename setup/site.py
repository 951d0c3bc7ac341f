"""Hooks of mkdocs (mkdocs.yml): what pages link to outside docs/ comes along, and GitHub's lists are lists."""

import html
import os
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
ALONG = "files"  # folder of the site for what is not below docs/
OUTSIDE = "outside-docs:"  # of links until mkdocs has looked for broken ones
LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)]*)?\)")
LIST = re.compile(r"(?<=\n)(?!\s|[-*|>#]|\d+\. )([^\n]*[^\s:][^\n]*\n)(?=- )")

linked = set()


def on_page_markdown(markdown, page, config, files):
    here = (DOCS / page.file.src_path).parent

    def along(match):
        target = pathlib.Path(os.path.normpath(here / match[1]))
        if target.is_relative_to(DOCS):
            return match[0]
        linked.add(target)
        place = f"{ALONG}/{target.relative_to(ROOT)}" + ("/index.html" if target.is_dir() else "")
        return f"]({OUTSIDE}{place})"

    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    # Python's Markdown begins a list only after an empty line.
    parts[::2] = [LIST.sub(r"\1\n", LINK.sub(along, part)) for part in parts[::2]]
    return "".join(parts)


def on_page_content(content, page, config, files):
    return content.replace(f'"{OUTSIDE}', '"' + "../" * page.file.src_path.count("/"))


def on_post_build(config):
    site = pathlib.Path(config["site_dir"], ALONG)
    for target in sorted(linked):
        place = site / target.relative_to(ROOT)
        if target.is_dir():
            place.mkdir(parents=True, exist_ok=True)
            names = sorted(each.name for each in target.iterdir() if each.is_file())
            for name in names:
                shutil.copy(target / name, place)
            rows = "".join(f'<li><a href="{html.escape(name)}">{html.escape(name)}</a></li>' for name in names)
            title = html.escape(str(target.relative_to(ROOT)))
            head = f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
            (place / "index.html").write_text(f"{head}<body><h1>{title}</h1><ul>{rows}</ul></body></html>\n")
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(target, place)
