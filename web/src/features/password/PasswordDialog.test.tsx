import { passwordExistsMessage, passwordFaultWords, type UserInfo } from '@pergamin/contract';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { on, type PortalEvents } from '#platform/events.ts';
import { answerFetch, freshTab, refusal, show } from '#platform/page.fixture.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';

const anna: UserInfo = { personalId: '10000001', firstName: 'Anna', lastName: 'Nowak', managed: false, language: 'EN' };
const change = 'POST /api/protected/account/change/password';
const reset = 'POST /api/protected/account/reset-password';
const done = () => new Response(null, { status: 204 });
const validation = (message: string) => Response.json({ code: 'VALIDATION_ERROR', message }, { status: 400 });
const unfit = (problem: string) => refusal(400, 'VALIDATION_ERROR', { fields: { newPassword: problem } });

const open = (wanted: 'change' | 'reset', user = anna): string[] => {
  const closed: string[] = [];
  show(<PasswordDialog wanted={wanted} user={user} onClose={() => closed.push('closed')} />);
  return closed;
};
const field = (name: string) => page.getByRole('textbox', { name, exact: true }).or(page.getByLabelText(name, { exact: true }));
const submit = () => page.getByRole('dialog').getByRole('button', { name: 'Zmień hasło' });
const type = async (old: string, fresh: string, repeated = fresh) => {
  await userEvent.fill(field('Stare hasło'), old);
  await userEvent.fill(field('Nowe hasło'), fresh);
  await userEvent.fill(field('Powtórz nowe hasło'), repeated);
};
const errorOf = (name: string) => {
  const input = field(name).element();
  return document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent;
};

beforeEach(() => freshTab('PL'));

test('a password is changed, and everybody concerned is told', async () => {
  const alerts: PortalEvents['alert'][] = [];
  onTestFinished(on('alert', (alert) => void alerts.push(alert)));
  const asked = answerFetch({ [change]: done() });
  const closed = open('change');
  await type('Stare-haslo-1', 'Nowe-haslo-2');
  await userEvent.click(submit());
  await expect.poll(() => closed).toEqual(['closed']);
  expect(await asked[0]?.request.json()).toEqual({ oldPassword: 'Stare-haslo-1', newPassword: 'Nowe-haslo-2' });
  expect(alerts).toEqual([{ tone: 'success', title: 'Zaktualizowano pomyślnie', detail: 'Wylogowaliśmy Cię na innych urządzeniach.' }]);
});

test('rules are ticked off while the password is typed', async () => {
  open('change');
  await userEvent.fill(field('Stare hasło'), 'Abcdefg1');
  const kept = () =>
    page
      .getByRole('list', { name: 'Wymagania nowego hasła' })
      .getByRole('listitem')
      .elements()
      .filter((item) => item.textContent.endsWith(': spełnione'))
      .map((item) => item.textContent.replace(': spełnione', ''));
  for (const [typed, rules] of [
    ['a', ['mała litera', 'inne niż stare']],
    ['aB', ['mała litera', 'wielka litera', 'inne niż stare']],
    ['aB3', ['mała litera', 'wielka litera', 'cyfra', 'inne niż stare']],
    ['Abcdefg1', ['8–20 znaków', 'mała litera', 'wielka litera', 'cyfra']],
    ['Abcdefg2', ['8–20 znaków', 'mała litera', 'wielka litera', 'cyfra', 'inne niż stare']],
    ['Abcdefg2Abcdefg2Abcde', ['mała litera', 'wielka litera', 'cyfra', 'inne niż stare']],
  ] as const) {
    await userEvent.fill(field('Nowe hasło'), typed);
    await expect.poll(kept).toEqual(rules);
  }
});

test('what is wrong is said under its field without asking the server, and goes when the field is edited', async () => {
  const asked = answerFetch({});
  open('change');
  await userEvent.click(submit());
  for (const name of ['Stare hasło', 'Nowe hasło', 'Powtórz nowe hasło']) await expect.poll(() => errorOf(name)).toBe('Pole wymagane');
  expect(document.activeElement).toBe(field('Stare hasło').element());
  await type('Stare-haslo-1', 'Krotk1', 'Krotk1');
  await expect.poll(() => errorOf('Stare hasło')).toBeUndefined();
  for (const [fresh, sentence] of [
    ['Krotk1', 'Hasło musi mieć od 8 do 20 znaków'],
    ['tylko-male-litery', 'Hasło musi zawierać małą literę, wielką literę i cyfrę'],
    ['Stare-haslo-1', 'Nowe hasło musi różnić się od starego'],
  ] as const) {
    await type('Stare-haslo-1', fresh);
    await userEvent.click(submit());
    await expect.poll(() => errorOf('Nowe hasło')).toBe(sentence);
    expect(document.activeElement).toBe(field('Nowe hasło').element());
  }
  expect(asked).toEqual([]);
});

test('a repetition that differs is told when it is left, until either is edited', async () => {
  open('change');
  await type('Stare-haslo-1', 'Nowe-haslo-2', 'Nowe-haslo-3');
  await userEvent.click(field('Nowe hasło'));
  await expect.poll(() => errorOf('Powtórz nowe hasło')).toBe('Hasła są różne');
  await userEvent.fill(field('Nowe hasło'), 'Nowe-haslo-3');
  await expect.element(page.getByText('Hasła są różne')).not.toBeInTheDocument();
});

