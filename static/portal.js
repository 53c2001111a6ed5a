// What a script adds to pages that work without one: keys in the tree, levels that unfold in place, copying.

const tree = document.querySelector("[role=tree]");
const rows = () => [...tree.querySelectorAll("[role=treeitem]")].filter((row) => !row.closest("[hidden]"));
const isOpen = (row) => row.getAttribute("aria-expanded") === "true";
const group = (row) => document.getElementById(row.getAttribute("aria-owns"));
const parentOf = (row) => row.closest("[role=group]")?.parentElement.querySelector("[role=treeitem]");

// Exactly one row is reached by Tab; arrows go on from there.
function rove(row, { focus = true } = {}) {
  for (const each of tree.querySelectorAll("[role=treeitem]")) each.tabIndex = each === row ? 0 : -1;
  if (focus) row.focus();
}

// Scrolls the tree alone: scrollIntoView would move the page too.
function show(row) {
  const side = tree.closest(".side");
  const below = row.getBoundingClientRect().top - side.getBoundingClientRect().top;
  if (below > side.clientHeight) side.scrollTop = below - side.clientHeight / 2;
}

function fold(row) {
  row.setAttribute("aria-expanded", "false");
  group(row).hidden = true;
}

async function unfold(row) {
  row.setAttribute("aria-expanded", "true");
  if (group(row)) group(row).hidden = false;
  else await load(row);
}

async function load(row) {
  const { level, group: id } = row.dataset;
  row.insertAdjacentHTML("afterend", '<ul role="group"><li role="none"><a class="wait" role="treeitem" aria-disabled="true" tabindex="-1"><span class="gap"></span>Loading…</a></li></ul>');
  const list = row.nextElementSibling;
  list.id = id;
  row.setAttribute("aria-owns", id);
  row.setAttribute("aria-busy", "true");
  await htmx.ajax("GET", level, { source: row, target: list, swap: "innerHTML" });
  row.removeAttribute("aria-busy");
  if (list.querySelector(".wait")) refold(row, list);
  else for (const each of list.querySelectorAll("[role=treeitem]")) each.tabIndex = -1;
}

// The level could not be read: the note at the top says why, and the row can be tried again.
function refold(row, list) {
  list.remove();
  row.removeAttribute("aria-owns");
  row.setAttribute("aria-expanded", "false");
}

const keys = {
  ArrowDown: (row) => rows()[rows().indexOf(row) + 1],
  ArrowUp: (row) => rows()[rows().indexOf(row) - 1],
  Home: () => rows()[0],
  End: () => rows().at(-1),
  ArrowRight: (row) => {
    if (!row.hasAttribute("aria-expanded")) return null;
    if (isOpen(row)) return group(row)?.querySelector("[role=treeitem]");
    unfold(row);
    return row;
  },
  ArrowLeft: (row) => {
    if (!isOpen(row)) return parentOf(row);
    fold(row);
    return row;
  },
};

function keepTree() {
  const current = tree.querySelector("[aria-current]");
  rove(current ?? rows()[0], { focus: false });
  if (current) show(current);
  tree.addEventListener("keydown", (event) => {
    const row = event.target.closest("[role=treeitem]");
    if (!row || event.altKey || event.ctrlKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    const next = keys[event.key](row);
    if (next) rove(next);
  });
  tree.addEventListener("click", (event) => {
    const row = event.target.closest("[role=treeitem][aria-expanded]");
    if (!row || event.target.closest(".i") !== row.querySelector(".i")) return;
    event.preventDefault(); // the chevron unfolds, the words lead
    rove(row);
    if (isOpen(row)) fold(row);
    else unfold(row);
  });
}

// [ and ] go to the neighbours, wherever the focus is, but not while someone types.
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, textarea, select")) return;
  const rel = { "[": "prev", "]": "next" }[event.key];
  if (rel) document.querySelector(`main [rel=${rel}]`)?.click();
});

async function copy(button, text) {
  await navigator.clipboard.writeText(text);
  const words = button.lastChild.textContent;
  button.lastChild.textContent = "Copied";
  setTimeout(() => { button.lastChild.textContent = words; }, 1500);
}

function offerCopies() {
  for (const seg of document.querySelectorAll("[data-copies]")) seg.hidden = false;
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copy(button, button.dataset.copy));
  }
  for (const caption of document.querySelectorAll(".prose .code figcaption")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn quiet small";
    button.append("Copy");
    button.addEventListener("click", () => copy(button, caption.nextElementSibling.textContent));
    caption.append(button);
  }
}

if (tree && rows().length) keepTree();
if (navigator.clipboard) offerCopies();
