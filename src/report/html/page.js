'use strict';
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach(function (head, column) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', function () {
      const before = head.getAttribute('aria-sort');
      const first = head.dataset.first || 'ascending';
      const other = first === 'ascending' ? 'descending' : 'ascending';
      const order = before === first ? other : first;
      heads.forEach(function (each) { each.removeAttribute('aria-sort'); });
      head.setAttribute('aria-sort', order);
      const sign = order === 'ascending' ? 1 : -1;
      const rows = Array.from(table.tBodies[0].rows);
      rows.sort(function (a, b) {
        const p = a.cells[column].dataset.sort, q = b.cells[column].dataset.sort;
        if (p === undefined || q === undefined) return (p === undefined) - (q === undefined);
        const numbers = !isNaN(p - q);
        return sign * (numbers ? p - q : p.localeCompare(q, 'en'));
      });
      table.tBodies[0].append(...rows);
    });
  });
}
/* What is wider than its frame must be reachable by keyboard to be scrolled. */
function mark_scrollable() {
  for (const frame of document.querySelectorAll('.scroll')) {
    const wider = frame.scrollWidth > frame.clientWidth + 1 || frame.scrollHeight > frame.clientHeight + 1;
    if (wider === frame.hasAttribute('tabindex')) continue;
    if (!wider) {
      ['tabindex', 'role', 'aria-label'].forEach(function (name) { frame.removeAttribute(name); });
      continue;
    }
    const named = frame.querySelector('caption') || (frame.parentNode.tagName === 'FIGURE' && frame.parentNode.querySelector('figcaption'));
    frame.tabIndex = 0;
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', (named ? named.textContent.trim() : 'Table') + ' (scrolls)');
  }
}
function open_target() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const card = target ? target.closest('details') : null;
  if (card) { card.open = true; target.scrollIntoView(); }
}
addEventListener('hashchange', open_target);
addEventListener('resize', mark_scrollable);
document.addEventListener('toggle', mark_scrollable, true);
addEventListener('beforeprint', function () {
  document.querySelectorAll('details.technique').forEach(function (card) { card.open = true; });
});
document.documentElement.classList.add('scripted');
mark_scrollable();
open_target();
