import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { on, type PortalEvents } from '#platform/events.ts';
import { answerFetch, freshTab, refusal, type Answers } from '#platform/page.fixture.tsx';
import { AccountWindow } from './AccountWindow.tsx';

const path = 'GET /api/protected/account/self/info/full';
const saveSms = 'POST /api/protected/account/setup-channel/SMS';
const saveEmail = 'POST /api/protected/account/setup-channel/EMAIL';
const account = {
  preferredChannelId: 'EMAIL',
  personalId: '10000001',
  firstName: 'Anna',
  lastName: 'Nowak',
  email: 'anna.nowak@poczta.example',
  phone: '+48600100200',
  managed: false,
  previousSuccessfulLoginDate: Date.UTC(2026, 10, 17, 18, 2, 44),
  lastFailureLoginDate: null,
};
const nothing = () => new Response(null, { status: 204 });

const open = (answers: Answers) => {
  const asked = answerFetch(answers);
  const alerts: PortalEvents['alert'][] = [];
  const updates: undefined[] = [];
  onTestFinished(on('alert', (alert) => alerts.push(alert)));
  onTestFinished(on('accountUpdated', (update) => updates.push(update)));
  const { isOpen } = showWindow(() => <AccountWindow />);
  const saved = () => asked.filter(({ request }) => request.method === 'POST').map(({ line }) => line);
  return { alerts, updates, isOpen, saved };
};
const radio = (name: string) => page.getByRole('radio', { name });
const save = page.getByRole('button', { name: 'Save' });

beforeEach(() => freshTab('EN'));

test('the facts stand under their labels, and what never happened is N/A', async () => {
  open({ [path]: account });
  const facts = async (label: string) => {
    const term = page.getByRole('term').filter({ hasText: label });
    await expect.element(term).toBeVisible();
    return term.element().nextElementSibling?.textContent;
  };
  expect(await facts('Client ID')).toBe('10000001');
  expect(await facts('First name')).toBe('Anna');
  expect(await facts('Last name')).toBe('Nowak');
  expect(await facts('Email')).toBe('anna.nowak@poczta.example');
  expect(await facts('Phone')).toBe('+48600100200');
  expect(await facts('Previous successful login')).toBe('2026-11-17, 19:02:44');
  expect(await facts('Last failed login')).toBe('N/A');
});

test('nothing can be saved before something was changed, and the button says so', async () => {
  const { saved } = open({ [path]: account });
  await expect.element(save).toHaveAttribute('aria-disabled', 'true');
  await expect.element(save).toHaveAccessibleDescription('There is no change to save');
  await userEvent.click(radio('SMS'));
  await expect.element(save).not.toHaveAttribute('aria-disabled');
  await userEvent.click(radio('Email'));
  await expect.element(save).toHaveAttribute('aria-disabled', 'true');
  expect(saved()).toEqual([]);
});

test.each([
  ['the first choice', null, 'Saved successfully'],
  ['a change', 'EMAIL', 'Updated successfully'],
])('%s is saved, told, and the window closes', async (_, preferredChannelId, sentence) => {
  const { alerts, updates, isOpen, saved } = open({ [path]: { ...account, preferredChannelId }, [saveSms]: nothing() });
  await userEvent.click(radio('SMS'));
  await userEvent.click(save);
  await expect.poll(isOpen).toBe(false);
  expect(saved()).toEqual([saveSms]);
  expect(alerts).toEqual([{ tone: 'success', title: sentence }]);
  expect(updates).toHaveLength(1);
});

test('cancel takes the change back; with nothing to take back it closes the window', async () => {
  const { isOpen, saved } = open({ [path]: account });
  await userEvent.click(radio('SMS'));
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await userEvent.click(cancel);
  await expect.element(radio('Email')).toBeChecked();
  expect(isOpen()).toBe(true);
  await userEvent.click(cancel);
  await expect.poll(isOpen).toBe(false);
  expect(saved()).toEqual([]);
});

test('a channel without an address or a telephone cannot be chosen, is reached by the keys and says why', async () => {
  open({ [path]: { ...account, preferredChannelId: null, phone: null }, [saveEmail]: nothing() });
  await expect.element(radio('SMS')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(radio('SMS')).toHaveAccessibleDescription('We do not have your phone number');
  await userEvent.click(radio('Email'));
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(radio('SMS')).toHaveFocus();
  await expect.element(radio('Email')).toBeChecked();
  await expect.element(radio('SMS')).not.toBeChecked();
});

test('a choice that could not be saved stays, with the reason beside it', async () => {
  const { isOpen, alerts } = open({ [path]: account, [saveSms]: refusal(500, 'INTERNAL_SERVER_ERROR') });
  await userEvent.click(radio('SMS'));
  await userEvent.click(save);
  await expect.element(page.getByRole('alert').getByText('Sorry, there was a problem. Please try again later')).toBeVisible();
  await expect.element(radio('SMS')).toBeChecked();
  expect(isOpen()).toBe(true);
  expect(alerts).toEqual([]);
});

test('an account that cannot be loaded can be asked for again', async () => {
  open({ [path]: refusal(503, 'STORAGE_ERROR') });
  await expect.element(page.getByRole('heading', { name: 'Your account could not be loaded' })).toBeVisible();
  answerFetch({ [path]: account });
  await userEvent.click(page.getByRole('button', { name: 'Try again' }));
  await expect.element(radio('Email')).toBeChecked();
});
