import { expect, onTestFinished, test } from 'vitest';
import { onDemand } from './code-on-demand.ts';
import { refetchFailedStyles } from './refetch-styles.ts';

const end = (link: HTMLLinkElement): Promise<string> =>
  new Promise((resolve) => {
    for (const type of ['load', 'error']) link.addEventListener(type, () => resolve(type), { once: true });
  });

test('a style sheet that did not come is fetched again before the next code, which waits for it', async () => {
  onTestFinished(refetchFailedStyles());
  const head = document.head.appendChild(document.createElement('div'));
  onTestFinished(() => head.remove());
  const currentSheet = () => head.querySelector('link')?.sheet?.cssRules.length ?? 0;
  const lost = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'blob:nothing' });
  head.append(lost);
  expect(await end(lost)).toBe('error');

  const sheetsAtLoading: number[] = [];
  const part = onDemand(async () => {
    sheetsAtLoading.push(currentSheet());
    return () => null;
  });
  await part.preload();
  expect(sheetsAtLoading, 'without a line the code is not asked for either').toEqual([]);

  const again = head.querySelector('link');
  if (again !== null) again.href = URL.createObjectURL(new Blob(['.once-lost { color: red }'], { type: 'text/css' }));
  await part.preload();
  expect(sheetsAtLoading).toEqual([1]);
});
