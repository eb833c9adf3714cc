"use strict";
// Comfort for the report: colours, folding, sorting, filtering and values under the pointer. The page reads without it.

const root = document.documentElement;
root.classList.add("js");

// Colours: as the system has them, until the button says otherwise. Some viewers forbid the memory; then it forgets.

const memory = {
  get: () => { try { return localStorage.getItem("penstock-colours"); } catch { return null; } },
  set: (value) => { try { localStorage.setItem("penstock-colours", value); } catch { /* not remembered */ } },
};

const system = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.colours ? root.dataset.colours === "dark" : system.matches);

if (["dark", "light"].includes(memory.get())) root.dataset.colours = memory.get();

function colours() {
  const button = document.getElementById("colours");
  const show = () => button.setAttribute("aria-pressed", isDark());
  button.addEventListener("click", () => {
    root.dataset.colours = isDark() ? "light" : "dark";
    memory.set(root.dataset.colours);
    show();
  });
  system.addEventListener("change", show);
  button.hidden = false;
  show();
}

// Folds: all at once by the button, and on paper.

function folds() {
  const all = [...document.querySelectorAll("details")];
  const button = document.getElementById("unfold");
  button.hidden = all.length === 0;
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-pressed") !== "true";
    all.forEach((fold) => { fold.open = open; });
    button.setAttribute("aria-pressed", open);
  });
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all.filter((fold) => !fold.open);
    closed.forEach((fold) => { fold.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((fold) => { fold.open = false; }));
}

// Tables: sorted by their heads, filtered by words, long ones cut after some rows until asked for.

const LONG_ENOUGH_TO_FILTER = 13;

// Where a table is stacked on a narrow page its heads are gone: each cell carries the name of its column.

function labelled(table) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map((head) => head.textContent.trim());
  for (const row of table.tBodies[0]?.rows ?? []) {
    [...row.cells].forEach((cell, place) => {
      if (cell.tagName === "TD" && !cell.dataset.label && heads[place]) cell.dataset.label = heads[place];
    });
  }
}

function make(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}

function enhance(table) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const most = Number(table.dataset.fold) || Infinity;
  const box = table.closest(".table");
  const state = { words: "", all: rows.length <= most };
  let more;

  const show = () => {
    const found = [...body.rows].filter((row) => row.textContent.toLowerCase().includes(state.words));
    rows.forEach((row) => row.classList.add("cut"));
    found.slice(0, state.all ? Infinity : most).forEach((row) => row.classList.remove("cut"));
    if (more) {
      more.hidden = found.length <= most;
      more.textContent = state.all ? `Show the first ${most} only` : `Show all ${found.length} rows`;
      more.setAttribute("aria-expanded", state.all);
    }
  };

  if (rows.length > most) {
    more = make("button", { type: "button", className: "more" });
    more.addEventListener("click", () => { state.all = !state.all; show(); });
    box.after(more);
  }
  if ("sortable" in table.dataset) {
    [...table.tHead.rows[0].cells].forEach((head, column) => sortable(head, column, body, show));
    if (rows.length >= LONG_ENOUGH_TO_FILTER) {
      const filter = make("input", { type: "search", className: "filter", placeholder: "Filter rows" });
      filter.setAttribute("aria-label", `Filter rows: ${table.caption.textContent}`);
      filter.addEventListener("input", () => { state.words = filter.value.trim().toLowerCase(); show(); });
      box.before(filter);
    }
  }
  show();
}

function sortable(head, column, body, show) {
  if ("unsorted" in head.dataset) return;
  const button = make("button", { type: "button", textContent: head.textContent });
  head.replaceChildren(button);
  button.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...[...body.rows].sort((a, b) => compare(value(a.cells[column]), value(b.cells[column]), up ? 1 : -1)));
    show();
  });
}

const value = (cell) => cell.dataset.value ?? cell.textContent.trim();

// Cells without a value stay last, whichever the direction.
function compare(a, b, direction) {
  if (a === "" || b === "") return (a === "") - (b === "");
  return direction * (isNaN(a) || isNaN(b) ? a.localeCompare(b, "en", { numeric: true }) : a - b);
}

// Values under the pointer. The words are native titles until here, so that they also show without this script.

const NEAR = 24; // pixels

function hints() {
  const tip = document.getElementById("tip");
  let shown = null;

  for (const hint of document.querySelectorAll(".hint")) {
    const title = hint.querySelector("title");
    hint.dataset.hint = title ? title.textContent : hint.title;
    if (title) title.remove(); else hint.removeAttribute("title");
  }

  const hide = () => {
    shown?.classList.remove("on");
    shown = null;
    tip.hidden = true;
  };
  const show = (hint, x, y) => {
    if (hint !== shown) {
      hide();
      shown = hint;
      hint.classList.add("on");
      tip.textContent = hint.dataset.hint;
      tip.hidden = false;
    }
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(x + 12, root.clientWidth - width - 8))}px`;
    tip.style.top = `${y - height - 12 < 8 ? y + 16 : y - height - 12}px`;
  };
  const nearest = (area, x, y) => {
    const all = area.matches(".hint") ? [area] : [...area.querySelectorAll(".hint")];
    let best = null;
    let least = NEAR;
    for (const hint of all) {
      const box = hint.getBoundingClientRect();
      const away = Math.hypot(
        Math.max(box.left - x, 0, x - box.right),
        Math.max(box.top - y, 0, y - box.bottom),
      ) + Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y) / 1000;
      if (away < least) [best, least] = [hint, away];
    }
    return best;
  };
  const follow = (event) => {
    const area = event.target.closest?.("figure svg, .plot.hint");
    const hint = area && nearest(area, event.clientX, event.clientY);
    if (hint) show(hint, event.clientX, event.clientY); else hide();
  };
  addEventListener("pointermove", follow);
  addEventListener("pointerdown", follow);
  addEventListener("scroll", hide, { passive: true });
  addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

  for (const picture of document.querySelectorAll("figure svg:has(.hint)")) {
    const all = [...picture.querySelectorAll(".hint")];
    let at = -1;
    picture.tabIndex = 0;
    picture.addEventListener("blur", hide);
    picture.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      at = (Math.max(at + step, step === -1 && at < 0 ? all.length - 1 : 0)) % all.length;
      const box = all[at].getBoundingClientRect();
      show(all[at], box.left + box.width / 2, box.top);
    });
  }
}

document.addEventListener("DOMContentLoaded", () => {
  colours();
  folds();
  document.querySelectorAll(".stack table").forEach(labelled);
  document.querySelectorAll("table[data-sortable], table[data-fold]").forEach(enhance);
  hints();
});
