import type { DocumentDetails } from '@pergamin/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Desktop } from '#desktop/Desktop.tsx';
import { createDesktop, type WindowContentProps } from '#desktop/desktop.store.ts';
import { show } from '#kit/render.fixture.tsx';
import { answerFetch, freshTab } from '#platform/page.fixture.tsx';
import { detailsOf, documentId, portalWith, withPanels } from './document.fixture.ts';
import { DocumentWindow } from './DocumentWindow.tsx';

const otherId = '6f1b7a32-0000-4000-8000-000000000002';

const Shown = ({ params }: WindowContentProps) => <DocumentWindow documentId={params['id'] ?? ''} />;

/** A desk with this document open; answers which documents are open. */
const open = (details: Partial<DocumentDetails>) => {
  answerFetch(portalWith(detailsOf({ pageCount: 1, ...details })));
  const desktop = createDesktop({
    catalogue: [{ kind: 'document', title: () => 'Dokument', icon: 'file-text', single: false, render: Shown }],
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const host = show(
    <QueryClientProvider client={queries}>
      <Desktop desktop={desktop} toolbar={null} tiles={null} dashboard={null} />
    </QueryClientProvider>,
  );
  host.style.cssText = 'position: fixed; inset: 0';
  desktop.maximise(desktop.open('document', { id: documentId }));
  return { ids: () => desktop.getState().windows.map(({ params }) => params['id']) };
};

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

test('from an obsolete document a key leads to its new version', async () => {
  const { ids } = open({ state: 'OBSOLETE', successor: otherId });
  const way = page.getByRole('button', { name: 'Otwórz nową wersję' });
  await expect.element(way).toBeVisible();
  way.element().focus();
  await userEvent.keyboard('{Enter}');
  expect(ids()).toEqual([documentId, otherId]);
});

test('without a new version that may be seen, no way to one is shown', async () => {
  open({ state: 'OBSOLETE' });
  await expect.element(page.getByText('Ten dokument jest już nieaktualny')).toBeVisible();
  expect(page.getByRole('button', { name: 'Otwórz nową wersję' }).query()).toBeNull();
});

test('the details of a new version lead to the former one', async () => {
  withPanels();
  const { ids } = open({ predecessor: otherId });
  const panel = page.getByRole('complementary', { name: 'Szczegóły dokumentu – Aneks nr 1' });
  await panel.getByRole('button', { name: 'Otwórz poprzednią wersję' }).click();
  expect(ids()).toEqual([documentId, otherId]);
  await expect.element(page.getByText('Ten dokument jest już nieaktualny')).not.toBeInTheDocument();
});
