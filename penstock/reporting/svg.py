"""A picture made fit to stand inside a page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

_DROPPED = {"metadata", "style", "title", "script", "foreignObject"}


def inline(svg: str, *, prefix: str, name: str) -> str:
    """The picture without prologue, size and namespaces; its title, or else its name, becomes the text alternative.

    Ids carry the prefix: they would clash between pictures of one page. A `<style>` inside would reach all of the page.
    """
    root = ElementTree.fromstring(svg)  # noqa: S314 - drawn by this program, with no entities
    title = next((" ".join((node.text or "").split()) for node in root if _bare(node.tag) == "title"), "")
    _clean(root, prefix)
    for size in ("width", "height", "version", "color"):
        root.attrib.pop(size, None)
    root.set("role", "img")
    root.set("aria-label", title or name)
    return ElementTree.tostring(root, encoding="unicode")


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
