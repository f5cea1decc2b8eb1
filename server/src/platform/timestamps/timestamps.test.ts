import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAuthority, issue, type Issued } from '#testing/certificates.ts';
import { isNightly } from '#testing/nightly.ts';
import { signTimestamp } from '#testing/signed-data.ts';
import { isOpensslThere, startTimestampAuthority, type TimestampAuthority, timestampPolicy } from '#testing/timestamp-authority.ts';
import { requestTimestamp, TimestampError, verifyTimestamp } from './timestamps.ts';

const sha256 = hash('sha256', 'a checkpoint', 'buffer');
const timeStamping = { oid: '1.3.6.1.5.5.7.3.8', critical: true };

if (!isOpensslThere) process.stderr.write('openssl is not installed: time-stamps are not tested\n');

describe.runIf(isOpensslThere)('time-stamps of an authority', () => {
  let root: Issued;
  let other: Issued;
  let signer: Issued;
  let authority: TimestampAuthority;
  beforeAll(async () => {
    [root, other] = await Promise.all([anAuthority('Time Root'), anAuthority('Another Root')]);
    signer = await issue({ name: 'Time Authority', issuer: root, kind: 'RSA', purpose: timeStamping });
    authority = await startTimestampAuthority(signer);
  });
  afterAll(async () => authority[Symbol.asyncDispose]());

  const reasonOf = async (promise: Promise<unknown>): Promise<string> => {
    const error: unknown = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(TimestampError);
    return error instanceof Error ? error.message : '';
  };

  test('a time-stamp over a checksum is requested and verified, and tells the time and the authority', async () => {
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    const { token, time } = await requestTimestamp({ url: authority.url, anchors: root.pem, sha256, policy: timestampPolicy });
    expect(time.getTime()).toBeGreaterThanOrEqual(before);
    expect(time.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(await verifyTimestamp({ token, sha256, anchors: `${other.pem}${root.pem}` })).toEqual({ time, authority: 'Time Authority' });
    expect(await verifyTimestamp({ token, sha256, anchors: signer.pem })).toMatchObject({ authority: 'Time Authority' });
  });

  test('a token of other data, with another anchor, a flipped byte or a byte more is refused', async () => {
    const { token } = await requestTimestamp({ url: authority.url, anchors: root.pem, sha256 });
    const otherSha256 = hash('sha256', 'another checkpoint', 'buffer');
    expect(await reasonOf(verifyTimestamp({ token, sha256: otherSha256, anchors: root.pem }))).toBe('The time-stamp is of other data');
    expect(await reasonOf(verifyTimestamp({ token, sha256, anchors: other.pem }))).toContain('none of the trust anchors');
    const flipped = token.slice();
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    expect(await reasonOf(verifyTimestamp({ token: flipped, sha256, anchors: root.pem }))).toBe('The signature is not that of its signer');
    expect(await reasonOf(verifyTimestamp({ token: Buffer.concat([token, Buffer.of(0)]), sha256, anchors: root.pem }))).toContain(
      'cannot be read',
    );
    expect(await reasonOf(verifyTimestamp({ token: Buffer.from('no token'), sha256, anchors: root.pem }))).toContain('cannot be read');
    expect(await reasonOf(verifyTimestamp({ token, sha256, anchors: 'no certificates' }))).toContain('PEM');
  });

  test('a flipped byte of a token, wherever it is, is refused or changes nothing that is told', { timeout: 120_000 }, async () => {
    const { token, time } = await requestTimestamp({ url: authority.url, anchors: root.pem, sha256 });
    const wrong: number[] = [];
    for (let at = 0; at < token.length; at += isNightly ? 1 : 31) {
      const flipped = token.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      const told = await verifyTimestamp({ token: flipped, sha256, anchors: root.pem }).catch((error: unknown) => error);
      const isSame = told instanceof Object && 'time' in told && String(told.time) === String(time);
      if (!(told instanceof TimestampError) && !isSame) wrong.push(at);
    }
    expect(wrong).toEqual([]);
  });

  test('the answer to another request, and one under another policy, are refused', async () => {
    const asked: Uint8Array[] = [];
    authority.answerWith(async (response, query) => {
      asked.push(query);
      response.end(await authority.reply(asked[0] ?? query));
    });
    await requestTimestamp({ url: authority.url, anchors: root.pem, sha256 });
    expect(await reasonOf(requestTimestamp({ url: authority.url, anchors: root.pem, sha256 }))).toBe(
      'The time-stamp answers another request',
    );
    authority.answerWith(async (response, query) => void response.end(await authority.reply(query)));
    const policy = '1.3.6.1.4.1.55555.9';
    expect(await reasonOf(requestTimestamp({ url: authority.url, anchors: root.pem, sha256, policy }))).toContain('refused');
  });

  test.each([
    ['without the purpose of time-stamping', {}, 'not one for time-stamps alone'],
    ['of which the purpose is not critical', { purpose: { ...timeStamping, critical: false } }, 'not one for time-stamps alone'],
    ['for mail', { purpose: { oid: '1.3.6.1.5.5.7.3.4', critical: true } }, 'not one for time-stamps alone'],
  ])('a certificate %s makes no time-stamp', async (_, wish, reason) => {
    const wrong = await issue({ name: 'Wrong Authority', issuer: root, ...wish });
    // openssl refuses to sign with it: the token is made by hand.
    const token = await signTimestamp({ signer: wrong, sha256 });
    expect(await reasonOf(verifyTimestamp({ token, sha256, anchors: root.pem }))).toContain(reason);
  });

  test('a time-stamp that names its certificate by SHA-1 alone is refused', async () => {
    await using old = await startTimestampAuthority(signer, { essDigest: 'sha1' });
    expect(await reasonOf(requestTimestamp({ url: old.url, anchors: root.pem, sha256 }))).toContain('lacks a signed attribute');
  });

  test('answers that are late, too large, no time-stamps or errors are refused, and a caller can stop waiting', async () => {
    const ask = (more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
      requestTimestamp({ url: authority.url, anchors: root.pem, sha256, ...more });
    authority.answerWith(() => undefined);
    expect(await reasonOf(ask({ timeoutMs: 50 }))).toContain('no answer within 0.05 seconds');
    await expect(ask({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
    authority.answerWith((response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const write = (): void => {
        if (!response.destroyed) response.write(chunk, write);
      };
      write();
    });
    expect(await reasonOf(ask())).toContain('too large');
    authority.answerWith((response) => void response.end('<html>'));
    expect(await reasonOf(ask())).toContain('cannot be read');
    authority.answerWith((response) => void response.writeHead(503).end());
    expect(await reasonOf(ask())).toContain('HTTP 503');
    authority.answerWith((response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    expect(await reasonOf(ask())).toContain('cannot be reached');
    authority.answerWith((response) => void response.destroy());
    expect(await reasonOf(ask())).toContain('cannot be reached');
  });
});
