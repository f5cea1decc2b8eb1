import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { AccessibilityWindow } from './AccessibilityWindow.tsx';

const path = 'GET /static/ACCESSIBILITY.md';
const text = '# Deklaracja dostępności\n\n## W jakim stopniu\n\nWCAG 2.2.\n\n### Dalej\n\n- Klawiatura [tel](tel:+48221234567)';

beforeEach(() => freshTab('PL'));

test('the statement stands below the title of its window, in the language that it says', async () => {
  answerFetch({ [`${path}?lang=PL`]: new Response(text, { headers: { 'content-language': 'pl' } }) });
  const { isOpen } = showWindow(() => <AccessibilityWindow />);
  const region = page.getByRole('region', { name: 'Deklaracja dostępności' });
  await expect.element(region.getByRole('heading', { level: 3, name: 'W jakim stopniu' })).toBeVisible();
  await expect.element(region.getByRole('heading', { level: 4, name: 'Dalej' })).toBeVisible();
  await expect.element(region.getByRole('link', { name: 'tel' })).toHaveAttribute('href', 'tel:+48221234567');
  expect(region.getByText('WCAG 2.2.').element().closest('[lang]')?.getAttribute('lang')).toBe('pl');
  expect(region.getByRole('heading', { name: 'Deklaracja dostępności' }).elements()).toEqual([]);
  region.element().focus();
  await expect.element(region).toHaveFocus();
  await userEvent.click(page.getByRole('button', { name: 'Zamknij', exact: true }));
  await expect.poll(isOpen).toBe(false);
});

test('a statement that cannot be loaded can be asked for again', async () => {
  answerFetch({ [path]: refusal(404, 'RESOURCE_NOT_FOUND') });
  showWindow(() => <AccessibilityWindow />);
  await expect.element(page.getByRole('alert').getByText('Nie udało się wczytać deklaracji')).toBeVisible();
  answerFetch({ [path]: new Response('## Teraz jest') });
  await userEvent.click(page.getByRole('button', { name: 'Spróbuj ponownie' }));
  await expect.element(page.getByRole('heading', { name: 'Teraz jest' })).toBeVisible();
});
