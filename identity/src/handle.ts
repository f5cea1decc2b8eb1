import type { IncomingMessage, ServerResponse } from 'node:http';
import type { createInteraction } from './interaction.ts';
import type { LanguageCookie } from './language-cookie.ts';
import { sendAsset, sendPage, setSecurityHeaders } from './pages/answers.ts';
import { FormRefusedError } from './pages/form.ts';
import type { Pages } from './pages/pages.ts';
import { type IdentityLog, mountPath, unavailableSeconds } from './parts.ts';
import type { PasswordPages } from './password-pages.ts';
import type { LoadProvider } from './provider/provider.ts';
import type { createAdmissionControl } from './provider/admission.ts';

export type Handle = (
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
  /** `address`: the client's, as far as it can be trusted; the server knows its proxies. */
  from: { readonly address: string },
) => Promise<void>;

// The provider's ids are base64url, so one in 64 begins with `-`.
const interactionPath = /^\/interaction\/([\w-]{1,64})$/;
const assetPath = /^\/assets\/([\w.-]{1,100})$/;

/** Retry-After when too many are signing in. */
const retryWhenFullSeconds = 60;

interface Parts {
  readonly loadProvider: LoadProvider;
  readonly interaction: ReturnType<typeof createInteraction>;
  readonly passwordPages: PasswordPages;
  readonly pages: Pages;
  readonly languageCookie: LanguageCookie;
  readonly admission: Pick<ReturnType<typeof createAdmissionControl>, 'isFull'>;
  readonly isUnavailable: (error: unknown) => boolean;
  readonly log: IdentityLog;
}

/** A request below `/identity`, read. */
interface Asked {
  readonly request: Parameters<Handle>[0];
  readonly response: ServerResponse;
  readonly address: string;
  readonly language: string;
  /** Without `/identity`. */
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly isRead: boolean;
}

/** Answers everything below `/identity`: our own assets and pages, the rest is the provider's. Never rejects. */
export const createHandle = (parts: Parts): Handle => {
  const { pages, languageCookie, isUnavailable, log } = parts;
  const sendNotFound = ({ response, language }: Pick<Asked, 'response' | 'language'>): void =>
    sendPage(response, { status: 404, page: pages.notice(language, 'notFound') });
  const answerPage = createPageAnswer(parts, sendNotFound);
  const askProvider = createProviderAnswer(parts);

  const answer: Handle = async (request, response, { address }) => {
    const [fullPath = '', query = ''] = (request.url ?? '').split('?', 2);
    const parameters = new URLSearchParams(query);
    const language = [parameters.get('lang'), languageCookie.read(request)].find((tag) => pages.languages.isSpoken(tag)) ?? 'pl';
    // Of a link by which it is chosen; that of a mail only says in which language the mail was.
    if (parameters.has('chosen') && language === parameters.get('lang')) languageCookie.set(response, language);
    if (!fullPath.startsWith(`${mountPath}/`)) return sendNotFound({ response, language });
    const path = fullPath.slice(mountPath.length);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const asked = { request, response, address, language, path, parameters, isRead };
    const own = answerPage(asked);
    return own === undefined ? askProvider(asked) : own();
  };
  return async (request, response, from) => {
    try {
      await answer(request, response, from);
    } catch (error) {
      // The client closed the connection.
      if (response.destroyed) return;
      if (!(error instanceof FormRefusedError)) log.error({ err: error }, 'identity: a page failed');
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const page = pages.notice('pl', 'failed');
      if (isUnavailable(error)) return sendPage(response, { status: 503, page, retryAfterSeconds: unavailableSeconds });
      sendPage(response, { status: error instanceof FormRefusedError ? error.status : 500, page });
    }
  };
};

/** The handler of one of our own pages or assets. Undefined: it is the provider's. */
const createPageAnswer =
  ({ interaction, passwordPages, pages }: Parts, sendNotFound: (asked: Asked) => void) =>
  ({ path, isRead, ...exchange }: Asked): (() => Promise<void> | void) | undefined => {
    const { request, response } = exchange;
    const asked = { path, isRead, ...exchange };
    const byMethod = (show: () => Promise<void> | void, submit: () => Promise<void> | void): (() => Promise<void> | void) => {
      if (isRead) return show;
      return request.method === 'POST' ? submit : () => sendNotFound(asked);
    };

    const [, assetName] = assetPath.exec(path) ?? [];
    if (assetName !== undefined) {
      const asset = isRead ? pages.assets.find(assetName) : undefined;
      return () => (asset === undefined ? sendNotFound(asked) : sendAsset(response, asset));
    }
    const [, uid] = interactionPath.exec(path) ?? [];
    if (uid !== undefined)
      return byMethod(
        () => interaction.show({ ...exchange, uid }),
        () => interaction.submit({ ...exchange, uid }),
      );
    if (path === '/forgot' && (isRead || request.method === 'POST'))
      return byMethod(
        () => passwordPages.showForgot(exchange),
        () => passwordPages.submitForgot(exchange),
      );
    const asksCode = path === '/activate';
    if (!asksCode && path !== '/reset') return undefined;
    return byMethod(
      () => passwordPages.showSet(exchange, { asksCode }),
      () => passwordPages.submitSet(exchange, { asksCode }),
    );
  };

const createProviderAnswer =
  ({ loadProvider, pages, admission }: Parts) =>
  async ({ request, response, language, path, parameters }: Asked): Promise<void> => {
    // The provider would tell of its refusal in the very mode that is refused, by a form that a script submits.
    const isOtherMode = parameters.getAll('response_mode').some((mode) => mode !== 'query');
    const isBeginning = path === '/auth' || path === '/auth/';
    if (isBeginning && isOtherMode) return sendPage(response, { status: 400, page: pages.notice(language, 'failed') });
    if (isBeginning && (await admission.isFull()))
      return sendPage(response, { status: 429, page: pages.notice(language, 'failed'), retryAfterSeconds: retryWhenFullSeconds });

    setSecurityHeaders(response);
    // No CORS headers are sent (provider.ts), so that a preflight needs no answer.
    if (request.method === 'OPTIONS') {
      response.statusCode = 405;
      response.end();
      return;
    }
    const url = request.url ?? '';
    request.originalUrl = url;
    request.url = url.slice(mountPath.length);
    const { ask } = await loadProvider();
    await ask(request, response);
  };
