import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { joinTabs } from '#platform/cross-tab.ts';
import { storeSession } from '#platform/session-token.ts';
import { answerFetch, freshTab, refusal, show, tokenFor, type Asked } from '#platform/page.fixture.tsx';
import { SignInPage } from './SignInPage.tsx';

const languages = [
  {
    language: 'PL',
    field: 'Wpisz swój identyfikator',
    button: 'Zaloguj się',
    invalid: 'Nieprawidłowe dane logowania',
    unexpected: 'Nieoczekiwany błąd uwierzytelniania',
    problem: 'Problem z logowaniem. Spróbuj ponownie później',
  },
  {
    language: 'EN',
    field: 'Enter Your ID',
    button: 'Sign in',
    invalid: 'Invalid credentials',
    unexpected: 'Unexpected authentication error',
    problem: 'Login problem. Please try again later',
  },
] as const;

const known = { 'GET /api/open/sign-in/redirection/10000001': { redirection: true } };

/** What was asked beside the further ways to sign in. */
const linesOf = (asked: readonly Asked[]) => asked.map(({ line }) => line).filter((line) => !line.endsWith('/sign-in/extra'));

const showPage = (options: { error?: string } = {}): string[] => {
  const left: string[] = [];
  show(<SignInPage error={options.error ?? null} leaveFor={(url) => left.push(url)} onGoOn={() => left.push('/')} />);
  return left;
};

test('the reason of a logout by itself stays on the card until something is typed', async () => {
  await freshTab('EN');
  showPage({ error: 'session' });
  await expect.element(page.getByLabelText('Enter Your ID')).toHaveAccessibleDescription('Your session is no longer active');
  await userEvent.fill(page.getByLabelText('Enter Your ID'), '1');
  await expect.element(page.getByText('Your session is no longer active')).not.toBeInTheDocument();
});

for (const { language, field, button, invalid, unexpected, problem } of languages) {
  const input = () => page.getByLabelText(field);
  const submit = () => page.getByRole('button', { name: button });

  test(`${language}: nothing can be sent while the id is empty or blank`, async () => {
    await freshTab(language);
    showPage();
    await expect.element(submit()).toBeDisabled();
    await userEvent.fill(input(), '   ');
    await expect.element(submit()).toBeDisabled();
    await userEvent.fill(input(), '1');
    await expect.element(submit()).toBeEnabled();
  });

  test(`${language}: an id leads to its identity service with state and language`, async () => {
    await freshTab(language);
    const asked = answerFetch(known);
    const left = showPage();
    await userEvent.fill(input(), ' 10000001 ');
    await userEvent.click(submit());
    await expect.poll(() => left).toHaveLength(1);
    const address = new URL(left[0] ?? '', location.origin);
    expect(address.pathname).toBe('/api/open/redirect/login/10000001');
    expect(address.searchParams.get('lang')).toBe(language);
    const state: unknown = JSON.parse(atob(address.searchParams.get('state') ?? ''));
    expect(state).toHaveProperty('method', 'S256');
    expect(state).toHaveProperty('challenge');
    expect(sessionStorage.getItem('v')).toMatch(/^[\w-]{64}$/);
    expect(linesOf(asked)).toEqual(['GET /api/open/sign-in/redirection/10000001']);
  });

  test(`${language}: Enter submits too`, async () => {
    await freshTab(language);
    answerFetch(known);
    const left = showPage();
    await userEvent.fill(input(), '10000001');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => left).toHaveLength(1);
  });

  test(`${language}: an id without a service is told as bad credentials, until it is edited`, async () => {
    await freshTab(language);
    answerFetch({ 'GET /api/open/sign-in/redirection/nobody': refusal(404, 'RESOURCE_NOT_FOUND') });
    const left = showPage();
    await userEvent.fill(input(), 'nobody');
    await userEvent.click(submit());
    await expect.element(page.getByText(invalid)).toBeVisible();
    await expect.element(input()).toHaveAccessibleDescription(invalid);
    await userEvent.fill(input(), 'nobody1');
    await expect.element(page.getByText(invalid)).not.toBeInTheDocument();
    expect(left).toEqual([]);
  });

  test(`${language}: an id that cannot be one is refused without asking`, async () => {
    await freshTab(language);
    const asked = answerFetch(known);
    showPage();
    for (const typed of ['a b', 'ą', '<script>', 'x'.repeat(65), 'a/b']) {
      await userEvent.fill(input(), typed);
      await userEvent.click(submit());
      await expect.element(page.getByText(invalid)).toBeVisible();
    }
    expect(linesOf(asked)).toEqual([]);
  });

  test(`${language}: a call that fails is told as bad credentials`, async () => {
    await freshTab(language);
    answerFetch({ 'GET /api/open/sign-in/redirection/10000001': new TypeError('Failed to fetch') });
    showPage();
    await userEvent.fill(input(), '10000001');
    await userEvent.click(submit());
    await expect.element(page.getByText(invalid)).toBeVisible();
  });

  test(`${language}: coming back from a failed sign-in says so`, async () => {
    await freshTab(language);
    showPage({ error: 'auth' });
    await expect.element(page.getByText(unexpected)).toBeVisible();
  });

  test(`${language}: coming back from a service that cannot be reached says to try later`, async () => {
    await freshTab(language);
    showPage({ error: 'service' });
    await expect.element(page.getByText(problem)).toBeVisible();
  });

  test(`${language}: an error that is none of ours is not told`, async () => {
    await freshTab(language);
    showPage({ error: 'constructor' });
    await expect.element(input()).toBeVisible();
    await expect.element(input()).not.toHaveAttribute('aria-invalid');
  });
}

test('beside a session that runs in this browser the page offers to go on with it, and stays until that is chosen', async () => {
  await freshTab('EN');
  onTestFinished(joinTabs());
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: undefined });
  const left = showPage();
  await expect.element(page.getByText('ID 10000001 is already signed in on this browser.')).toBeVisible();
  expect(left).toEqual([]);
  await userEvent.click(page.getByRole('button', { name: 'Go to the documents' }));
  expect(left).toEqual(['/']);
});

test('the card keeps to 500 by 400 pixels', async () => {
  await freshTab('PL');
  showPage({ error: 'auth' });
  const heading = page.getByRole('heading', { name: 'Zaloguj się' });
  await expect.element(heading).toBeVisible();
  const card = heading.element().parentElement?.parentElement?.getBoundingClientRect();
  expect(card?.width).toBeLessThanOrEqual(500);
  expect(card?.height).toBeLessThanOrEqual(400);
});
