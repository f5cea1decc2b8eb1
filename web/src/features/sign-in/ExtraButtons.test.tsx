import type { SignInOption } from '@pergamin/contract';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { takeLastError } from '#platform/last-error.ts';
import { answerFetch, freshTab, show } from '#platform/page.fixture.tsx';
import { SignInPage } from './SignInPage.tsx';

const pixel = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const company: SignInOption = { id: 'company', name: 'Profil firmowy', logo: null, icon: pixel, color: '#e4eaf6 #1b2a5c' };
const passkey: SignInOption = { id: 'passkey', name: 'Klucz dostępu', logo: null, icon: null, color: 'black white' };
const extra = 'GET /api/open/sign-in/extra';

const showPage = (failed = false): string[] => {
  const left: string[] = [];
  show(<SignInPage error={failed ? 'auth' : null} leaveFor={(url) => left.push(url)} onGoOn={() => left.push('/')} />);
  return left;
};
const card = () => page.getByRole('heading', { name: 'Zaloguj się' }).element().parentElement?.parentElement;

beforeEach(() => freshTab('PL'));

test('further ways to sign in stand behind an or, in their own colours', async () => {
  answerFetch({ [extra]: [company, passkey] });
  showPage();
  await expect.element(page.getByText('Lub', { exact: true })).toBeVisible();
  const button = page.getByRole('group', { name: 'Inne sposoby logowania' }).getByRole('button', { name: 'Profil firmowy' });
  await expect.element(button).toBeVisible();
  const { backgroundColor, color } = getComputedStyle(button.element());
  expect([backgroundColor, color]).toEqual(['rgb(228, 234, 246)', 'rgb(27, 42, 92)']);
  expect(button.element().querySelectorAll('img')).toHaveLength(1);
});

test('a further way leads to its service, with state and language', async () => {
  answerFetch({ [extra]: [company, passkey] });
  const left = showPage();
  await userEvent.click(page.getByRole('button', { name: 'Klucz dostępu' }));
  await expect.poll(() => left).toHaveLength(1);
  const address = new URL(left[0] ?? '', location.origin);
  expect(address.pathname).toBe('/api/open/redirect/back/passkey');
  expect(address.searchParams.get('lang')).toBe('PL');
  expect(JSON.parse(atob(address.searchParams.get('state') ?? ''))).toHaveProperty('method', 'S256');
  expect(sessionStorage.getItem('v')).toMatch(/^[\w-]{64}$/);
});

const many = Array.from({ length: 7 }, (_, index) => ({ ...company, id: `company-${index}`, name: `Profil ${index}` }));
for (const options of [[company], [company, passkey], many])
  test(`the card keeps to 500 by 450 pixels with ${options.length} of them, and with an error too`, async () => {
    answerFetch({ [extra]: options });
    showPage(true);
    await expect.element(page.getByRole('button', { name: options.at(-1)?.name ?? '' })).toBeInTheDocument();
    const box = card();
    expect(box?.getBoundingClientRect().width).toBeLessThanOrEqual(500);
    expect(box?.getBoundingClientRect().height).toBeLessThanOrEqual(450);
    expect(box?.scrollHeight).toBeLessThanOrEqual(box?.clientHeight ?? 0);
  });

test('without further ways nothing is said of any', async () => {
  const asked = answerFetch({ [extra]: [] });
  showPage();
  await expect.poll(() => asked).toHaveLength(1);
  await expect.element(page.getByRole('button', { name: 'Zaloguj się' })).toBeVisible();
  expect(page.getByText('Lub', { exact: true }).elements()).toEqual([]);
  expect(card()?.getBoundingClientRect().height).toBeLessThanOrEqual(400);
});

test('extra ways to sign in that cannot be loaded show no error', async () => {
  const asked = answerFetch({ [extra]: new TypeError('Failed to fetch') });
  showPage();
  await expect.poll(() => asked).toHaveLength(1);
  await expect.poll(() => sessionStorage.getItem('error')).toBeNull();
  await expect.element(page.getByLabelText('Wpisz swój identyfikator')).not.toHaveAttribute('aria-invalid');
  expect(takeLastError()).toBeUndefined();
});
