import { getTranslations, type ProductLanguage } from '@pergamin/contract';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished, vi } from 'vitest';
import english from '../../../languages/en.json';
import polish from '../../../languages/pl.json';
import { forgetChosenLanguage } from './chosen-language.ts';
import { speak } from './language.ts';

/** What a test lets the server answer: a JSON body with status 200, or a whole response; a promise of one when the test says when; or what a function makes of the request. */
export type Answers = Readonly<Record<string, unknown>>;

/** A request as the server would see it. */
export interface Asked {
  readonly line: string;
  readonly request: Request;
}

export const sentences = { PL: polish, EN: english } as const;

/** Answers `fetch` by `METHOD /path`; anything else is 404. The network is the one outside service of these tests. */
export const answerFetch = (answers: Answers): readonly Asked[] => {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const request = new Request(new URL(input, location.origin), init);
    const url = new URL(request.url);
    const line = `${request.method} ${url.pathname}${url.search}`;
    asked.push({ line, request });
    const given = answers[line] ?? answers[`${request.method} ${url.pathname}`];
    const promised: unknown = typeof given === 'function' ? given(request.clone()) : given;
    const answer: unknown = promised instanceof Promise ? await Promise.race([promised, abortOf(request.signal)]) : promised;
    if (answer instanceof Error) throw answer;
    if (answer instanceof Response) return answer.clone();
    if (answer === undefined) return refusal(404, 'RESOURCE_NOT_FOUND');
    return Response.json(answer);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return asked;
};

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new DOMException('The request was broken off', 'AbortError')), { once: true }),
  );

/** An error as the server words it. */
export const refusal = (status: number, code: string, extra: { fields?: Record<string, string>; headers?: HeadersInit } = {}): Response =>
  Response.json({ code, message: code, ...(extra.fields ? { fields: extra.fields } : {}) }, { status, headers: extra.headers ?? {} });

/** A token like the server's, for a person; nothing checks its signature here. */
export const tokenFor = (personalId: string): string => {
  const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `Bearer ${part({ alg: 'HS256' })}.${part({ sub: personalId, sid: crypto.randomUUID() })}.signature`;
};

/** Empties both storages and speaks a language, as a fresh tab would. */
export const freshTab = async (language: ProductLanguage = 'PL'): Promise<void> => {
  sessionStorage.clear();
  localStorage.clear();
  forgetChosenLanguage();
  sessionStorage.setItem('lang', language);
  await speak(language, getTranslations.answer.parse(sentences[language]));
};

/** Puts an element on the page until the test is over. */
export const show = (element: ReactNode): void => {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  root.render(element);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
};
