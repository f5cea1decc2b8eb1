import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '#kit/render.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';
import { ChipRow } from './ChipRow.tsx';

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('EN');
});

test('the chips of filters keep their labels where they have room, and else are counted', async () => {
  const host = show(
    <ChipRow
      chips={[
        { key: 'period', label: 'period', value: 'last 3 months' },
        { key: 'account', label: 'Account', value: '1090' },
      ]}
    />,
  );
  const chips = page.getByRole('list', { name: 'Active filters' });
  await expect.element(chips.getByText('period: last 3 months')).toBeVisible();
  await expect.element(chips.getByText('Account: 1090')).toBeVisible();
  host.style.width = '200px';
  await expect.element(page.getByText('2 filters: last 3 months, 1090')).toBeVisible();
  expect(chips.elements()).toEqual([]);
  host.style.width = '600px';
  await expect.element(chips.getByText('Account: 1090')).toBeVisible();
  expect(page.getByText(/^2 filters/).elements()).toEqual([]);
});
