import { useState } from 'react';
import { beforeEach, expect, onTestFinished, test, vi, type MockInstance } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '#kit/render.fixture.tsx';
import { onDemand } from '#platform/code-on-demand.ts';
import { on } from '#platform/events.ts';
import { freshTab } from '#platform/page.fixture.tsx';
import { LoadBoundary } from './LoadBoundary.tsx';

// React reports what its boundaries take.
let reported: MockInstance<typeof console.error>;
beforeEach(async () => {
  reported = vi.spyOn(console, 'error').mockReset();
  await freshTab('EN');
});

/** Code that cannot be fetched the first time. */
const failingOnce = () => {
  let isFirst = true;
  return onDemand(async () => {
    if (!isFirst) return () => <p>the part</p>;
    isFirst = false;
    throw new Error('no line');
  });
};
const listenToAlerts = (): readonly string[] => {
  const titles: string[] = [];
  onTestFinished(on('alert', ({ title }) => titles.push(title)));
  return titles;
};

test('a part that was asked for and did not come says so and closes, and comes when it is asked for again', async () => {
  const alerts = listenToAlerts();
  const Part = failingOnce();
  function Desk() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button type="button" aria-expanded={open} onClick={() => setOpen(true)}>
          Open
        </button>
        {open && (
          <LoadBoundary onFailed={() => setOpen(false)}>
            <Part.Component />
          </LoadBoundary>
        )}
      </>
    );
  }
  show(<Desk />);
  const button = page.getByRole('button', { name: 'Open' });
  await button.click();
  await expect.poll(() => alerts).toEqual(['This could not be loaded. Check your connection and try again']);
  await expect.element(button).toHaveAttribute('aria-expanded', 'false');
  await button.click();
  await expect.element(page.getByText('the part')).toBeVisible();
  expect(alerts).toHaveLength(1);
});

test('a part that comes by itself is missing without a word when it did not come, and what is around it stays', async () => {
  const alerts = listenToAlerts();
  const Part = failingOnce();
  const host = show(
    <p>
      around
      <LoadBoundary>
        <Part.Component />
      </LoadBoundary>
    </p>,
  );
  await expect.poll(() => reported.mock.calls).toHaveLength(1);
  expect(host.textContent).toBe('around');
  expect(alerts).toEqual([]);
});
