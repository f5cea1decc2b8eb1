import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { ORGANISATION_NAME: 'Bank Próbny', TIME_ZONE: 'Europe/London' } });
});

afterAll(() => portal[Symbol.asyncDispose]());

describe('what the portal says', () => {
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

  test('is not sent again to whoever has it', async () => {
    const first = await portal.anonymous.call('getTranslations', { query: {} });
    const again = await portal.anonymous.call('getTranslations', { query: {} }, { 'if-none-match': String(first.headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  test('a language that is not spoken is refused', async () => {
    const answer = await portal.anonymous.call('getTranslations', { query: { lang: 'DE' as never } });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

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

  test('what is new is told in plain text', async () => {
    const changelog = await portal.anonymous.call('getChangelog', {});
    expect(changelog.headers['content-type']).toContain('text/markdown');
    expect(changelog.bytes.toString()).toContain('0.1.0');
  });
});
