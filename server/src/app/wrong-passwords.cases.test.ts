import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNightly } from '#testing/nightly.ts';
import { createVerifier, goToPasswordPage, returnToPortal, submitPassword, type TestBrowser } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';

/** What becomes of wrong passwords: the cases 44 and 46 to 48 of the security design. */

let portal: SignInPortal;
beforeAll(async () => {
  // Every page that a try needs is a sign-in that waits.
  portal = await startSignInPortal({ maxWaitingSignIns: 10_000 });
});
afterAll(() => portal[Symbol.asyncDispose]());

const minuteMs = 60_000;

const openPage = (browser: TestBrowser, personalId: string): Promise<string> =>
  goToPasswordPage(browser, { personalId, state: createVerifier().state });

const attempt = async (browser: TestBrowser, personalId: string, secret = 'Wrong-horse-1'): Promise<LightMyRequestResponse> =>
  submitPassword(browser, await openPage(browser, personalId), { password: secret });

/** All on one page: opening it costs more than a try. */
const attemptMany = async (count: number, browser: TestBrowser, personalId: string): Promise<number[]> => {
  const page = await openPage(browser, personalId);
  const statuses = [];
  for (let tried = 0; tried < count; tried += 1)
    statuses.push((await submitPassword(browser, page, { password: 'Wrong-horse-1' })).statusCode);
  return statuses;
};

const signIn = async (browser: TestBrowser, personalId: string): Promise<string> =>
  returnToPortal(browser, await attempt(browser, personalId, password));

