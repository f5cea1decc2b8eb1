import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { createInteraction } from './interaction.ts';
import { sendAsset, sendPage, setSecurityHeaders } from './pages/answers.ts';
import { FormRefusedError } from './pages/form.ts';
import type { Pages } from './pages/pages.ts';
import { type IdentityLog, mountPath } from './parts.ts';
import type { PasswordPages } from './password-pages.ts';
import { unavailableSeconds } from './provider/provider.ts';
import type { createAdmissionControl } from './provider/admission.ts';

export type Handle = (
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
  /** `address`: where the request comes from, as far as it can be believed; the server knows its proxies. */
  from: { readonly address: string },
) => Promise<void>;

// The provider's ids are base64url, so one in 64 begins with `-`.
const interactionPath = /^\/interaction\/([\w-]{1,64})$/;
const assetPath = /^\/assets\/([\w.-]{1,100})$/;

/** How long somebody is asked to wait when too many are signing in. */
const retryWhenFullSeconds = 60;

interface Parts {
  readonly provider: Provider;
  readonly interaction: ReturnType<typeof createInteraction>;
  readonly passwordPages: PasswordPages;
  readonly pages: Pages;
  readonly admission: Pick<ReturnType<typeof createAdmissionControl>, 'isFull'>;
  readonly isUnavailable: (error: unknown) => boolean;
  readonly log: IdentityLog;
}

/** Answers everything below `/identity`: assets and pages of ours, the rest is the provider's. Never rejects. */
export const createHandle = ({ provider, interaction, passwordPages, pages, admission, isUnavailable, log }: Parts): Handle => {
  const askProvider = provider.callback();
  const answer: Handle = async (request, response, { address }) => {
    const url = request.url ?? '';
    const [fullPath = '', query = ''] = url.split('?', 2);
    const parameters = new URLSearchParams(query);
    const wanted = parameters.get('lang');
    const language = pages.languages.isSpoken(wanted) ? wanted : 'pl';
    const sendNotFound = (): void => sendPage(response, { status: 404, page: pages.notice(language, 'notFound') });
    if (!fullPath.startsWith(`${mountPath}/`)) return sendNotFound();
    const path = fullPath.slice(mountPath.length);
    const isRead = request.method === 'GET' || request.method === 'HEAD';

    const [, assetName] = assetPath.exec(path) ?? [];
    if (assetName !== undefined) {
      const asset = isRead ? pages.assets.find(assetName) : undefined;
      return asset === undefined ? sendNotFound() : sendAsset(response, asset);
    }

    const [, uid] = interactionPath.exec(path) ?? [];
    if (uid !== undefined) {
      if (isRead) return interaction.show({ request, response, uid, language, address });
      if (request.method === 'POST') return interaction.submit({ request, response, uid, language, address });
      return sendNotFound();
    }

    const exchange = { request, response, language, address };
    if (path === '/forgot' && isRead) return passwordPages.showForgot(exchange);
    if (path === '/forgot' && request.method === 'POST') return passwordPages.submitForgot(exchange);
    const asksCode = path === '/activate';
    if (asksCode || path === '/reset') {
      if (isRead) return passwordPages.showSet(exchange, { asksCode });
      if (request.method === 'POST') return passwordPages.submitSet(exchange, { asksCode });
      return sendNotFound();
    }

    // The provider would tell of its refusal in the very mode that is refused, by a form that a script submits.
    const isOtherMode = parameters.getAll('response_mode').some((mode) => mode !== 'query');
    const isBeginning = path === '/auth' || path === '/auth/';
    if (isBeginning && isOtherMode) return sendPage(response, { status: 400, page: pages.notice(language, 'failed') });
    if (isBeginning && (await admission.isFull()))
      return sendPage(response, { status: 429, page: pages.notice(language, 'failed'), retryAfterSeconds: retryWhenFullSeconds });

    setSecurityHeaders(response);
    // No other origin is let in (provider.ts), so that none needs to ask first.
    if (request.method === 'OPTIONS') {
      response.statusCode = 405;
      response.end();
      return;
    }
    request.originalUrl = url;
    request.url = url.slice(mountPath.length);
    await askProvider(request, response);
  };
  return async (request, response, from) => {
    try {
      await answer(request, response, from);
    } catch (error) {
      // Whoever asked has gone.
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
