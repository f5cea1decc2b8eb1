import { appendFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Request } from '@playwright/test';

/** Names the file where journeys write down what no log may repeat; unset when they run against a product that was started beforehand. */
export const secretsVariable = 'PERGAMIN_SECRETS_FILE';
const minLength = 8;
const watched = new WeakSet<BrowserContext>();

/** Parameters, fields and cookies whose values sign a person in, or could have a moment ago. */
const inAddresses = ['code', 'state', 'nonce', 'code_challenge', 'id_token_hint'];
const inForms = ['password', 'newPassword', 'oldPassword', 'token', 'code', 'xsrf'];

const isLong = (value: string | null | undefined): value is string => value !== null && value !== undefined && value.length >= minLength;

const secretsOfAddress = (address: string): string[] => {
  const { pathname, searchParams, hash } = new URL(address);
  const [, inPath] = /^\/(?:oauth|sso|api\/open\/sso\/verify)\/([^/]+)$/.exec(pathname) ?? [];
  const inFragment = /^\/(?:sso|identity)\//.test(pathname) ? hash.slice(1) : undefined;
  return [inPath, inFragment, ...inAddresses.map((name) => searchParams.get(name))].filter(isLong);
};

const secretsOfBody = (request: Request): string[] => {
  const body = request.postData();
  if (body === null) return [];
  if (request.headers()['content-type']?.startsWith('application/x-www-form-urlencoded') === true) {
    const fields = new URLSearchParams(body);
    return inForms.map((name) => fields.get(name)).filter(isLong);
  }
  return inForms.map((name) => new RegExp(`"${name}"(?:\\s*:\\s*"|\\r\\n\\r\\n)([^"\\r\\n]+)`).exec(body)?.[1]).filter(isLong);
};

/** Writes down every code, token, password, state and cookie that this browser sends from now on. */
export const keepSecretsOf = (context: BrowserContext): void => {
  const file = process.env[secretsVariable];
  if (file === undefined || watched.has(context)) return;
  watched.add(context);
  const write = (secrets: readonly string[]): void => {
    for (const secret of secrets) appendFileSync(file, `${JSON.stringify(secret)}\n`);
  };
  context.on('request', (request) => {
    const bearer = request.headers()['authorization']?.replace('Bearer ', '');
    write([bearer, ...secretsOfAddress(request.url()), ...secretsOfBody(request)].filter(isLong));
    // Each goes with a document or a call, too.
    if (new URL(request.url()).pathname.startsWith('/assets/')) return;
    // Cookies are known only when the request has gone; a page that was closed by then has none to tell.
    request.headerValue('cookie').then(
      (cookies) =>
        write(
          (cookies ?? '')
            .split('; ')
            .map((cookie) => cookie.slice(cookie.indexOf('=') + 1))
            .filter(isLong),
        ),
      () => {},
    );
  });
};

/** Printed on purpose for the operator who starts the demonstration. */
const isShownOnPurpose = (line: string): boolean => line.startsWith('Demo password: ');

/** Throws when what a product printed (`*.log` of the folder) holds one of those, and says where, but not what. */
export const assertNoSecretsIn = async (folder: string, file: string): Promise<void> => {
  const written = await readFile(file, 'utf8').catch(() => '');
  const secrets = [...new Set(written.split('\n').flatMap((line): string[] => (line === '' ? [] : [String(JSON.parse(line))])))];
  const found: string[] = [];
  for (const name of (await readdir(folder)).filter((entry) => /\.log(?:\.|$)/.test(entry))) {
    const lines = (await readFile(path.join(folder, name), 'utf8')).split('\n');
    for (const [index, line] of lines.entries()) {
      const isTold = secrets.some((secret) => line.includes(secret) || line.includes(encodeURIComponent(secret)));
      if (isTold && !isShownOnPurpose(line)) found.push(`${name}:${index + 1}`);
    }
  }
  if (found.length > 0) throw new Error(`a code, token, password, state or cookie of the journeys is in the log: ${found.join(', ')}`);
};
