import { rows, windowCount } from './rows.ts';

/* As many windows with as many rows, and nothing but the pointer and `transform`. */
const element = <Name extends keyof HTMLElementTagNameMap>(name: Name, inside: HTMLElement, text = ''): HTMLElementTagNameMap[Name] => {
  const made = inside.appendChild(document.createElement(name));
  made.textContent = text;
  return made;
};

Object.assign(document.body.style, { position: 'fixed', inset: '0', margin: '0', overflow: 'clip' });
for (let i = 1; i <= windowCount; i++) {
  const frame = element('section', document.body);
  Object.assign(frame.style, {
    position: 'absolute',
    top: '0',
    left: '0',
    width: '1152px',
    height: '630px',
    overflow: 'hidden',
    border: '1px solid',
    borderRadius: '12px',
    background: 'Canvas',
    boxShadow: '0 8px 24px rgb(0 0 0 / 20%)',
    contain: 'layout style',
  });
  let at = { x: 144 + 36 * (i % 4), y: 72 + 22 * (i % 4) };
  const draw = () => {
    frame.style.transform = `translate3d(${at.x}px, ${at.y}px, 0)`;
  };
  draw();
  const title = element('h2', frame, `Okno ${i}`);
  Object.assign(title.style, { margin: '0', padding: '8px', touchAction: 'none', userSelect: 'none' });
  title.addEventListener('pointerdown', ({ pointerId, clientX, clientY }) => {
    const from = { x: clientX - at.x, y: clientY - at.y };
    const stop = new AbortController();
    title.setPointerCapture(pointerId);
    frame.style.willChange = 'transform';
    title.addEventListener(
      'pointermove',
      (move) => {
        at = { x: move.clientX - from.x, y: move.clientY - from.y };
        draw();
      },
      { signal: stop.signal },
    );
    title.addEventListener('lostpointercapture', () => {
      frame.style.willChange = '';
      stop.abort();
    });
  });
  const body = element('tbody', element('table', frame));
  for (const cells of rows) {
    const row = element('tr', body);
    for (const cell of cells) element('td', row, cell);
  }
}
