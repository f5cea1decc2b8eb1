import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Catalogues } from '../parts.ts';
import { createPages } from './pages.ts';
import { createLanguages } from './languages.ts';

const texts: Catalogues = (language) => JSON.parse(readFileSync(new URL(`../../../languages/${language}.json`, import.meta.url), 'utf8'));

const create = (organisationName = 'Bank Wiślany', https = true) =>
  createPages({ texts, organisationName, https, signInUrl: 'https://portal.example/login-ex', passwordMaxLength: 20 });

const page = { personalId: '10000001', uid: 'abc', problem: undefined };

test('a name or an id is rendered as text, never as markup', () => {
  const written = create('<b>"Bank" & Co</b>').signIn('pl', { ...page, personalId: `"><img src=x onerror='a'>` });
  expect(written).not.toMatch(/<b>|<img src=x/);
  expect(written).toContain('&lt;b&gt;&quot;Bank&quot; &amp; Co&lt;/b&gt;');
  expect(written).toContain('value="&quot;&gt;&lt;img src=x onerror=&#39;a&#39;&gt;"');
});

test('a page without a problem says nothing of one, and fields are not marked wrong', () => {
  const written = create().signIn('pl', page);
  expect(written).not.toMatch(/role="alert"|aria-invalid|undefined|>false/);
  expect(written).toContain('<title>Podaj hasło · Bank Wiślany</title>');
});

test('a problem is told beside the field that it belongs to, and first in the title', () => {
  const written = create().signIn('en', { ...page, problem: { kind: 'invalid' } });
  expect(written).toContain('<title>Invalid credentials – Enter your password · Bank Wiślany</title>');
  expect(written).toMatch(/id="password"[^>]*aria-invalid="true"[^>]*aria-describedby="problem"/);
  expect(written).toMatch(/id="problem"[^>]*role="alert"/);
});

test('the page names the time for which a person has to wait', () => {
  const problem = { kind: 'busy', retryAfterSeconds: 65 } as const;
  expect(create().signIn('pl', { ...page, problem })).toContain('Zbyt wiele prób. Spróbuj ponownie za 1:05');
});

test('password managers find the name and the password', () => {
  const written = create().signIn('pl', page);
  expect(written).toMatch(/name="personalId"[^>]*value="10000001"[^>]*autocomplete="username"/);
  expect(written).toMatch(/name="password"[^>]*type="password"[^>]*autocomplete="current-password"/);
});

test('an encrypted connection is promised only where there is one', () => {
  expect(create('Bank', true).signIn('pl', page)).toContain('Połączenie szyfrowane');
  expect(create('Bank', false).signIn('pl', page)).not.toContain('Połączenie szyfrowane');
});

test('each language names itself, and the one in use is marked', () => {
  const written = create().signIn('en', page);
  expect(written).toMatch(/<a\s+href="\?lang=pl&amp;chosen"\s+lang="pl"\s+hreflang="pl"\s*>Polski<\/a\s*>/);
  expect(written).toMatch(/<a\s+href="\?lang=en&amp;chosen"\s+lang="en"\s+hreflang="en"\s+aria-current="true"\s*>English<\/a\s*>/);
});

test.each([
  ['en', 'en'],
  ['en-GB pl', 'en'],
  ['de pl en', 'pl'],
  ['de', 'pl'],
  ['', 'pl'],
  [undefined, 'pl'],
  [['en'], 'pl'],
])('of the wanted languages %j comes %s', (wanted, language) => {
  expect(createLanguages().choose(wanted)).toBe(language);
});

const entry = { token: 'a'.repeat(43), code: 'HK7W', problem: undefined };

test('a code is asked for only where the link takes one', () => {
  expect(create().setPassword('en', { ...entry, code: undefined })).not.toContain('name="code"');
  const written = create().setPassword('en', entry);
  expect(written).toMatch(/<label for="code">Code from the letter or text message<\/label>/);
  expect(written).toContain('action="/identity/activate?lang=en"');
});

test('a wrong code is told beside it, and stays there to be put right', () => {
  const written = create().setPassword('pl', { ...entry, problem: { kind: 'wrongCode' } });
  expect(written).toMatch(/id="code"[^>]*value="HK7W"[^>]*autofocus[^>]*aria-invalid="true"[^>]*aria-describedby="code-hint problem"/);
  expect(written).toContain('<title>To nie jest kod, który do Ciebie wysłano – ');
  expect(written.match(/autofocus/g)).toHaveLength(1);
});

test('the sentences are the installation’s own', () => {
  const own: Catalogues = (language) => ({ ...texts(language), 'identity.signIn': `Sign in (${language})` });
  const pages = createPages({ texts: own, organisationName: 'Bank', https: true, signInUrl: '/', passwordMaxLength: 20 });
  expect(pages.signIn('en', page)).toContain('Sign in (en)');
});

test('a language that the installation adds is offered, chosen when it is wanted, and spoken', () => {
  const own: Catalogues = (language) => ({ ...texts(language === 'de' ? 'en' : language), 'identity.signIn': `Sign in (${language})` });
  const brand = {
    languages: [
      { code: 'PL', name: 'Polski' },
      { code: 'DE', name: 'Deutsch <&>' },
    ],
  };
  const pages = createPages({ texts: own, brand, organisationName: 'Bank', https: true, signInUrl: '/', passwordMaxLength: 20 });
  expect(['de-AT en', 'en', 'xx de'].map((wanted) => pages.languages.choose(wanted))).toEqual(['de', 'pl', 'de']);
  expect(pages.signIn('de', page)).toMatch(/<html lang="de">[\s\S]*>Deutsch &lt;&amp;&gt;<\/a[\s\S]*Sign in \(de\)/);
});
