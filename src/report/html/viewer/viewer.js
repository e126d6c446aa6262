for (const viewer of document.querySelectorAll('.viewer')) {
  const games = JSON.parse(viewer.querySelector('script').textContent);
  const find = function (selector) { return viewer.querySelector(selector); };
  const player = find('.player'), board = find('.stage svg'), graph = find('.graph'), list = find('.moves tbody');
  const SIDE = 40, MARGIN = 14, WIDTH = 720, HEIGHT = 150, CLIP = 10;
  let game = null, ply = 0, flipped = false, timer = 0;

  function svg(name, attributes) {
    const made = document.createElementNS(board.namespaceURI, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    return made;
  }
  function element(name, text, class_name) {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (class_name) made.className = class_name;
    return made;
  }
  function score_text(score) {
    if (score === '' || isNaN(score)) return score.replace('-', '−');
    const pawns = (Math.abs(score) / 100).toFixed(2);
    return (score > 0 ? '+' : score < 0 ? '−' : '') + pawns;
  }
  function time_text(ms) {
    if (ms === '') return '';
    return ms < 1000 ? ms + ' ms' : (ms / 1000).toFixed(ms < 10000 ? 2 : 1) + ' s';
  }
  /* In pawns for White; mates are beyond every clip. */
  function height(score, white) {
    if (score === '') return null;
    const own = isNaN(score) ? (score[0] === '-' ? -1000 : 1000) : score / 100;
    return Math.max(-CLIP, Math.min(CLIP, white ? own : -own));
  }

  /* Positions are the one before and the squares that changed. */
  function read(raw) {
    const words = raw.fen.split(' '), positions = [], moves = [];
    let squares = {};
    (words[0] || '').split('/').forEach(function (rank, row) {
      let file = 0;
      for (const letter of rank) {
        if (letter >= '1' && letter <= '8') file += +letter;
        else squares['abcdefgh'[file++] + (8 - row)] = letter;
      }
    });
    let white = words[1] !== 'b', fields = [words[2], words[3], +words[4]], number = +words[5] || 1;
    positions.push({ squares: squares, rest: words.slice(1).join(' ') });
    const sans = raw.san ? raw.san.split(' ') : [], changes = raw.squares.split(' '), told = raw.fields.split(',');
    const scores = raw.scores.split(','), depths = raw.depths.split(','), times = raw.times.split(','), clocks = raw.clocks.split(',');
    sans.forEach(function (san, index) {
      squares = Object.assign({}, squares);
      const touched = [];
      for (let at = 0; at < changes[index].length; at += 3) {
        const square = changes[index].slice(at, at + 2), letter = changes[index][at + 2];
        touched.push(square);
        if (letter === '.') delete squares[square]; else squares[square] = letter;
      }
      moves.push({ san: san, white: white, number: number, score: scores[index], depth: depths[index], time: times[index], clock: clocks[index] });
      if (told[index] === '') fields = [fields[0], '-', fields[2] + 1];
      else if (told[index] === '0') fields = [fields[0], '-', 0];
      else { fields = told[index].split(' '); fields[2] = +fields[2]; }
      if (!white) number++;
      white = !white;
      positions.push({ squares: squares, touched: touched, rest: [white ? 'w' : 'b', fields[0], fields[1], fields[2], number].join(' ') });
    });
    return { raw: raw, positions: positions, moves: moves };
  }
  function fen_of(position) {
    const ranks = [];
    for (let rank = 8; rank >= 1; rank--) {
      let text = '', empty = 0;
      for (const file of 'abcdefgh') {
        const letter = position.squares[file + rank];
        if (!letter) { empty++; continue; }
        text += (empty || '') + letter;
        empty = 0;
      }
      ranks.push(text + (empty || ''));
    }
    return ranks.join('/') + ' ' + position.rest;
  }
  function words_of(move) {
    const parts = [move.number + (move.white ? '. ' : '… ') + move.san];
    if (move.score !== '') parts.push(score_text(move.score) + ' for ' + (move.white ? 'White' : 'Black'));
    if (move.depth !== '') parts.push('depth ' + move.depth);
    if (move.time !== '') parts.push(time_text(move.time));
    if (move.clock !== '') parts.push('clock ' + move.clock + ' s');
    if (parts.length === 1) parts.push('from the opening');
    return parts.join(', ');
  }
  function place(square) {
    const file = 'abcdefgh'.indexOf(square[0]), rank = square[1] - 1;
    return [MARGIN + SIDE * (flipped ? 7 - file : file), SIDE * (flipped ? rank : 7 - rank)];
  }
  function draw_board() {
    const position = game.positions[ply];
    board.querySelectorAll('use, .mark').forEach(function (each) { each.remove(); });
    const first_text = board.querySelector('text');
    for (const square of position.touched || []) {
      const at = place(square);
      board.insertBefore(svg('rect', { class: 'mark last', x: at[0], y: at[1], width: SIDE, height: SIDE }), first_text);
    }
    for (const square in position.squares) {
      const letter = position.squares[square], at = place(square), lower = letter.toLowerCase();
      board.insertBefore(svg('use', { href: '#p-' + (letter === lower ? 'b' : 'w') + lower, x: at[0] + 1.5, y: at[1] + 1.5, width: SIDE - 3, height: SIDE - 3 }), first_text);
    }
    board.querySelectorAll('.coord').forEach(function (text, index) {
      const step = flipped ? 7 - (index >> 1) : index >> 1;
      text.textContent = index % 2 ? 'abcdefgh'[step] : 8 - step;
    });
    board.setAttribute('aria-label', 'Position ' + (ply ? 'after ' + game.moves[ply - 1].number + (game.moves[ply - 1].white ? '. ' : '… ') + game.moves[ply - 1].san : 'at the start'));
  }
  function x_of(at) { return 44 + (WIDTH - 54) * at / Math.max(1, game.moves.length); }
  function y_of(pawns) { return 16 + (HEIGHT - 32) * (CLIP - pawns) / (2 * CLIP); }
  function draw_graph() {
    graph.replaceChildren();
    graph.append(svg('title', {}));
    graph.firstChild.textContent = 'Scores of both engines over the game, for White, in pawns; cut off at ' + CLIP;
    for (const pawns of [-CLIP, 0, CLIP]) {
      graph.append(svg('line', { class: pawns ? 'grid' : 'axis', x1: x_of(0), x2: WIDTH - 10, y1: y_of(pawns), y2: y_of(pawns) }));
      const label = svg('text', { class: 'tick', x: 38, y: y_of(pawns) + 4, 'text-anchor': 'end' });
      label.textContent = (pawns > 0 ? '+' : pawns < 0 ? '−' : '') + Math.abs(pawns);
      graph.append(label);
    }
    for (const white of [true, false]) {
      let path = '', dots = [];
      game.moves.forEach(function (move, index) {
        const pawns = move.white === white ? height(move.score, white) : null;
        if (pawns !== null) dots.push(x_of(index + 1).toFixed(1) + ' ' + y_of(pawns).toFixed(1));
      });
      if (dots.length) path = 'M' + dots.join('L') + (dots.length === 1 ? 'h.1' : '');
      const group = svg('g', { class: white ? 's0' : 's1' });
      group.append(svg('path', { class: 'stroke', d: path }));
      graph.append(group);
    }
    graph.append(svg('line', { class: 'cursor', y1: 2, y2: HEIGHT - 2 }));
  }
  function draw_list() {
    list.replaceChildren();
    let row = null;
    game.moves.forEach(function (move, index) {
      if (move.white || !row) {
        row = list.insertRow();
        const head = element('th', move.number + '.');
        head.scope = 'row';
        row.append(head);
        if (!move.white) row.insertCell().textContent = '…';
      }
      const button = element('button', move.san, 'move');
      const facts = [score_text(move.score) + (move.depth !== '' ? '/' + move.depth : ''), time_text(move.time)];
      button.append(element('small', facts.filter(Boolean).join(' · ')));
      button.type = 'button';
      button.tabIndex = -1;
      button.addEventListener('click', function () { stop(); go(index + 1); });
      row.insertCell().append(button);
    });
    list.querySelectorAll('tr').forEach(function (each) { while (each.cells.length < 3) each.insertCell(); });
  }
  function go(to) {
    ply = Math.max(0, Math.min(game.moves.length, to));
    draw_board();
    const cursor = graph.querySelector('.cursor');
    cursor.setAttribute('x1', x_of(ply));
    cursor.setAttribute('x2', x_of(ply));
    find('.fen').value = fen_of(game.positions[ply]);
    const end = ply === game.moves.length ? ' ' + game.raw.result + ', ' + game.raw.reason + '.' : '';
    find('.now').textContent = (ply ? words_of(game.moves[ply - 1]) + '.' : 'Start position.') + end;
    const buttons = list.querySelectorAll('button');
    buttons.forEach(function (button, index) {
      const is_current = index === ply - 1;
      button.tabIndex = is_current || (!ply && !index) ? 0 : -1;
      if (is_current) button.setAttribute('aria-current', 'step'); else button.removeAttribute('aria-current');
    });
    const frame = list.closest('.moves'), shown = buttons[ply - 1];
    if (!shown) frame.scrollTop = 0;
    else {
      const top = shown.closest('tr').offsetTop;
      if (top < frame.scrollTop + 40 || top > frame.scrollTop + frame.clientHeight - 60) frame.scrollTop = top - frame.clientHeight / 2;
    }
    /* Not `disabled`, which would take the focus away from who presses it. */
    find('[data-go=first]').setAttribute('aria-disabled', !ply);
    find('[data-go=back]').setAttribute('aria-disabled', !ply);
    find('[data-go=next]').setAttribute('aria-disabled', ply === game.moves.length);
    find('[data-go=last]').setAttribute('aria-disabled', ply === game.moves.length);
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    find('[data-go=play]').textContent = 'Play';
  }
  const actions = {
    first: function () { stop(); go(0); },
    back: function () { stop(); go(ply - 1); },
    next: function () { stop(); go(ply + 1); },
    last: function () { stop(); go(game.moves.length); },
    flip: function () { flipped = !flipped; draw_board(); },
    play: function () {
      if (timer) return stop();
      if (ply === game.moves.length) go(0);
      find('[data-go=play]').textContent = 'Pause';
      timer = setInterval(function () { go(ply + 1); if (ply === game.moves.length) stop(); }, 700);
    },
    copy: function () {
      const field = find('.fen'), button = find('[data-go=copy]');
      const said = function () { button.textContent = 'Copied'; setTimeout(function () { button.textContent = 'Copy'; }, 1500); };
      const by_hand = function () { field.select(); if (document.execCommand('copy')) said(); };
      if (navigator.clipboard) navigator.clipboard.writeText(field.value).then(said, by_hand); else by_hand();
    },
  };
  const keys = { ArrowLeft: 'back', ArrowRight: 'next', Home: 'first', End: 'last', f: 'flip' };
  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === 'INPUT') return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    actions[action]();
    if (event.target.classList.contains('move')) (list.querySelectorAll('button')[Math.max(0, ply - 1)] || player).focus();
  }
  function show(index, by_hand) {
    stop();
    game = read(games[index]);
    const raw = game.raw;
    find('.players').textContent = raw.id + ': ' + raw.white + ' – ' + raw.black + '  ' + raw.result;
    find('.opening').textContent = raw.opening;
    find('.moves caption').textContent = 'Moves of game ' + raw.id;
    find('.white-name').textContent = raw.white + ' (White)';
    find('.black-name').textContent = raw.black + ' (Black)';
    player.setAttribute('aria-label', 'Game ' + raw.id + ', ' + raw.white + ' against ' + raw.black);
    viewer.querySelectorAll('[data-game]').forEach(function (row) {
      const button = row.querySelector('button.choose');
      if (+row.dataset.game === index) button.setAttribute('aria-current', 'true'); else button.removeAttribute('aria-current');
    });
    draw_list();
    draw_graph();
    go(0);
    mark_scrollable();
    if (by_hand) { player.focus({ preventScroll: true }); player.scrollIntoView({ block: 'nearest' }); }
  }
  viewer.querySelectorAll('[data-game]').forEach(function (row) {
    const cell = row.cells[0], button = element('button', cell.textContent, 'choose');
    button.type = 'button';
    button.setAttribute('aria-label', 'Show game ' + cell.textContent);
    cell.replaceChildren(button);
    const choose = function () { show(+row.dataset.game, true); };
    button.addEventListener('click', function (event) { event.stopPropagation(); choose(); });
    row.addEventListener('click', choose);
  });
  viewer.querySelectorAll('[data-go]').forEach(function (button) {
    button.addEventListener('click', function () {
      if (button.getAttribute('aria-disabled') !== 'true') actions[button.dataset.go]();
    });
  });
  graph.addEventListener('click', function (event) {
    const box = graph.getBoundingClientRect(), x = (event.clientX - box.left) * WIDTH / box.width;
    stop();
    go(Math.round((x - x_of(0)) / (x_of(1) - x_of(0))));
  });
  player.addEventListener('keydown', pressed);
  /* With nothing in focus the keys go to the first viewer that can be seen. */
  document.addEventListener('keydown', function (event) {
    if (event.target !== document.body) return;
    const seen = Array.from(document.querySelectorAll('.player')).find(function (each) {
      const box = each.getBoundingClientRect();
      return box.top < innerHeight && box.bottom > 0;
    });
    if (seen === player) pressed(event);
  });
  show(0, false);
}
