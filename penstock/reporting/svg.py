"""A picture made fit to stand inside a page."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree import ElementTree

_DROPPED = {"metadata", "style", "script", "foreignObject"}


class Picture(NamedTuple):
    title: str
    note: str
    markup: str


def inline(svg: str, *, prefix: str, name: str) -> Picture:
    """The picture without prologue, size and namespaces; its title, or else its name, becomes the text alternative.

    Ids carry the prefix: they would clash between pictures of one page. A `<style>` inside would reach all of the page.
    """
    root = ElementTree.fromstring(svg)  # noqa: S314 - drawn by this program, with no entities
    title, note = _take(root, "title") or name, _take(root, "desc")
    _clean(root, prefix)
    for size in ("width", "height", "version", "color"):
        root.attrib.pop(size, None)
    root.set("role", "img")
    root.set("aria-label", title)
    return Picture(title, note, ElementTree.tostring(root, encoding="unicode"))


def _take(root: ElementTree.Element, tag: str) -> str:
    """The words of the picture itself; a `<title>` further inside is a hint and stays."""
    found = [node for node in root if isinstance(node.tag, str) and _bare(node.tag) == tag]
    for node in found:
        root.remove(node)
    return " ".join((found[0].text or "").split()) if found else ""


def _clean(node: ElementTree.Element, prefix: str) -> None:
    node.tag = _bare(node.tag)
    for child in list(node):
        if not isinstance(child.tag, str) or _bare(child.tag) in _DROPPED:
            node.remove(child)
        else:
            _clean(child, prefix)
    attributes = {_bare(name): value for name, value in node.attrib.items()}
    node.attrib.clear()
    for name, value in attributes.items():
        if name == "id":
            node.set("id", f"{prefix}-{value}")
        elif name == "href":
            if value.startswith("#"):
                node.set("href", f"#{prefix}-{value[1:]}")
            elif value.startswith("data:image/png;"):
                node.set("href", value)
        elif not name.startswith("on"):
            node.set(name, re.sub(r"url\(#", f"url(#{prefix}-", value))


def _bare(name: str) -> str:
    return name.rpartition("}")[2]
