import { expect, test } from 'vitest';
import { show } from '#kit/render.fixture.tsx';
import { PhoneLine } from './PhoneLine.tsx';

const leftOf = (host: HTMLElement, value: string): { readonly left: number; readonly top: number } => {
  const found = [...host.querySelectorAll('em')].find(({ textContent }) => textContent === value);
  if (found === undefined) throw new Error(`${value} is not shown`);
  return found.getBoundingClientRect();
};
const shown = (width: number): HTMLElement => {
  const host = show(<PhoneLine parts={[<em key="kind">Wyciąg</em>, <em key="day">2026-11-01</em>]} />);
  host.style.width = `${width}px`;
  return host;
};

test('values stand beside one another, each a value of its own to a screen reader', () => {
  const host = shown(300);
  expect(leftOf(host, 'Wyciąg').top).toBe(leftOf(host, '2026-11-01').top);
  expect(host.textContent).toBe('Wyciąg, 2026-11-01');
});

test('a value without room begins the next line at the same edge, with no dot before it or after the one above', () => {
  const host = shown(100);
  const { left, top } = leftOf(host, '2026-11-01');
  expect(top).toBeGreaterThan(leftOf(host, 'Wyciąg').top);
  expect(left).toBe(leftOf(host, 'Wyciąg').left);
  // The dot lies before the values, where the line is cut.
  expect(left).toBe(host.getBoundingClientRect().left);
});
