'use strict';
// Parts of the page that have changed come as events; each is worked into the old one node by node, so that what is scrolled,
// opened or focused stays so.
(function () {
  const bar = document.getElementById('live');
  const article = document.querySelector('article');
  const say = function (state, words) {
    bar.className = state;
    const status = bar.querySelector('[role=status]');
    if (status.textContent !== words) status.textContent = words;
  };
  const alike = function (a, b) {
    return a.nodeType === b.nodeType && a.nodeName === b.nodeName && (a.id || '') === (b.id || '');
  };
  const attributes = function (old, now) {
    for (const { name } of Array.from(old.attributes)) {
      // Whether it is open is the reader's affair.
      if (!now.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
    }
    for (const { name, value } of Array.from(now.attributes)) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
  };
  const morph = function (old, now) {
    let at = old.firstChild;
    for (const next of Array.from(now.childNodes)) {
      if (at && !alike(at, next)) {
        let later = at.nextSibling;
        while (later && !alike(later, next)) later = later.nextSibling;
        if (later && next.nodeType === 1 && next.id) {
          while (at !== later) { const gone = at; at = at.nextSibling; gone.remove(); }
        }
      }
      if (at && alike(at, next)) {
        if (at.nodeType === 1) { attributes(at, next); morph(at, next); }
        else if (at.nodeValue !== next.nodeValue) at.nodeValue = next.nodeValue;
        at = at.nextSibling;
      } else {
        old.insertBefore(next, at);
      }
    }
    while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
  };
  const part = function (name) {
    return Array.from(article.children).find(function (each) { return each.dataset.part === name; });
  };
  const update = function (event) {
    const news = JSON.parse(event.data);
    document.title = news.title;
    for (const each of Array.from(article.children)) if (!news.order.includes(each.dataset.part)) each.remove();
    let before = null;
    for (const name of news.order) {
      let here = part(name);
      if (!here) {
        here = document.createElement('div');
        here.className = 'part';
        here.dataset.part = name;
        article.insertBefore(here, before ? before.nextSibling : article.firstChild);
      }
      if (name in news.parts) {
        const fresh = document.createElement('template');
        fresh.innerHTML = news.parts[name];
        morph(here, fresh.content);
      }
      before = here;
    }
    document.body.dataset.mark = event.lastEventId;
    bar.querySelector('time').textContent = 'as of ' + new Date().toLocaleTimeString();
    say('', 'live');
  };
  // The way down to a node, to find its like in another document.
  const way = function (node) {
    const steps = [];
    for (; node && node !== document.body && node.parentNode; node = node.parentNode) {
      if (node.id) { steps.unshift('#' + node.id); break; }
      steps.unshift(Array.from(node.parentNode.children).indexOf(node));
    }
    return steps;
  };
  const find = function (steps) {
    let node = document.body;
    for (const step of steps) {
      node = typeof step === 'string' ? document.getElementById(step.slice(1)) : node.children[step];
      if (!node) return null;
    }
    return node;
  };
  const done = function (event) {
    source.close();
    say('over', 'the run has ended');
    const { page } = JSON.parse(event.data);
    if (!page) return;
    const top = scrollY;
    const focused = document.activeElement === document.body ? null : way(document.activeElement);
    const open = Array.from(document.querySelectorAll('details[open]'), way);
    document.open();
    document.write(page);
    document.close();
    const restore = function () {
      open.map(find).forEach(function (each) { if (each && 'open' in each) each.open = true; });
      const again = focused && find(focused);
      if (again) again.focus({ preventScroll: true });
      scrollTo(0, top);
    };
    restore();
    // Loading scrolls to the top once more.
    addEventListener('load', restore);
  };
  const source = new EventSource('events?after=' + encodeURIComponent(document.body.dataset.mark));
  source.addEventListener('update', update);
  source.addEventListener('done', done);
  source.onopen = function () { say('', 'live'); };
  source.onerror = function () { say('lost', 'connection lost: the run may have ended; trying again'); };
})();
