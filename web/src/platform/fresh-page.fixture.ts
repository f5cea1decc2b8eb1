import { beforeAll, vi } from 'vitest';
import { page } from 'vitest/browser';

/** Each file of tests begins as in a tab of its own, whatever those before it on the same page have left. */
beforeAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
  document.title = '';
  for (const name of Object.keys(document.documentElement.dataset)) delete document.documentElement.dataset[name];
  sessionStorage.clear();
  localStorage.clear();
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; Path=/; Max-Age=0`;
  await page.viewport(1280, 800);
});
