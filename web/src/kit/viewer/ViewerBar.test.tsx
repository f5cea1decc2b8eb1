import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '#kit/render.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';
import type { PageSource } from './page-source.ts';
import { createViewer } from './viewer.store.ts';
import { type ViewerAction, ViewerBar } from './ViewerBar.tsx';

const nothing = (): void => undefined;

const source: PageSource = { poll: () => Promise.reject(new Error('not asked')), load: () => Promise.reject(new Error('not asked')) };

const actions: readonly ViewerAction[] = [
  { id: 'text', icon: 'file-text', name: 'Czytaj jako tekst', word: 'Tekst', staysIn: 'phone', onClick: nothing },
  { id: 'find', icon: 'magnifying-glass', name: 'Szukaj', staysIn: 'phone', onClick: nothing },
  { id: 'print', icon: 'printer', name: 'Drukuj', onClick: nothing },
  { id: 'window', icon: 'arrow-square-out', name: 'Otwórz w nowym oknie', onClick: nothing },
  { id: 'info', icon: 'file-pdf', name: 'Pokaż sam plik', onClick: nothing },
  { id: 'full', icon: 'corners-out', name: 'Pełny ekran', onClick: nothing },
  { id: 'download', icon: 'download-simple', name: 'Pobierz', staysIn: 'narrow', onClick: nothing },
];

const bar = () => page.getByRole('group', { name: 'Narzędzia dokumentu' });

const showBar = ({ count, hasPanels }: { readonly count: number; readonly hasPanels: boolean }): HTMLElement =>
  show(
    <ViewerBar
      viewer={createViewer({ source, count, sizes: [], startPage: count })}
      thumbnails={hasPanels ? { shown: false, onToggle: nothing } : undefined}
      details={hasPanels ? { shown: false, onToggle: nothing, verdict: 'Zweryfikowany' } : undefined}
      actions={actions}
    />,
  );

const boxesOfParts = (): readonly (readonly [name: string, box: DOMRect])[] => {
  const parts = [...bar().element().querySelectorAll('button, input, form > span')].filter((part) => part.checkVisibility());
  expect(parts.length).toBeGreaterThan(3);
  return parts.map((part) => [part.getAttribute('aria-label') ?? part.textContent, part.getBoundingClientRect()]);
};

/** Parts that do not lie wholly inside the bar, or lie on the one before. */
const misplaced = (): readonly string[] => {
  const room = bar().element().getBoundingClientRect();
  const boxes = boxesOfParts();
  return boxes.flatMap(([name, box], index) => {
    const before = boxes[index - 1]?.[1];
    const isInside = box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
    const isOnBefore = before !== undefined && box.left < before.right - 1 && box.top < before.bottom - 1;
    return isInside && !isOnBefore ? [] : [`${name}: ${box.left}–${box.right}`];
  });
};

const widths = Array.from({ length: 100 }, (_, step) => 320 + step * 16);

beforeEach(async () => {
  await page.viewport(1920, 800);
  await freshTab('PL');
});

for (const [text, fontSize] of [
  ['100 %', ''],
  ['200 %', '200%'],
] as const)
  test(`with text at ${text} no tool is cut off at any width`, () => {
    document.documentElement.style.fontSize = fontSize;
    onTestFinished(() => void (document.documentElement.style.fontSize = ''));
    const host = showBar({ count: 4000, hasPanels: true });
    const cut = widths.flatMap((width) => {
      host.style.width = `${width}px`;
      return misplaced().map((part) => `${width} px: ${part}`);
    });
    expect(cut).toEqual([]);
  });

test('the tools stay in one row at every width of a phone and of a window', () => {
  const tallAt = (host: HTMLElement, from: number): readonly number[] => {
    const heightAt = (width: number): number => {
      host.style.width = `${width}px`;
      return bar().element().clientHeight;
    };
    const oneRow = heightAt(1900);
    return widths.filter((width) => width >= from && heightAt(width) > oneRow);
  };
  const phone = showBar({ count: 20, hasPanels: false });
  expect(tallAt(phone, 320)).toEqual([]);
  phone.hidden = true;
  expect(tallAt(showBar({ count: 20, hasPanels: true }), 416)).toEqual([]);
});

test('in a phone’s width the way to the text is seen as a word', () => {
  const host = showBar({ count: 2, hasPanels: false });
  host.style.width = '390px';
  const button = bar().getByRole('button', { name: 'Czytaj jako tekst' });
  expect(button.element().textContent).toBe('Tekst');
  host.style.width = '1300px';
  expect(button.element().textContent).toBe('');
});
