/** A thread of the server: draws the sign-in page in every language of `workerData` (code → sentences) and posts code → HTML to hydrate. */
import './without-browser.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { getTranslations, languageCode } from '@pergamin/contract';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import * as z from 'zod/mini';
import { speak } from '#platform/language.ts';
import { App } from './App.tsx';
import { preloadPage } from './pages.ts';

const path = '/login-ex';
const languages = z.record(languageCode, getTranslations.answer).parse(workerData);

await preloadPage(path);
const drawn: Record<string, string> = {};
for (const [language, sentences] of Object.entries(languages)) {
  Object.assign(globalThis, { sessionStorage: { getItem: () => language } });
  await speak(language, sentences);
  const html = renderToString(
    <Router ssrPath={path} ssrSearch="">
      <App />
    </Router>,
  );
  // The browser finds the pictures as soon as these lines; and the code, taking over, knows nothing of them.
  drawn[language] = html.replace(/^(?:<link [^>]*>)+/, '');
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no other end than its starter
parentPort?.postMessage(drawn);
