import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { createBranding } from './branding.door.ts';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

const folders: string[] = [];

/** What an organisation would put into its folder, by path. */
const aFolder = async (files: Readonly<Record<string, string | Buffer>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-branding-'));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
};

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

const root = new URL('../../../../', import.meta.url);
const product = {
  languages: new URL('languages/', root),
  logo: new URL('design/logo.svg', root),
  texts: root,
  tokens: new URL('design/tokens.css', root),
};
/** As each start does, before anything else. */
const read = (folder: string) => createBranding({ product, folder, organisationName: 'Bank', timeZone: 'Europe/Warsaw' });

describe('what the product says by itself', () => {
  let portal: TestPortal;

  beforeAll(async () => {
    portal = await startTestPortal({ environment: { ORGANISATION_NAME: 'Bank Próbny', TIME_ZONE: 'Europe/London' } });
  });

  afterAll(() => portal[Symbol.asyncDispose]());

  test('is Polish unless another language is asked for', async () => {
    const standard = await portal.anonymous.call('getTranslations', { query: {} });
    const english = await portal.anonymous.call('getTranslations', { query: { lang: 'EN' } });
    expect(standard.body['signIn.enterYourId']).toBe('Wpisz swój identyfikator');
    expect(english.body['signIn.enterYourId']).toBe('Enter Your ID');
  });

  test('carries the organisation’s name, and the time zone that its days are counted in', async () => {
    const { body } = await portal.anonymous.call('getTranslations', { query: {} });
    expect([body['brand.organisation'], body['brand.timeZone']]).toEqual(['Bank Próbny', 'Europe/London']);
  });

  test('is answered with 304 to a browser that has it', async () => {
    for (const name of ['getTranslations', 'getLogo'] as const) {
      const input = name === 'getTranslations' ? { query: {} } : {};
      const first = await portal.anonymous.call(name, input as never);
      const again = await portal.anonymous.call(name, input as never, { 'if-none-match': String(first.headers['etag']) });
      expect([name, first.status, again.status, again.bytes.length]).toEqual([name, 200, 304, 0]);
    }
  });

  test('is sent compressed to a browser that accepts it, with the same security headers', async () => {
    const plain = await portal.anonymous.call('getTranslations', { query: {} });
    const packed = await portal.anonymous.call('getTranslations', { query: {} }, { 'accept-encoding': 'gzip, br' });
    expect(JSON.parse(brotliDecompressSync(packed.bytes).toString())).toEqual(plain.body);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(packed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding', etag: plain.headers['etag'] });
    expect(packed.headers['content-security-policy']).toBe(plain.headers['content-security-policy']);
    expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
  });

  test('a language that is not spoken is not found', async () => {
    const answer = await portal.anonymous.call('getTranslations', { query: { lang: 'DE' } });
    expect([answer.status, answer.error?.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  test.each(['pl', 'P', 'POLISH', '../../package', 'PL/../EN', 'PL\0', '__proto__', 'P%4C', '', ' PL'])(
    '%j is no name of a language, and no way to a file',
    async (lang) => {
      const answer = await portal.anonymous.call('getTranslations', { query: { lang } });
      expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  test('the languages are listed by their own names', async () => {
    expect((await portal.anonymous.call('listLanguages', {})).body).toEqual([
      { code: 'PL', name: 'Polski' },
      { code: 'EN', name: 'English' },
    ]);
  });

  test('a logo cannot run anything', async () => {
    const logo = await portal.anonymous.call('getLogo', {});
    expect(logo.headers['content-type']).toBe('image/svg+xml');
    expect(logo.headers['content-security-policy']).toContain('sandbox');
  });

  test('colours are the product’s, so that there is nothing to load', async () => {
    const answer = await portal.anonymous.call('getTheme', { query: {} });
    expect([answer.status, answer.error?.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  test('what is new is told in plain text', async () => {
    const changelog = await portal.anonymous.call('getChangelog', { query: {} });
    expect(changelog.headers['content-type']).toContain('text/markdown');
    expect(changelog.headers['content-language']).toBe('en');
    expect(changelog.bytes.toString()).toContain('0.1.0');
  });

  test.each(['getChangelog', 'getAccessibilityStatement'] as const)('%s is told in Polish, too, point by point', async (name) => {
    const told = async (lang: string) => {
      const { headers, bytes } = await portal.anonymous.call(name, { query: { lang } });
      return { language: headers['content-language'], text: bytes.toString() };
    };
    const [polish, english, german] = [await told('PL'), await told('EN'), await told('DE')];
    expect([polish.language, english.language, german.language]).toEqual(['pl', 'en', 'en']);
    // Headings and points, in their order.
    const shape = (text: string): string[] =>
      [...text.matchAll(/^(?:#+|-) (?=.*?(\d+\.\d+\.\d+)?)/gm)].map(([mark, version]) => `${mark}${version ?? ''}`);
    expect(shape(english.text).length).toBeGreaterThan(10);
    expect(shape(polish.text)).toEqual(shape(english.text));
    for (const { text } of [polish, english]) expect(text).not.toContain('{{');
  });

  test('the accessibility statement names the organisation, and its name is a name', async () => {
    const named = await startTestPortal({ environment: { ORGANISATION_NAME: 'Bank *Złoty* <b>' } });
    const statement = await named.anonymous.call('getAccessibilityStatement', { query: {} });
    await named[Symbol.asyncDispose]();
    expect(statement.bytes.toString()).toContain(String.raw`Bank \*Złoty\* \<b\> wants everybody`);
  });
});

describe('what an organisation lays over it', () => {
  let portal: TestPortal;
  let folder: string;

  beforeAll(async () => {
    folder = await aFolder({
      'README.txt': 'for our own people',
      'languages/pl.json':
        '\uFEFF{"signIn.enterYourId": "Podaj login <b>klienta</b>", "mail.passwordReset.subject": "Nowe hasło: {{organisation}}"}',
      'languages/de.json':
        '{"language.name": "Deutsch", "signIn.enterYourId": "Geben Sie Ihre Kennung ein", "identity.sendLink": "Passwort anfordern"}',
      'logo_small.png': png,
      'theme.json': '{"accent": "#0B3D91"}',
      'CHANGELOG.md': '# Neu bei uns',
      'ACCESSIBILITY.de.md': '# Barrierefreiheit im {{organisation}}\n',
    });
    portal = await startTestPortal({ environment: { BRANDING_DIR: folder } });
  });

  afterAll(() => portal[Symbol.asyncDispose]());

  const sentencesOf = async (lang: string) => (await portal.anonymous.call('getTranslations', { query: { lang } })).body;

  test('is said instead, as text and nothing else, and everything around it stays', async () => {
    const polish = await portal.anonymous.call('getTranslations', { query: {} });
    expect(polish.body['signIn.enterYourId']).toBe('Podaj login <b>klienta</b>');
    expect(polish.body['language.name']).toBe('Polski');
    expect(polish.headers['content-type']).toContain('application/json');
    expect(polish.headers['x-content-type-options']).toBe('nosniff');
    expect((await sentencesOf('EN'))['signIn.enterYourId']).toBe('Enter Your ID');
  });

  test('may be a further language, in which English says what it lacks', async () => {
    expect((await portal.anonymous.call('listLanguages', {})).body.at(-1)).toEqual({ code: 'DE', name: 'Deutsch' });
    const [german, english] = [await sentencesOf('DE'), await sentencesOf('EN')];
    expect(german['signIn.enterYourId']).toBe('Geben Sie Ihre Kennung ein');
    expect(german['brand.organisation']).toBe(english['brand.organisation']);
    expect(english['brand.languages']).toBe('PL Polski\nEN English\nDE Deutsch');
    const missing = Object.keys(english).filter((key) => german[key] === undefined);
    expect(missing).toEqual([]);
  });

  test('is what mail says, too', async () => {
    const client = await portal.signIn('70000001', { email: 'anna@example.com' });
    await client.call('requestPasswordReset', {});
    const mails = await portal.pool.query<{ subject: string }>(`select subject from mail_outbox where template = 'passwordReset'`);
    expect(mails.rows).toEqual([{ subject: 'Nowe hasło: Bank Wiślany' }]);
  });

  test('is what the pages of the sign-in say and look like, too', async () => {
    const get = (url: string) => portal.server.inject({ method: 'GET', url, headers: { host: portal.settings.publicUrl.host } });
    const german = (await get('/identity/forgot?lang=de')).body;
    expect(german).toContain('<html lang="de">');
    expect(german).toContain('>Passwort anfordern<');
    expect(german).toMatch(/<a[^>]*hreflang="de"[^>]*aria-current="true"[^>]*>Deutsch<\/a/);
    const [, styles = '', logo = ''] = /href="([^"]+\.css)"[\s\S]*<img src="([^"]+)"/.exec(german) ?? [];
    expect((await get(styles)).body).toContain('--seal: light-dark(#0b3d91, ');
    const image = await get(logo);
    expect([image.headers['content-type'], image.rawPayload.equals(png)]).toEqual(['image/png', true]);
    expect((await get('/identity/forgot?lang=xx')).body).toContain('<html lang="pl">');
  });

  test('is a language that may be chosen on the pages of the sign-in, for the whole browser', async () => {
    const get = (url: string, cookie = '') =>
      portal.server.inject({ method: 'GET', url, headers: { host: portal.settings.publicUrl.host, cookie } });
    expect((await get('/identity/forgot?lang=de')).headers['set-cookie']).toBeUndefined();
    expect((await get('/identity/forgot?lang=de&chosen')).headers['set-cookie']).toBe('lang=DE; Path=/; Max-Age=31536000; SameSite=Lax');
    expect((await get('/identity/forgot?lang=xx&chosen')).headers['set-cookie']).toBeUndefined();
    expect((await get('/identity/forgot', 'lang=DE')).body).toContain('<html lang="de">');
    expect((await get('/identity/forgot', 'lang=<x>')).body).toContain('<html lang="pl">');
  });

  test('shows the organisation’s logo, which cannot run anything either', async () => {
    const logo = await portal.anonymous.call('getLogo', {});
    expect([logo.headers['content-type'], logo.bytes.equals(png)]).toEqual(['image/png', true]);
    expect(logo.headers['content-security-policy']).toContain('sandbox');
  });

  test('colours it: by a style sheet that may be kept for ever under the address of this version', async () => {
    const theme = await portal.anonymous.call('getTheme', { query: {} });
    expect([theme.headers['content-type'], theme.headers['cache-control']]).toEqual(['text/css; charset=utf-8', 'no-cache']);
    expect(theme.bytes.toString()).toContain('--seal: light-dark(#0b3d91, ');
    const version = String(theme.headers['etag']).replaceAll('"', '');
    expect((await portal.anonymous.call('getTheme', { query: { v: version } })).headers['cache-control']).toContain('immutable');
    expect((await portal.anonymous.call('getTheme', { query: { v: 'older' } })).headers['cache-control']).toBe('no-cache');
    const again = await portal.anonymous.call('getTheme', { query: {} }, { 'if-none-match': String(theme.headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  test('tells its own news in every language; when the file is gone there are none', async () => {
    const own = await portal.anonymous.call('getChangelog', { query: { lang: 'PL' } });
    expect([own.bytes.toString(), own.headers['content-language']]).toEqual(['# Neu bei uns', undefined]);
    await rm(join(folder, 'CHANGELOG.md'));
    const gone = await portal.anonymous.call('getChangelog', { query: {} });
    expect([gone.status, gone.error?.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  test('may state its own accessibility in some languages', async () => {
    const statement = async (lang: string) => {
      const { headers, bytes } = await portal.anonymous.call('getAccessibilityStatement', { query: { lang } });
      return [headers['content-language'], bytes.toString().split('\n', 1)[0]];
    };
    expect(await statement('DE')).toEqual(['de', '# Barrierefreiheit im Bank Wiślany']);
    expect(await statement('PL')).toEqual(['pl', '# Deklaracja dostępności']);
  });
});

describe('the examples of docs/branding.md', () => {
  const examples = readFileSync(new URL('../../../../docs/branding.md', import.meta.url), 'utf8').match(/^ {4}\{.*\}$/gm) ?? [];

  test.each([
    ['"signIn.enterYourId": "Your customer number"', 'languages/en.json'],
    ['"language.name"', 'languages/de.json'],
    ['"hue"', 'theme.json'],
    ['"accent"', 'theme.json'],
  ])('%s is a %s that is read at the start as it is written', async (part, path) => {
    const [example = '', ...more] = examples.filter((one) => one.includes(part));
    expect([example, more]).toEqual([expect.stringContaining(part), []]);
    expect((await read(await aFolder({ [path]: example }))).languages.length).toBeGreaterThan(1);
  });

  test('are these four', () => expect(examples).toHaveLength(4));
});

describe('a folder that does not fit', () => {
  test.each<[string, Record<string, string | Buffer>, RegExp]>([
    [
      'an unknown sentence',
      { 'languages/pl.json': '{"signIn.enterID": "x"}' },
      /^BRANDING_DIR: languages\/pl\.json: "signIn\.enterID" is no sentence/,
    ],
    ['broken JSON', { 'languages/en.json': '{"signIn.enterYourId": ' }, /languages\/en\.json: cannot be read as JSON/],
    ['a list', { 'languages/en.json': '[]' }, /languages\/en\.json: .*is no JSON object/],
    ['another encoding', { 'languages/pl.json': Buffer.from('{"a": "\xb3"}', 'latin1') }, /languages\/pl\.json: cannot be read/],
    ['a nameless language', { 'languages/de.json': '{}' }, /languages\/de\.json: a further language says its own name/],
    ['a language of another name', { 'languages/PL.json': '{}' }, /languages\/PL\.json: a language’s file is called/],
    ['a lost link', { 'languages/pl.json': '{"mail.passwordReset.text": "Klik"}' }, /must have the placeholders \{\{.*link/],
    ['two logos', { 'logo_small.png': png, 'logo_small.svg': '<svg/>' }, /only one of them can be the logo/],
    [
      'a logo that is none',
      { 'logo_small.png': '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      /logo_small\.png: is not an image of the type that its name says/,
    ],
    ['HTML for a logo', { 'logo_small.svg': '<html><svg/></html>' }, /logo_small\.svg: is not an image of the type that its name says/],
    ['a logo by another name', { 'logo.png': png }, /logo\.png: is unknown here; the folder may hold languages\//],
    [
      'an accent that cannot be read',
      { 'theme.json': '{"accent": "#ffcc00"}' },
      /theme\.json: .*--seal #ffcc00 on --desk-deep .* needs 4\.5.* can be: \{"hue"/,
    ],
    ['a chroma too strong', { 'theme.json': '{"hue": 20, "chroma": 0.3}' }, /theme\.json: holds either/],
    ['broken colours', { 'theme.json': 'blue' }, /theme\.json: cannot be read as JSON/],
  ])('(%s) lets nothing start, and says why', async (_what, files, sentence) => {
    await expect(read(await aFolder(files))).rejects.toThrow(sentence);
  });

  test('(one that is not there) lets nothing start', async () => {
    await expect(read('/nowhere/at/all')).rejects.toThrow(/BRANDING_DIR: the folder \/nowhere\/at\/all cannot be read/);
  });

  test('is told of every file at once that has something wrong', async () => {
    const folder = await aFolder({ 'languages/pl.json': '{"a": "x", "b": "y"}', 'languages/en.json': '{"c": "z"}' });
    await expect(read(folder)).rejects.toThrow(/"a" is.*\n.*"b" is.*\n.*en\.json: "c" is/);
  });
});

test.each([
  ['logo_small.svg', '<?xml version="1.0"?>\n<!-- ours -->\n<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
  ['logo_small.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
  ['logo_small.webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'image/webp'],
])('a logo may be %s', async (name, body, type) => {
  const { logo } = await read(await aFolder({ [name]: body }));
  expect([logo.type, logo.body.equals(Buffer.from(body))]).toEqual([type, true]);
});
