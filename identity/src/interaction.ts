import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdapterPayload, Provider } from 'oidc-provider';
import type { SignInCheck } from './accounts/sign-in.ts';
import type { DeviceCookie } from './device-cookie.ts';
import { sendPage, setSecurityHeaders } from './pages/answers.ts';
import { readForm } from './pages/form.ts';
import type { Pages } from './pages/pages.ts';
import type { Problem } from './pages/sign-in-page.ts';
import type { Language } from './pages/texts.ts';
import { mountPath, personalIdPattern } from './parts.ts';
import type { CookieNames } from './provider/cookie-names.ts';
import type { LoadProvider } from './provider/provider.ts';
import type { Interactions } from './provider/interactions.ts';
import { readCookie } from './read-cookie.ts';

interface Parts {
  readonly loadProvider: LoadProvider;
  readonly interactions: Pick<Interactions, 'finish'>;
  readonly cookies: CookieNames;
  readonly signInCheck: SignInCheck;
  readonly deviceCookie: DeviceCookie;
  readonly pages: Pages;
  readonly origin: string;
}

interface Exchange {
  readonly request: IncomingMessage & { originalUrl?: string };
  readonly response: ServerResponse;
  readonly uid: string;
  readonly language: Language;
  readonly address: string;
}

type Details = InstanceType<Provider['Interaction']>;

const statuses = { invalid: 401, empty: 400, busy: 429 } as const;

/** The step that the provider waits for: it began in this browser, and the address names it. */
const findDetails = async ({ loadProvider, cookies }: Parts, { request, uid }: Exchange): Promise<Details | undefined> =>
  readCookie(request, cookies.interaction) === uid ? (await loadProvider()).provider.Interaction.find(uid) : undefined;

const hintOf = (details: Details): string | undefined => {
  const hint = details.params['login_hint'];
  return typeof hint === 'string' && personalIdPattern.test(hint) ? hint : undefined;
};

/** The browser's new token and what waited for it, or what keeps the person out. */
const check = async (
  { signInCheck, deviceCookie }: Parts,
  { request, uid, address }: Exchange,
  { personalId, password }: { personalId: string; password: string },
): Promise<{ device: string; ended: AdapterPayload | undefined } | { problem: Problem }> => {
  if (personalId === '') return { problem: { kind: 'empty', field: 'personalId' } };
  if (password === '') return { problem: { kind: 'empty', field: 'password' } };
  const outcome = await signInCheck.signIn({ personalId, password, address, device: deviceCookie.read(request), interaction: uid });
  if (outcome.kind === 'right') return outcome;
  return { problem: outcome.kind === 'wrong' ? { kind: 'invalid' } : { kind: 'busy', retryAfterSeconds: outcome.seconds } };
};

/** The page that asks for the password, and the handler of its form. A right password sends the browser back to the portal. */
export const createInteraction = (parts: Parts) => {
  const { pages, origin, cookies, loadProvider } = parts;

  /** What the browser would be sent to ask for next, and has the right cookie for, without the way there and back. */
  const resume = async ({ request, response, uid }: Exchange): Promise<void> => {
    const { method, headers } = request;
    setSecurityHeaders(response);
    request.method = 'GET';
    request.url = `/auth/${uid}`;
    request.originalUrl = mountPath + request.url;
    headers.cookie = `${headers.cookie ?? ''}; ${cookies.resume}=${uid}`;
    const { ask } = await loadProvider();
    await ask(request, response);
    // The request log reads it.
    if (method !== undefined) request.method = method;
  };

  return {
    async show(exchange: Exchange): Promise<void> {
      const details = await findDetails(parts, exchange);
      const { response, uid, language } = exchange;
      if (details === undefined) return sendPage(response, { status: 400, page: pages.notice(language, 'expired') });
      const page = pages.signIn(language, { personalId: hintOf(details), uid, problem: undefined });
      return sendPage(response, { status: 200, page, hasScript: true });
    },

    async submit(exchange: Exchange): Promise<void> {
      const { request, response, uid, language } = exchange;
      const form = await readForm(request, { origin });
      const details = await findDetails(parts, exchange);
      if (details === undefined) return sendPage(response, { status: 400, page: pages.notice(language, 'expired') });
      const hint = hintOf(details);
      const personalId = hint ?? form.get('personalId')?.trim() ?? '';
      const checked = await check(parts, exchange, { personalId, password: form.get('password') ?? '' });
      if ('problem' in checked) {
        const { problem } = checked;
        return sendPage(response, {
          status: statuses[problem.kind],
          hasScript: true,
          page: pages.signIn(language, { personalId: hint, uid, problem }),
          ...(problem.kind === 'busy' ? { retryAfterSeconds: problem.retryAfterSeconds } : {}),
        });
      }
      const { device, ended: payload } = checked;
      parts.deviceCookie.set(response, device);
      const result = { login: { accountId: personalId, remember: false, amr: ['pwd'] } };
      const isFirst = await parts.interactions.finish({ uid, payload, result }, () => resume(exchange));
      if (!isFirst) return sendPage(response, { status: 400, page: pages.notice(language, 'expired') });
      return undefined;
    },
  };
};
