import type { ServerResponse } from 'node:http';
import { appearanceOf } from './appearance.ts';
import type { Asset } from './assets.ts';

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Sent with everything below `/identity`. No script but a file of this origin, on the pages that ask for or set a password; forms go to this origin only.
 * @NOTE `no-referrer` on a page with a form makes Chromium send `Origin: null` with it, and the real sign-in would be refused as foreign.
 */
const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

export const setSecurityHeaders = (response: ServerResponse): void => {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
};

export const sendPage = (
  response: ServerResponse,
  { status, page, retryAfterSeconds, hasScript = false }: { status: number; page: string; retryAfterSeconds?: number; hasScript?: boolean },
): void => {
  setSecurityHeaders(response);
  // A file of this origin, never a script inside the page.
  if (hasScript) response.setHeader('content-security-policy', `${policy}; script-src 'self'; connect-src 'self'`);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
  response.statusCode = status;
  response.end(page.replace('<html', `<html${appearanceOf(response.req)}`));
};

export const sendAsset = (response: ServerResponse, asset: Asset): void => {
  setSecurityHeaders(response);
  response.setHeader('cache-control', 'public, max-age=31536000, immutable');
  response.setHeader('content-type', asset.type);
  response.end(asset.body);
};
