import { createHash, randomBytes } from 'node:crypto';
import { request as requests, type APIRequestContext, type APIResponse, type Page } from '@playwright/test';
import { calls, pathOf, sessionHeaders, sessionStorageKeys } from '@pergamin/contract';
import type { Person } from './publisher.ts';

/**
 * A session for this tab without the pages that lead to one: the same calls in the same order as in a browser, with the browser's own cookies,
 * and the terms in force accepted. Leaves the tab on an empty page of the portal.
 */
export const arriveSignedIn = async (page: Page, { person, language }: { person: Person; language: 'PL' | 'EN' }): Promise<void> => {
  const signedIn = await signIn(page.request, { person, language });
  await acceptTheTerms(page.request, signedIn.token);
  const empty = '**/arrival';
  // With an icon, or the browser asks the portal for one that is not there.
  const body = '<!doctype html><link rel="icon" href="data:,">';
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('/arrival');
  await page.unroute(empty);
  await page.evaluate(
    (kept) => {
      for (const [key, value] of kept) sessionStorage.setItem(key, value);
    },
    [
      [sessionStorageKeys.token, signedIn.token],
      [sessionStorageKeys.expiry, signedIn.expiry],
      [sessionStorageKeys.language, language],
    ] as const,
  );
};

/** For journeys that sign in by pages and are not about the terms. */
export const acceptTheTermsAhead = async (person: Person): Promise<void> => {
  const request = await requests.newContext({ baseURL: process.env['PERGAMIN_URL'] ?? '' });
  try {
    await acceptTheTerms(request, (await signIn(request, { person, language: 'PL' })).token);
  } finally {
    await request.dispose();
  }
};

const answered = (answer: APIResponse): APIResponse => {
  if (!answer.ok()) throw new Error(`${answer.url()} was answered ${answer.status()}`);
  return answer;
};

const signIn = async (request: APIRequestContext, { person, language }: { person: Person; language: 'PL' | 'EN' }) => {
  const verifier = randomBytes(48).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const state = Buffer.from(JSON.stringify({ challenge, method: 'S256' })).toString('base64');
  const start = pathOf(calls.startSignIn, { params: { personalId: person.personalId }, query: { state, lang: language } });
  const form = answered(await request.get(start));
  const back = answered(await request.post(form.url(), { form: { password: person.password } }));
  const [, code] = /\/oauth\/([\w-]+)$/.exec(back.url()) ?? [];
  if (code === undefined) throw new Error('the sign-in did not lead back to the portal');
  const field = Buffer.from(JSON.stringify({ code, v: verifier })).toString('base64');
  const headers = answered(await request.post(calls.login.path, { multipart: { code: field } })).headers();
  return { token: headers[sessionHeaders.token] ?? '', expiry: headers[sessionHeaders.expiry] ?? '' };
};

const acceptTheTerms = async (request: APIRequestContext, authorization: string): Promise<void> => {
  const headers = { [sessionHeaders.token]: authorization };
  const inForce = answered(await request.get(calls.getStatuteInForce.path, { headers }));
  const { id, accepted } = calls.getStatuteInForce.answer.parse(await inForce.json());
  if (id === null || accepted) return;
  const details = answered(await request.get(pathOf(calls.getStatute, { params: { id } })));
  const { pageCount } = calls.getStatute.answer.parse(await details.json());
  for (let page = 1; page <= pageCount; page += 1)
    answered(await request.post(pathOf(calls.markStatutePage, { params: { id, page: String(page) } }), { headers }));
  answered(await request.post(pathOf(calls.acceptStatute, { params: { id } }), { headers }));
};