test('a refusal is told under its field', async () => {
  open('change');
  await type('Stare-haslo-1', 'Nowe-haslo-2');
  const refusals = [
    [refusal(400, 'INVALID_CREDENTIALS_ERROR'), 'Stare hasło', 'Nieprawidłowe stare hasło'],
    [validation(passwordExistsMessage(0)), 'Nowe hasło', 'Hasło nie może być takie samo jak ostatnie hasło'],
    [validation(passwordExistsMessage(2)), 'Nowe hasło', 'Hasło nie może być takie samo jak jedno z 3 ostatnich haseł'],
    [validation(passwordExistsMessage(4)), 'Nowe hasło', 'Hasło nie może być takie samo jak jedno z 5 ostatnich haseł'],
    [validation(passwordExistsMessage(5)), 'Nowe hasło', 'Hasło nie może być takie samo jak żadne z ostatnich 6 haseł'],
    [validation('Password exists. Previous password check: many'), 'Nowe hasło', 'Nowe hasło musi różnić się od starego'],
    [unfit('too weak'), 'Nowe hasło', 'Nieprawidłowa wartość'],
    [unfit(passwordFaultWords.common), 'Nowe hasło', 'To hasło łatwo odgadnąć. Wybierz inne'],
    [unfit(passwordFaultWords.personalId), 'Nowe hasło', 'Hasło nie może zawierać Twojego identyfikatora'],
    [refusal(400, 'VALIDATION_ERROR', { fields: { oldPassword: 'too long' } }), 'Stare hasło', 'Nieprawidłowa wartość'],
  ] as const;
  for (const [index, [answer, name, sentence]] of refusals.entries()) {
    answerFetch({ [change]: answer });
    await userEvent.click(submit());
    await expect.poll(() => errorOf(name)).toBe(sentence);
    await type(`Stare-haslo-1${index}`, `Nowe-haslo-2${index}`);
    await expect.element(page.getByText(sentence, { exact: true })).not.toBeInTheDocument();
  }
});

test('too many attempts are told with the time to wait, and the form stays', async () => {
  answerFetch({ [change]: refusal(429, 'CALL_NOT_PERMITTED', { headers: { 'retry-after': '300' } }) });
  const closed = open('change');
  await type('Stare-haslo-1', 'Nowe-haslo-2');
  await userEvent.click(submit());
  await expect.element(page.getByRole('alert')).toHaveTextContent('Zbyt wiele prób. Spróbuj ponownie za 5 minut');
  expect(closed).toEqual([]);
});

test('password managers are told what is what, and the password can be looked at', async () => {
  open('change');
  const kindOf = (name: string) => [field(name).element().getAttribute('type'), field(name).element().getAttribute('autocomplete')];
  await expect.element(field('Stare hasło')).toBeVisible();
  expect(kindOf('Stare hasło')).toEqual(['password', 'current-password']);
  expect(kindOf('Nowe hasło')).toEqual(['password', 'new-password']);
  expect(kindOf('Powtórz nowe hasło')).toEqual(['password', 'new-password']);
  await userEvent.click(page.getByRole('button', { name: 'Pokaż: Nowe hasło' }));
  expect(kindOf('Nowe hasło')[0]).toBe('text');
  await userEvent.click(page.getByRole('button', { name: 'Ukryj: Nowe hasło' }));
  expect(kindOf('Nowe hasło')[0]).toBe('password');
});

test('a reset link is sent only after a yes', async () => {
  const asked = answerFetch({ [reset]: done() });
  const closed = open('reset');
  await expect.element(page.getByText('Wysłać link do zresetowania hasła?')).toBeVisible();
  expect(asked).toEqual([]);
  await userEvent.click(page.getByRole('button', { name: 'Wyślij link' }));
  await expect.element(page.getByText('Link do zresetowania hasła został wysłany.')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'OK' }));
  expect(closed).toEqual(['closed']);
  expect(asked.map(({ line }) => line)).toEqual([reset]);
});

test('a reset link that could not be sent is told in the words of the specification', async () => {
  await freshTab('EN');
  answerFetch({ [reset]: refusal(500, 'INTERNAL_SERVER_ERROR') });
  open('reset');
  await expect.element(page.getByText('Send a password reset link?')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Send the link' }));
  await expect.element(page.getByText('An error occurred while trying to send a message')).toBeVisible();
});

test('a client whose password another service keeps is told whose it is', async () => {
  const managed = { ...anna, managed: true, passwordService: { name: 'Firma', url: 'https://firma.example/haslo' } };
  const asked = answerFetch({});
  open('change', managed);
  await expect.element(page.getByText('Twoim hasłem zarządza Firma')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Przejdź do: Firma' })).toHaveAttribute('href', 'https://firma.example/haslo');
  expect(asked).toEqual([]);
});

test('a managed client whose service says no more is told so calmly', async () => {
  open('reset', { ...anna, managed: true });
  await expect.element(page.getByText('Twoim hasłem zarządza usługa, przez którą się logujesz')).toBeVisible();
});
