import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PasswordChange } from './accounts/password-change.ts';
import type { PasswordLetters } from './accounts/password-letters.ts';
import type { DeviceCookie } from './device-cookie.ts';
import { sendPage } from './pages/answers.ts';
import { readForm } from './pages/form.ts';
import type { Pages } from './pages/pages.ts';
import type { SetPasswordProblem } from './pages/set-password-page.ts';
import type { Language } from './pages/texts.ts';

interface Parts {
  readonly letters: PasswordLetters;
  readonly change: PasswordChange;
  readonly deviceCookie: Pick<DeviceCookie, 'read'>;
  readonly pages: Pages;
  readonly origin: string;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly language: Language;
  readonly address: string;
}

/** The page that sets a password: with a code beside the link, or without. */
interface Place {
  readonly asksCode: boolean;
}

/** What of a form is wrong before anything is looked up. */
const findGap = ({ token, code, password }: Record<'token' | 'code' | 'password', string>, repeat: string, { asksCode }: Place) => {
  if (token === '') return { kind: 'empty', field: 'token' } as const;
  if (asksCode && code === '') return { kind: 'empty', field: 'code' } as const;
  if (password === '') return { kind: 'empty', field: 'password' } as const;
  return password === repeat ? undefined : ({ kind: 'different' } as const);
};

/** The pages for people who cannot sign in: asking for a link, and setting a password with one. */
export const createPasswordPages = ({ letters, change, deviceCookie, pages, origin }: Parts) => ({
  showForgot({ response, language }: Exchange): void {
    sendPage(response, { status: 200, page: pages.forgot(language, { problem: undefined }) });
  },

  /** The same answer for every id; only the mailbox shows whether a mail was sent. */
  async submitForgot({ request, response, language, address }: Exchange): Promise<void> {
    const form = await readForm(request, { origin });
    const personalId = form.get('personalId')?.trim() ?? '';
    if (personalId === '') return sendPage(response, { status: 400, page: pages.forgot(language, { problem: { kind: 'empty' } }) });
    const seconds = await letters.requestResetFor(personalId, { address, device: deviceCookie.read(request) });
    if (seconds > 0)
      return sendPage(response, {
        status: 429,
        page: pages.forgot(language, { problem: { kind: 'wait', seconds } }),
        retryAfterSeconds: seconds,
      });
    return sendPage(response, { status: 202, page: pages.notice(language, 'linkRequested') });
  },

  showSet({ response, language }: Exchange, { asksCode }: Place): void {
    const page = pages.setPassword(language, { token: '', code: asksCode ? '' : undefined, problem: undefined });
    sendPage(response, { status: 200, page, hasScript: true });
  },

  async submitSet({ request, response, language }: Exchange, place: Place): Promise<void> {
    const form = await readForm(request, { origin });
    const read = (name: string): string => form.get(name)?.trim() ?? '';
    const typed = { token: read('token'), code: read('code'), password: form.get('password') ?? '' };
    const refuse = (problem: SetPasswordProblem, { asksCode } = place): void =>
      sendPage(response, {
        status: problem.kind === 'wait' ? 429 : 400,
        page: pages.setPassword(language, { token: typed.token, code: asksCode ? typed.code : undefined, problem }),
        hasScript: true,
        ...(problem.kind === 'wait' ? { retryAfterSeconds: problem.seconds } : {}),
      });
    const gap = findGap(typed, form.get('repeat') ?? '', place);
    if (gap !== undefined) return refuse(gap);
    const outcome = await change.setPassword(typed);
    if (outcome.kind === 'set')
      return sendPage(response, { status: 200, page: pages.notice(language, outcome.isFirst ? 'passwordSet' : 'passwordReset') });
    if (outcome.kind === 'void') return sendPage(response, { status: 400, page: pages.notice(language, 'linkVoid') });
    // A link that takes a code was pasted into the page for those that take none.
    if (outcome.kind === 'codeMissing') return refuse({ kind: 'empty', field: 'code' }, { asksCode: true });
    return refuse(outcome);
  },
});

export type PasswordPages = ReturnType<typeof createPasswordPages>;