describe('wrong passwords in a row', () => {
  test('46: the sixth is not verified, nor is the right one; the page says how long to wait', async () => {
    await portal.addPerson('40000001');
    const browser = portal.newBrowser();
    expect(await attemptMany(6, browser, '40000001')).toEqual([401, 401, 401, 401, 401, 429]);
    const right = await attempt(browser, '40000001', password);
    expect(right.statusCode).toBe(429);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(14 * 60);
    expect(Number(right.headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
    expect(right.body).toMatch(/role="alert".*Spróbuj ponownie za 1[45]:/s);
  });

  test('46: twenty at once are no more than twenty one by one', async () => {
    await portal.addPerson('40000002');
    const browser = portal.newBrowser();
    const page = await openPage(browser, '40000002');
    const answers = await Promise.all(Array.from({ length: 20 }, () => submitPassword(browser, page, { password: 'Wrong-horse-1' })));
    expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(5);
    expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(15);
  });

  test('46: are counted the same for an unknown id', async () => {
    expect(await attemptMany(6, portal.newBrowser(), '49999999')).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('a right one in between begins the row anew', async () => {
    await portal.addPerson('40000003');
    await attemptMany(4, portal.newBrowser(), '40000003');
    expect(await signIn(portal.newBrowser(), '40000003')).toMatch(/^\/oauth\//);
    expect(await attemptMany(5, portal.newBrowser(), '40000003')).toEqual([401, 401, 401, 401, 401]);
  });

  test('47: wrong passwords of a stranger do not keep the owner out of a device that is known', async () => {
    await portal.addPerson('40000004');
    const own = portal.newBrowser('198.51.100.1');
    await signIn(own, '40000004');
    await attemptMany(6, portal.newBrowser('198.51.100.2'), '40000004');
    expect((await attempt(portal.newBrowser('198.51.100.3'), '40000004', password)).statusCode).toBe(429);
    expect(await signIn(own, '40000004')).toMatch(/^\/oauth\//);
  });

  test('47: wrong passwords on a known device have a limit too, and a device is known for its own people only', async () => {
    await portal.addPerson('40000005');
    await portal.addPerson('40000006');
    const own = portal.newBrowser('198.51.100.4');
    await signIn(own, '40000005');
    await attemptMany(6, portal.newBrowser('198.51.100.5'), '40000006');
    expect((await attempt(own, '40000006', password)).statusCode).toBe(429);
    expect(await attemptMany(6, own, '40000005')).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('47: a device that two people share is known for both', async () => {
    await portal.addPerson('40000009');
    await portal.addPerson('40000010');
    const shared = portal.newBrowser('198.51.100.9');
    await signIn(shared, '40000009');
    await signIn(shared, '40000010');
    for (const personalId of ['40000009', '40000010']) await attemptMany(6, portal.newBrowser('198.51.100.10'), personalId);
    expect(await signIn(shared, '40000009')).toMatch(/^\/oauth\//);
    expect(await signIn(shared, '40000010')).toMatch(/^\/oauth\//);
  });

  test('47: a device’s token is new after each sign-in, so that a planted one is worth nothing', async () => {
    await portal.addPerson('40000007');
    const browser = portal.newBrowser('198.51.100.6');
    await signIn(browser, '40000007');
    const first = browser.cookies.get('identity-device');
    expect(first?.path).toBe('/identity');
    await signIn(browser, '40000007');
    expect(browser.cookies.get('identity-device')?.value).not.toBe(first?.value);
    const thief = portal.newBrowser('198.51.100.7');
    if (first !== undefined) thief.cookies.set('identity-device', first);
    await attemptMany(6, portal.newBrowser('198.51.100.8'), '40000007');
    expect((await attempt(thief, '40000007', password)).statusCode).toBe(429);
  });

  test('are remembered as the last failed sign-in, beside the last two that succeeded', async () => {
    await portal.addPerson('40000008');
    const before = portal.clock.now();
    await signIn(portal.newBrowser(), '40000008');
    await signIn(portal.newBrowser(), '40000008');
    await attempt(portal.newBrowser(), '40000008');
    const { lastSuccessAt, previousSuccessAt, lastFailureAt } = await portal.identity.accounts.signInHistory('40000008');
    const times = [before, previousSuccessAt, lastSuccessAt, lastFailureAt].map((at) => at?.getTime() ?? 0);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    expect(new Set(times).size).toBe(4);
  });
});

describe('tries from one network', () => {
  /** Fewer than block an account. */
  const triesPerAccount = 4;

  interface Try {
    /** Of the connection. */
    readonly address?: string;
    readonly headers?: Record<string, string>;
  }

  let unknownId = 41_000_000;

  /** One wrong password after the other, on as many accounts as the tries need: each opens a page, wherever its cookies come from later. */
  const tryAll = async (target: SignInPortal, tries: readonly Try[]): Promise<number[]> => {
    const statuses: number[] = [];
    let cookies: TestBrowser['cookies'] = new Map();
    let page = '';
    for (const [index, { address, headers }] of tries.entries()) {
      const browser = target.newBrowser(address);
      if (index % triesPerAccount === 0) {
        page = await openPage(browser, String((unknownId += 1)));
        ({ cookies } = browser);
      }
      for (const [name, cookie] of cookies) browser.cookies.set(name, cookie);
      const answer = await browser.request('POST', page, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: 'password=Wrong-horse-1',
      });
      statuses.push(answer.statusCode);
    }
    return statuses;
  };

  const verified = (count: number): number[] => Array.from({ length: count }, () => 401);

  test('48: one password on many accounts is stopped, also from many addresses of one /64; another network goes on', async () => {
    const addresses = Array.from({ length: 51 }, (_, index) => ({ address: `2001:db8:0:7::${(index + 1).toString(16)}` }));
    expect(await tryAll(portal, addresses)).toEqual([...verified(50), 429]);
    expect(await tryAll(portal, [{ address: '2001:db8:0:8::1' }])).toEqual([401]);
    portal.clock.advance(16 * minuteMs);
    expect(await tryAll(portal, [{ address: '2001:db8:0:7::1' }])).toEqual([401]);
  });

  test('48: only so many tries from the networks of a wider one are verified; those of another are', { timeout: 120_000 }, async () => {
    const networks: readonly [most: number, addressOf: (index: number) => string, another: string][] = [
      [100, (index) => `2001:db8:7:${(0x2_00 + index).toString(16)}::1`, '2001:db8:7:300::1'],
      [500, (index) => `2001:db8:8:${(index * 97).toString(16)}::1`, '2001:db8:9::1'],
      [500, (index) => `203.0.113.${index % 250}`, '203.0.114.1'],
    ];
    // Hundreds of tries for the same rule are made at night.
    for (const [most, addressOf, another] of isNightly ? networks : networks.slice(0, 1)) {
      const tries = Array.from({ length: most + 1 }, (_, index) => ({ address: addressOf(index) }));
      expect(await tryAll(portal, [...tries, { address: another }])).toEqual([...verified(most), 429, 401]);
    }
  });

  test('48: an address that the caller made up is not believed', async () => {
    const address = '198.51.100.20';
    const tries = Array.from({ length: 51 }, (_, index) => ({ address, headers: { 'x-forwarded-for': `203.0.113.${index}` } }));
    expect(await tryAll(portal, tries)).toEqual([...verified(50), 429]);
  });

  test('48: behind a proxy that is trusted the visitor’s own address counts', async () => {
    await using behind = await startSignInPortal({ trustedProxies: ['127.0.0.1'] });
    const from = (address: string): Try => ({ headers: { 'x-forwarded-for': address } });
    const tries = Array.from({ length: 51 }, () => from('203.0.113.1'));
    expect(await tryAll(behind, [...tries, from('203.0.113.2')])).toEqual([...verified(50), 429, 401]);
  });
});

describe('one network that tries at full tilt, from ever new addresses,', () => {
  test(
    'a flood from one network does not keep people elsewhere from signing in, on a known device or a new one',
    { timeout: 60_000 },
    async () => {
      await using busy = await startSignInPortal({ passwordCost: { memoryKiB: 19_456, passes: 2 } });
      await busy.addPerson('44000001');
      await busy.addPerson('44000002');
      const own = busy.newBrowser('198.51.100.1');
      await signIn(own, '44000001');
      await busy.addPerson('44000003');
      let personalId = 45_000_000;
      const end = new AbortController();
      const statuses: number[] = [];
      // A few more than find a place in the queue.
      const flood = Array.from({ length: 55 }, async (_, index) => {
        const browser = busy.newBrowser(`2001:db8:5:${(index * 256).toString(16)}::1`);
        while (!end.signal.aborted) statuses.push((await attempt(browser, String((personalId += 1)))).statusCode);
      });
      const ends: string[] = [];
      try {
        await expect.poll(() => statuses.includes(429), { timeout: 30_000, interval: 10 }).toBe(true);
        for (let time = 0; time < (isNightly ? 2 : 1); time += 1) {
          ends.push(await signIn(own, '44000001'));
          ends.push(await signIn(busy.newBrowser(`198.51.100.${time + 2}`), '44000002'));
          ends.push(await signIn(busy.newBrowser(`2001:db8:6:${time}::1`), '44000003'));
        }
      } finally {
        end.abort();
        await Promise.all(flood);
      }
      for (const location of ends) expect(location).toMatch(/^\/oauth\//);
    },
  );
});

const median = (values: readonly number[]): number => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

/** Times are compared at night, of many more. */
const count = isNightly ? 200 : 5;

describe(`${count} known and ${count} unknown ids`, () => {
  const knownIds = Array.from({ length: count }, (_, index) => String(50_000_000 + index));
  const unknownIds = Array.from({ length: count }, (_, index) => String(60_000_000 + index));

  interface Seen {
    readonly answer: string;
    readonly cpu: number;
    readonly ms: number;
  }

  /** Alternates, so that other load on the machine slows both alike; each from a network of its own. */
  const seeAll = async (ask: (personalId: string, browser: TestBrowser) => Promise<() => Promise<LightMyRequestResponse>>) => {
    const seen: { known: Seen[]; unknown: Seen[] } = { known: [], unknown: [] };
    for (const [index, known] of knownIds.entries())
      for (const kind of index % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const personalId = kind === 'known' ? known : (unknownIds[index] ?? '');
        const send = await ask(personalId, portal.newBrowser(`10.${kind === 'known' ? 1 : 2}.${index}.1`));
        const startedAt = performance.now();
        const before = process.cpuUsage();
        const response = await send();
        const { user, system } = process.cpuUsage(before);
        const { date: _date, 'set-cookie': _cookie, ...headers } = response.headers;
        const text = JSON.stringify([response.statusCode, headers, response.body]);
        const answer = text.replaceAll(personalId, 'ID').replaceAll(/interaction\/[\w-]+/g, 'interaction/…');
        seen[kind].push({ answer, cpu: user + system, ms: performance.now() - startedAt });
        await portal.identity.settled();
      }
    return seen;
  };

  const expectNoDifference = ({ known, unknown }: { known: Seen[]; unknown: Seen[] }): void => {
    expect(new Set([...known, ...unknown].map((one) => one.answer)).size).toBe(1);
    if (!isNightly) return;
    for (const measure of ['cpu', 'ms'] as const) {
      const ratio = median(known.map((one) => one[measure])) / median(unknown.map((one) => one[measure]));
      expect(ratio, measure).toBeGreaterThan(0.8);
      expect(ratio, measure).toBeLessThan(1.25);
    }
  };

  beforeAll(async () => {
    // Their passwords cost little here: what else is done weighs all the more.
    for (const personalId of knownIds) await portal.addPerson(personalId, password, `${personalId}@example.com`);
  });

  test('44: get the same answer to a wrong password, in the same time', { timeout: 120_000 }, async () => {
    const seen = await seeAll(async (personalId, browser) => {
      const page = await openPage(browser, personalId);
      return () => submitPassword(browser, page, { password: 'Wrong-horse-1' });
    });
    expectNoDifference(seen);
  });

  test(
    '45: get the same answer when a link is asked for, in the same time, and only known ones get mail',
    { timeout: 120_000 },
    async () => {
      const mailed = portal.mails.length;
      const seen = await seeAll(async (personalId, browser) => () => submitPassword(browser, '/identity/forgot', { personalId }));
      expectNoDifference(seen);
      expect(portal.mails.slice(mailed).map((mail) => mail.to)).toEqual(knownIds.map((personalId) => `${personalId}@example.com`));
    },
  );

  test('43: get the same answer when the sign-in service is looked for', async () => {
    const answers = new Set<string>();
    // Each from a network of its own: one may ask only so often.
    for (const [index, personalId] of [...knownIds, ...unknownIds].entries())
      answers.add(
        (await portal.newBrowser(`10.${index >> 8}.${index & 255}.1`).request('GET', `/api/open/sign-in/redirection/${personalId}`)).body,
      );
    expect([...answers]).toEqual(['{"redirection":true}']);
  });
});
