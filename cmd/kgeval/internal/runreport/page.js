'use strict';
(() => {
  const $ = id => document.getElementById(id);
  const read = id => JSON.parse($(id).textContent);
  const el = (tag, cls, text) => {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const data = read('data');
  const table = $('list'), body = table.tBodies[0], more = $('more');
  const STEP = 60;
  const state = { sort: '', down: false, rows: data.rows, shown: 0 };
  data.rows.forEach((r, i) => { r.rank = i; });

  /* Chunks of texts are unpacked when they are needed, and kept. */
  const unpacked = new Map();
  const packed = {};
  async function unpack(kind, at) {
    const key = kind + (at >> 8);
    if (!unpacked.has(key)) {
      packed[kind] ??= read(kind);
      const bytes = Uint8Array.from(atob(packed[kind][at >> 8]), c => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
      unpacked.set(key, new Response(stream).json());
    }
    return (await unpacked.get(key))[at & 255];
  }

  /* Sorting and filtering */
  const value = {
    question: r => data.items[r.i].q.toLowerCase(),
    series: r => r.s,
    c: r => r.c, g: r => r.g, k: r => r.k, v: r => r.v, f: r => r.f,
  };
  function compare(a, b) {
    const x = value[state.sort](a), y = value[state.sort](b);
    // What has no number stands last either way.
    if (x === null || y === null) return (x === null) - (y === null) || a.rank - b.rank;
    const d = typeof x === 'string' ? x.localeCompare(y) : x - y;
    return (state.down ? -d : d) || a.rank - b.rank;
  }
  function update() {
    const text = $('f-text').value.trim().toLowerCase();
    const series = $('f-series').value, verdict = $('f-verdict').value, cls = $('f-class').value;
    state.rows = data.rows.filter(r => {
      if (series !== '' && r.s !== +series) return false;
      if (verdict !== '' && r.v !== +verdict) return false;
      if (cls === 'failed' ? r.e !== 'failed' : cls !== '' && !(r.t && r.t[+cls])) return false;
      if (!text) return true;
      const item = data.items[r.i];
      return item.q.toLowerCase().includes(text) || item.id.toLowerCase().includes(text);
    });
    if (state.sort) state.rows.sort(compare);
    const n = state.rows.length.toLocaleString('en'), all = data.rows.length.toLocaleString('en');
    $('count').textContent = n === all ? `${all} answers` : `${n} of ${all} answers`;
    body.replaceChildren();
    state.shown = 0;
    show();
  }
  function show() {
    const next = state.rows.slice(state.shown, state.shown + STEP);
    const part = document.createDocumentFragment();
    next.forEach(r => part.append(line(r)));
    if (!state.rows.length) {
      const tr = el('tr'), td = across('state');
      td.textContent = 'No answer fits these filters.';
      tr.append(td);
      part.append(tr);
    }
    body.append(part);
    state.shown += next.length;
    const left = state.rows.length - state.shown;
    more.hidden = left <= 0;
    more.textContent = `Show more (${left.toLocaleString('en')} left)`;
  }

  /* A cell over all columns that are shown: narrow screens have fewer. */
  const across = cls => {
    const td = el('td', cls);
    td.colSpan = [...table.tHead.rows[0].cells].filter(c => c.offsetParent).length || 1;
    return td;
  };
  const hidden = [...table.tHead.rows[0].cells].map(c => c.hidden);
  const number = v => v === null || v === undefined ? '–' : v.toFixed(3);
  function line(r) {
    const item = data.items[r.i], s = data.series[r.s];
    const tr = el('tr', 'row');
    const toggle = el('button', 'toggle', '+');
    toggle.setAttribute('aria-expanded', 'false');
    toggle.setAttribute('aria-label', `Open the answer of ${s.name} to: ${item.q || item.id}`);
    const cells = [el('td'), el('td', 'q'), el('td', '', s.name), el('td', 'kg-count'), el('td', 'kg-count', number(r.g)), el('td', 'kg-count', number(r.k)), el('td'), el('td', 'kg-count')];
    cells[0].append(toggle);
    const q = el('span', '', item.q || item.id);
    q.dir = 'auto';
    cells[1].append(q);
    cells[1].append(el('small', '', item.id + (r.n ? `, repeat ${r.n + 1}` : '')));
    if (r.c === null) {
      cells[3].append(el('span', r.e === 'failed' ? 'state bad' : 'state', r.e || '–'));
    } else {
      const bar = el('span', 'bar');
      bar.style.setProperty('--v', r.c);
      cells[3].append(bar, number(r.c));
    }
    if (r.v >= 0) cells[6].append(el('span', data.verdicts[r.v] === 'inconsistent' ? 'bad' : '', data.verdicts[r.v]));
    if (r.m) cells[7].textContent = `${r.f} of ${r.m}`;
    cells.forEach((c, i) => { c.hidden = hidden[i]; });
    tr.append(...cells);
    tr.addEventListener('click', e => {
      if (window.getSelection().toString() && e.target !== toggle) return;
      open(r, tr, toggle);
    });
    return tr;
  }

  /* Opening an answer */
  async function open(r, tr, toggle) {
    if (tr.classList.toggle('on')) {
      toggle.textContent = '–';
      toggle.setAttribute('aria-expanded', 'true');
      const row = el('tr'), td = across('detail');
      row.append(td);
      tr.after(row);
      try {
        td.append(await sheet(r));
      } catch (err) {
        td.append(el('p', 'state', 'This could not be opened: ' + err.message));
      }
    } else {
      toggle.textContent = '+';
      toggle.setAttribute('aria-expanded', 'false');
      tr.nextSibling.remove();
    }
  }
  /* Fragments come from the report's own templates, which escape; the page's
     policy lets none of them run or load anything. Their ids get the row's number. */
  function fragment(html, rank) {
    const t = document.createElement('template');
    t.innerHTML = html;
    const name = id => `r${rank}-${id}`;
    for (const e of t.content.querySelectorAll('[id]')) e.id = name(e.id);
    for (const a of ['aria-labelledby', 'href']) {
      for (const e of t.content.querySelectorAll(`[${a}]`)) {
        const v = e.getAttribute(a);
        e.setAttribute(a, v.startsWith('#') ? '#' + name(v.slice(1)) : name(v));
      }
    }
    return t.content;
  }
  function block(title, whole) {
    const b = el('section', whole ? 'whole' : '');
    b.append(el('h3', '', title));
    return b;
  }
  function text(s, marks) {
    const p = el('p', 'kg-text');
    p.dir = 'auto';
    let at = 0;
    for (const [from, to, cls] of marks || []) {
      if (from < at || from >= s.length) continue;
      p.append(s.slice(at, from), el('mark', 'kg-' + cls, s.slice(from, to)));
      at = Math.min(to, s.length);
    }
    p.append(s.slice(at));
    return p;
  }
  async function sheet(r) {
    const box = el('div', 'sheet');
    if (r.d < 0) {
      const left = el('p', 'whole state', r.e === 'open' ? 'This answer was not asked for yet.' : 'The texts of this answer were left out. Where that was to keep the file small, kgeval report --size lets in more.');
      box.append(left);
      return box;
    }
    const item = await unpack('texts', data.items[r.i].x), d = await unpack('details', r.d);
    if (item.q) {
      const b = block('Question', true);
      b.append(text(item.q));
      box.append(b);
    }
    const answer = block('Answer');
    if (d.e) answer.append(el('p', 'bad', 'Failed: ' + d.e));
    if (d.a.startsWith('<article')) answer.append(fragment(d.a, r.rank));
    else if (d.a) answer.append(text(d.a));
    const side = el('div');
    if (item.g) {
      const b = block('Gold answer');
      b.append(text(item.g));
      side.append(b);
    }
    const context = block('Context, with the evidence marked');
    const scroll = el('div', 'context');
    scroll.tabIndex = 0;
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-label', 'Context');
    item.s.forEach((s, i) => {
      if (item.s.length > 1) scroll.append(el('h4', '', s.n));
      scroll.append(text(s.t, d.m && d.m[i]));
      if (s.c) scroll.append(el('p', 'state', `… and ${s.c} bytes more.`));
    });
    context.append(scroll);
    side.append(context);
    box.append(answer, side);
    for (const [html, title] of [[d.t, 'Beside the gold answer'], [d.k, 'Beside the context']]) {
      if (!html) continue;
      const b = block(title, true);
      b.append(fragment(html, r.rank));
      box.append(b);
    }
    return box;
  }

  /* Controls */
  const option = (select, v, name) => {
    const o = el('option', '', name);
    o.value = v;
    $(select).append(o);
  };
  data.series.forEach((s, i) => option('f-series', i, s.name));
  data.verdicts.forEach((v, i) => { if (data.rows.some(r => r.v === i)) option('f-verdict', i, v); });
  data.classes.forEach((c, i) => { if (data.rows.some(r => r.t && r.t[i])) option('f-class', i, c); });
  if (data.rows.some(r => r.e === 'failed')) option('f-class', 'failed', 'failed');
  for (const b of table.tHead.querySelectorAll('button')) {
    b.addEventListener('click', () => {
      const key = b.dataset.sort;
      state.down = state.sort === key ? !state.down : key === 'f';
      state.sort = key;
      for (const th of table.tHead.rows[0].cells) th.removeAttribute('aria-sort');
      b.closest('th').setAttribute('aria-sort', state.down ? 'descending' : 'ascending');
      update();
    });
  }
  let timer;
  $('f-text').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(update, 120); });
  for (const id of ['f-series', 'f-verdict', 'f-class']) $(id).addEventListener('change', update);
  $('filters').addEventListener('reset', () => setTimeout(update));
  $('filters').addEventListener('submit', e => e.preventDefault());
  more.addEventListener('click', show);
  new IntersectionObserver(seen => { if (seen[0].isIntersecting && !more.hidden && state.shown > 0) show(); }, { rootMargin: '400px' }).observe(more);
  $('filters').hidden = table.hidden = false;
  update();
})();
