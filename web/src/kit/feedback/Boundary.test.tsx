import { Suspense, type FunctionComponent } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { Boundary } from './Boundary.tsx';
import { onDemand } from '#platform/code-on-demand.ts';
import { show } from '#kit/render.fixture.tsx';

// React reports what its boundaries take.
beforeEach(() => void vi.spyOn(console, 'error').mockReset());

const Part: FunctionComponent = () => <p>here it is</p>;
/** Fails as often as told, then brings the part. */
const partAfter = (failures: number) => {
  let attempts = 0;
  return onDemand(async () => {
    attempts += 1;
    if (attempts <= failures) throw new Error('no line');
    return Part;
  });
};
const showInBoundary = ({ Component }: ReturnType<typeof partAfter>) =>
  show(
    <Boundary
      fallback={(retry) => (
        <button type="button" onClick={retry}>
          Again
        </button>
      )}
    >
      <Suspense>
        <Component />
      </Suspense>
    </Boundary>,
  );

test('code that could not be fetched twice is fetched again by each retry, and shown when it comes', async () => {
  showInBoundary(partAfter(2));
  const again = page.getByRole('button', { name: 'Again' });
  await again.click();
  await expect.element(again).toBeVisible();
  await again.click();
  await expect.element(page.getByText('here it is')).toBeVisible();
});

test('code that could not be fetched ahead is fetched when it is shown', async () => {
  const part = partAfter(1);
  await part.preload();
  showInBoundary(part);
  await expect.element(page.getByText('here it is')).toBeVisible();
});
