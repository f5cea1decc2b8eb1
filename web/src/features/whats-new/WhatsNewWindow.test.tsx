import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { answerFetch, freshTab } from '#platform/page.fixture.tsx';
import { WhatsNewWindow } from './WhatsNewWindow.tsx';

const path = 'GET /static/CHANGELOG.md';
const open = (markdown: string | Response) => {
  answerFetch({
    [path]: typeof markdown === 'string' ? new Response(markdown, { headers: { 'content-type': 'text/markdown' } }) : markdown,
  });
  return showWindow(() => <WhatsNewWindow />);
};

beforeEach(() => freshTab('EN'));

test('the changes are shown as text, below the title of the window, with the newest version at the foot', async () => {
  open(
    "# What's new\n\n## 1.4.0 · 2026-11-16\n\n- Every document has its own **seal**.\n\n### Smaller things\n\nFaster.\n\n## 1.3.0\n\nDark colours.",
  );
  await expect.element(page.getByRole('heading', { level: 3, name: 'version 1.4.0 2026-11-16' })).toBeVisible();
  await expect.element(page.getByRole('heading', { level: 4, name: 'Smaller things' })).toBeVisible();
  const text = page.getByRole('region', { name: 'Changes, newest first' });
  await expect.element(text.getByRole('listitem')).toHaveTextContent('Every document has its own seal.');
  await expect.element(page.getByText('version 1.4.0', { exact: true }).last()).toBeVisible();
  expect(page.getByRole('heading', { name: "What's new" }).elements()).toEqual([]);
});

test('it is asked for in the language of the page, and says which one it came in', async () => {
  const answer = new Response('## 1.0.0\n\nAlles neu.', { headers: { 'content-language': 'de' } });
  const asked = answerFetch({ [`${path}?lang=EN`]: answer });
  showWindow(() => <WhatsNewWindow />);
  await expect.element(page.getByText('Alles neu.')).toBeVisible();
  expect(page.getByText('Alles neu.').element().closest('[lang]')?.getAttribute('lang')).toBe('de');
  expect(asked.map(({ line }) => line)).toEqual([`${path}?lang=EN`]);
});

test('neither HTML, nor pictures, nor links that run something come out of the changelog', async () => {
  open(
    [
      '## 1.0.0 and **words**',
      '<img src=x onerror="document.title = \'caught\'"><script>document.title = "caught"</script>',
      '![seen](https://elsewhere.example/pixel.png) [run](javascript:alert(1)) [data](data:text/html,x) [there](https://portal.example/help)',
    ].join('\n\n'),
  );
  const text = page.getByRole('region', { name: 'Changes, newest first' });
  await expect.element(text.getByRole('link', { name: 'there' })).toHaveAttribute('rel', 'noopener noreferrer');
  expect(text.getByRole('link').elements()).toHaveLength(1);
  expect(text.element().querySelectorAll('img, script, [onerror]')).toHaveLength(0);
  expect(text.element().textContent).toMatch(/run data there$/);
});

test.each([
  ['is missing', new Response('', { status: 404 })],
  ['has nothing but its title', "# What's new\n"],
])('a changelog that %s is no data, and nothing to worry about', async (_, answer) => {
  const { isOpen } = open(answer);
  await expect.element(page.getByRole('heading', { name: 'No data' })).toBeVisible();
  await expect.element(page.getByText('There is nothing to show')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'close', exact: true }));
  await expect.poll(isOpen).toBe(false);
});
