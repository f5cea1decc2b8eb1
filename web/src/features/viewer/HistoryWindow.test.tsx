import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { answerFetch, freshTab } from '#platform/page.fixture.tsx';
import { documentId, historyPath } from './document.fixture.ts';
import { HistoryWindow } from './HistoryWindow.tsx';

test('the history of a document stands by itself, under its whole name, with the way to the document', async () => {
  await page.viewport(1280, 800);
  await freshTab('EN');
  const name = 'Zawiadomienie o zmianie oprocentowania kredytu hipotecznego nr KH-2023-02045';
  answerFetch({
    [historyPath]: { items: [{ event: 'PUBLISHED', at: Date.UTC(2026, 9, 30, 8, 41, 7), before: null, after: null, entry: null }] },
  });
  const onShow = vi.fn();
  showWindow(() => <HistoryWindow documentId={documentId} name={name} onShow={onShow} />);
  await expect.element(page.getByText(name)).toBeVisible();
  await expect.element(page.getByText('2026-10-30, 09:41:07')).toBeVisible();
  const show = page.getByRole('button', { name: 'show' });
  await userEvent.click(show);
  expect(onShow).toHaveBeenCalledExactlyOnceWith(show.element());
});
