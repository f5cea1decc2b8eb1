import type { CDPSession } from '@vitest/browser-playwright';
import { Profiler } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { cdp, page } from 'vitest/browser';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { frame, show } from '#kit/render.fixture.tsx';
import { Desktop } from './Desktop.tsx';
import { createDesktop, type WindowContentProps } from './desktop.store.ts';

/* The gate: whatever stands in the windows, dragging one costs no render of it and no layout at all. */

const windowCount = 20;
const rows = Array.from({ length: 50 }, (_, i) => i);
const moves = 60;
let commits = 0;

/** The browser itself: its real pointer, and its counters. */
const browser = (): CDPSession => cdp();

function Rows({ params }: WindowContentProps) {
  return (
    <Profiler id={params['id'] ?? ''} onRender={() => (commits += 1)}>
      <table>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <td>{row}</td>
              <td>Umowa o kredyt hipoteczny</td>
              <td>PL61 1090 1014 0000 0712 1981 2874</td>
              <td>2026-11-18</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Profiler>
  );
}

beforeEach(() => page.viewport(1280, 800));

/** The browser's own counters of this page. */
const layouts = async (): Promise<number> => {
  const { metrics } = await browser().send('Performance.getMetrics');
  const found = metrics.find(({ name }: { readonly name: string }) => name === 'LayoutCount');
  if (!found) throw new Error('the browser counts no layouts');
  return found.value;
};

test('dragging one of 20 windows with 50 rows each renders nothing and lays nothing out, over every drop zone', async () => {
  const desktop = createDesktop({
    catalogue: [{ kind: 'rows', title: ({ id }) => `Window ${id}`, icon: 'file-text', single: false, render: Rows }],
  });
  const host = show(
    <>
      <Desktop desktop={desktop} toolbar={null} tiles={null} dashboard={null} />
      <Announcer />
    </>,
  );
  for (let i = 0; i < windowCount; i++) desktop.open('rows', { id: String(i) });
  await expect.poll(() => host.querySelectorAll('table')).toHaveLength(windowCount);
  const title = host.querySelector('[data-focused] h2');
  if (!title) throw new Error('no window in front');
  await browser().send('Performance.enable');

  // The test's page is a frame of the page that the pointer moves over.
  const origin = window.frameElement?.getBoundingClientRect() ?? new DOMRect();
  const box = title.getBoundingClientRect();
  const mouse = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', x: number, y: number) =>
    browser().send('Input.dispatchMouseEvent', { type, x: origin.x + x, y: origin.y + y, button: 'left', buttons: 1, clickCount: 1 });
  const start = { x: box.x + 40, y: box.y + box.height / 2 };
  await mouse('mousePressed', start.x, start.y);
  await mouse('mouseMoved', start.x + 20, start.y + 20);
  await expect.poll(() => host.querySelector('[data-dragging]')).not.toBeNull();
  await frame();

  const before = { commits, layouts: await layouts(), place: title.getBoundingClientRect().x };
  for (let i = 1; i <= moves; i++) {
    // Around the desk: through the middle, along all its edges and corners.
    const angle = (2 * Math.PI * i) / moves;
    await mouse(
      'mouseMoved',
      Math.min(1278, Math.max(1, 640 + 800 * Math.cos(angle))),
      Math.min(790, Math.max(1, 390 + 500 * Math.sin(angle))),
    );
  }
  await frame();
  expect(title.getBoundingClientRect().x).not.toBe(before.place);
  expect(commits - before.commits).toBe(0);
  expect((await layouts()) - before.layouts).toBe(0);

  await mouse('mouseReleased', 640, 400);
  await expect.poll(() => host.querySelector('[data-dragging]')).toBeNull();
  expect(commits - before.commits).toBe(0);
});

test('a finger drags a window as a mouse does, and scrolls nothing', async () => {
  const desktop = createDesktop({
    catalogue: [{ kind: 'rows', title: ({ id }) => `Window ${id}`, icon: 'file-text', single: false, render: Rows }],
  });
  const host = show(<Desktop desktop={desktop} toolbar={null} tiles={null} dashboard={null} />);
  desktop.open('rows', { id: '0' });
  await frame();
  const before = desktop.geometry.rectOf('rows:0');
  const title = host.querySelector('[data-focused] h2');
  if (!title) throw new Error('no window in front');
  const origin = window.frameElement?.getBoundingClientRect() ?? new DOMRect();
  const box = title.getBoundingClientRect();
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
    browser().send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: origin.x + box.x + 40 + x, y: origin.y + box.y + 10 + y }],
    });
  await touch('touchStart', 0, 0);
  for (let i = 1; i <= 10; i++) await touch('touchMove', i * 6, i * 8);
  await frame();
  await touch('touchEnd', 0, 0);
  await expect.poll(() => desktop.geometry.rectOf('rows:0')).toEqual({ ...before, x: before.x + 60, y: before.y + 80 });
});
