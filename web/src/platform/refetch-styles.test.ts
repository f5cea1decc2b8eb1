import { expect, onTestFinished, test, vi } from 'vitest';
import { refetchFailedStyles } from './refetch-styles.ts';

const end = (link: HTMLLinkElement): Promise<string> =>
  new Promise((resolve) => {
    for (const type of ['load', 'error']) link.addEventListener(type, () => resolve(type), { once: true });
  });

test('a style sheet that could not be fetched is fetched again until it comes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(refetchFailedStyles());
  const head = document.head.appendChild(document.createElement('div'));
  onTestFinished(() => head.remove());
  const attempt = (): HTMLLinkElement => {
    const link = head.querySelector('link');
    if (link === null) throw new Error('there is no style sheet');
    return link;
  };
  head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'blob:nothing' }));
  const good = URL.createObjectURL(new Blob(['.once-lost { color: red }'], { type: 'text/css' }));
  for (const address of ['blob:still-nothing', good]) {
    const failed = attempt();
    expect(await end(failed)).toBe('error');
    failed.href = address;
    vi.advanceTimersByTime(3_000);
    expect(attempt()).not.toBe(failed);
  }
  const last = attempt();
  expect(await end(last)).toBe('load');
  vi.advanceTimersByTime(30_000);
  expect(attempt()).toBe(last);
});
