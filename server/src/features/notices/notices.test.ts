import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isNightly } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { partsOf } from '#testing/mail-parts.ts';
import { type MailServer, refusal, startMailServer } from '#testing/mail-server.ts';
import { type SmsPeer, startSmsGateway } from '#testing/sms-gateway.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

const publicUrl = 'https://documents.example.com';
const token = 'gateway-token-canary';

let portal: TestPortal;
let mail: MailServer;
let gateway: SmsPeer;
let refusesWith: Error | undefined;

beforeAll(async () => {
  mail = await startMailServer({
    async onRecipient() {
      if (refusesWith !== undefined) throw refusesWith;
    },
  });
  gateway = await startSmsGateway();
  portal = await startTestPortal({
    environment: { PUBLIC_URL: publicUrl, SMTP_URL: mail.url, SMS_URL: gateway.url, SMS_TOKEN: token, ORGANISATION_NAME: 'Bank Wisła' },
  });
});
beforeEach(() => {
  refusesWith = undefined;
  mail.received.length = 0;
  gateway.received.length = 0;
  gateway.answerWith(() => ({ status: 201, body: JSON.stringify({ id: `sms-${Math.random()}` }) }));
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

let people = 0;
/** A client without any published document. */
const aPerson = async (contact: { email?: string; phone?: string; language?: string; prefers?: 'EMAIL' | 'SMS'; cif2?: string }) => {
  people += 1;
  const personalId = `7${String(people).padStart(7, '0')}`;
  const { prefers, ...record } = contact;
  await portal.addClient(personalId, { cif: `cif-${personalId}`, ...record });
  if (prefers !== undefined)
    await portal.pool.query('update client set preferred_channel = $2 where personal_id = $1', [personalId, prefers]);
  return { personalId, cif: `cif-${personalId}` };
};

let papers = 0;
const publishTo = async (cif: string, fileName = 'Umowa.pdf'): Promise<string> => {
  papers += 1;
  return (await portal.publish({ cif, fileName, pdf: aPdf({ text: `paper ${papers}` }) })).body.id;
};

const noticesOf = (documentId: string) =>
  portal.db.selectFrom('notice').selectAll().where('document_id', '=', documentId).orderBy('receiver').orderBy('kind').execute();

/** The worker has to do something first; how soon it does is not what is tested. */
const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 15_000, interval: 20 });

/** Takes up what is due by then. A run that goes on meanwhile would plan its next one by the clock of before, over that of the sweep. */
const sweepLater = async (ms: number): Promise<void> => {
  await eventually(async () => {
    const { rows: running } = await portal.pool.query('select from graphile_worker._private_jobs where locked_at is not null');
    expect(running).toEqual([]);
  });
  portal.clock.advance(ms);
  await portal.runJob('notices:sweep');
};

const settled = async (documentId: string) => {
  await eventually(async () => expect((await noticesOf(documentId)).map(({ state }) => state)).not.toContain('queued'));
  return noticesOf(documentId);
};

describe('a publication is told', () => {
  test('a publication is told by mail, in the client’s language, with the name, the checksum and the way to the document, and nothing of the client', async () => {
    const person = await aPerson({ email: 'anna@example.com', phone: '+48600100200', language: 'EN' });
    const id = await publishTo(person.cif, `Agreement ${person.personalId}.pdf`);
    const [notice] = await settled(id);
    expect(notice).toMatchObject({
      state: 'sent',
      channel: 'EMAIL',
      kind: 'publication',
      attempts: 1,
      sends: 1,
      reason: null,
      last_error: null,
    });
    expect(notice?.message_id).toBe(`<${notice?.id}@documents.example.com>`);
    const [letter] = mail.received.filter(({ to }) => to.includes('anna@example.com'));
    const { sha256 } = await portal.db.selectFrom('document').select('sha256').where('id', '=', id).executeTakeFirstOrThrow();
    expect(letter?.raw).toContain('Subject: =?UTF-8?');
    const [plain = '', html = ''] = partsOf(letter?.raw ?? '');
    for (const words of ['Agreement ….pdf', sha256, `${publicUrl}/#open=document:${id}`]) expect(plain).toContain(words);
    expect(html).toContain(`<a href="${publicUrl}/#open=document:${id}">`);
    for (const hidden of [person.personalId, person.cif, 'Anna', 'Nowak']) expect(plain + html).not.toContain(hidden);
    expect(gateway.received).toEqual([]);
  });

  test('a publication is told by SMS to a client who prefers that: a line without a link, under a reference that is the same however often it is tried', async () => {
    const person = await aPerson({ email: 'jan@example.com', phone: '+48600100201', prefers: 'SMS' });
    const id = await publishTo(person.cif);
    const [notice] = await settled(id);
    expect(notice).toMatchObject({ state: 'sent', channel: 'SMS', attempts: 1, sends: 1, message_id: expect.stringMatching(/^sms-/) });
    const [sms] = gateway.received;
    expect(JSON.parse(sms?.raw ?? '')).toEqual({
      to: '+48600100201',
      text: 'Bank Wisła: w portalu dokumentów czeka na Ciebie nowy dokument.',
      reference: notice?.id,
    });
    expect(sms?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'idempotency-key': notice?.id,
      'content-type': 'application/json',
    });
    expect(mail.received.filter(({ to }) => to.includes('jan@example.com'))).toEqual([]);
  });

  test('a publication is told by the other way when the one that was chosen leads nowhere', async () => {
    const person = await aPerson({ phone: '+48600100202', prefers: 'EMAIL' });
    expect(await settled(await publishTo(person.cif))).toMatchObject([{ state: 'sent', channel: 'SMS' }]);
  });

  test('a publication is told to no client without an address: the row says so, and no job is left', async () => {
    const person = await aPerson({});
    const id = await publishTo(person.cif);
    expect(await noticesOf(id)).toMatchObject([{ state: 'failed', reason: 'NO_ADDRESS', channel: null, attempts: 0, sends: 0 }]);
  });

  test('a publication is told once to each person of a group, however they reached it, and to no one for a public document', async () => {
    const [one, other] = [await aPerson({ email: 'g1@example.com' }), await aPerson({ email: 'g2@example.com' })];
    for (const { personalId, cif } of [one, other])
      await portal.addClient(personalId, { cif, email: `${personalId}@example.com`, groups: ['vip'] });
    const { body } = await portal.publish({ type: 'GROUP', groupId: 'vip', pdf: aPdf({ text: 'to a group' }) });
    const rows = await settled(body.id);
    expect(rows.map(({ receiver, state }) => [receiver, state])).toEqual([one, other].map(({ personalId }) => [personalId, 'sent']));
    const open = await portal.publish({ type: 'PUBLIC', pdf: aPdf({ text: 'to everybody' }) });
    expect(await noticesOf(open.body.id)).toEqual([]);
  });

  test('a repeated publication is not told again', async () => {
    const person = await aPerson({ email: 'once@example.com' });
    const pdf = aPdf({ text: 'once' });
    const publish = () => portal.publish({ cif: person.cif, uniqueName: 'notice-once', pdf });
    const { id } = (await publish()).body;
    await settled(id);
    expect((await publish()).body).toMatchObject({ id, repeated: true });
    expect(await noticesOf(id)).toHaveLength(1);
    expect(mail.received).toHaveLength(1);
  });
});

describe('names are names', () => {
  test('86: one with line ends, markup and placeholders stays one line of text, in the mail and in the SMS', async () => {
    const person = await aPerson({ email: 'marked@example.com', language: 'EN' });
    const id = await publishTo(person.cif, '<b>{{sha256}}</b> Bcc: x@evil.example.pdf');
    await settled(id);
    const [letter] = mail.received;
    const [plain = '', html = ''] = partsOf(letter?.raw ?? '');
    expect(plain).toContain('<b>{{sha256}}</b> Bcc: x@evil.example.pdf');
    expect(html).toContain('&lt;b&gt;{{sha256}}&lt;/b&gt;');
    expect(letter?.to).toEqual(['marked@example.com']);
    expect(letter?.raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im);
  });
});

describe('a mail server that', () => {
  test('refuses for good ends it at once', async () => {
    refusesWith = refusal(550, 'no such user');
    const id = await publishTo((await aPerson({ email: 'gone@example.com' })).cif);
    expect(await settled(id)).toMatchObject([
      { state: 'failed', reason: 'REFUSED', attempts: 1, sends: 0, last_error: expect.stringContaining('550') },
    ]);
  });

  test('is busy is asked again after a while, and the row counts', async () => {
    refusesWith = refusal(451, 'later');
    const id = await publishTo((await aPerson({ email: 'busy@example.com' })).cif);
    await eventually(async () => expect(await noticesOf(id)).toMatchObject([{ state: 'queued', attempts: 1, failures: 1, sends: 0 }]));
    const [{ due_at: dueAt, created_at: createdAt } = { due_at: new Date(0), created_at: new Date(0) }] = await noticesOf(id);
    expect(dueAt.getTime() - createdAt.getTime()).toBeGreaterThanOrEqual(15_000);
    refusesWith = undefined;
    await sweepLater(15 * 60_000);
    expect(await settled(id)).toMatchObject([{ state: 'sent', attempts: 2, failures: 1, sends: 1, last_error: null }]);
  });
});

describe('a gateway that', () => {
  const bySms = () => aPerson({ phone: '+48600999888', prefers: 'SMS' });

  test.each(isNightly ? [400, 403, 404, 422] : [400, 422])(
    'answers %i ends it at once, and what it repeats is not kept',
    async (status) => {
      gateway.answerWith(() => ({ status, body: `no +48600999888 with ${token}\r\nplease` }));
      const [notice] = await settled(await publishTo((await bySms()).cif));
      expect(notice).toMatchObject({
        state: 'failed',
        reason: 'REFUSED',
        attempts: 1,
        sends: 1,
        last_error: `HTTP ${status}: no +… with … please`,
      });
    },
  );

  test.each(isNightly ? [401, 408, 429, 500, 503, 302] : [401, 408, 429, 503, 302])(
    'answers %i is asked again later, and no redirect is followed',
    async (status) => {
      await using elsewhere = await startSmsGateway();
      gateway.answerWith(() => ({ status, headers: { location: elsewhere.url } }));
      const id = await publishTo((await bySms()).cif);
      await eventually(async () => expect(await noticesOf(id)).toMatchObject([{ state: 'queued', attempts: 1, failures: 1, sends: 1 }]));
      expect((await noticesOf(id))[0]?.last_error).toBe(`HTTP ${status}`);
      expect(elsewhere.received).toEqual([]);
    },
  );

  test('has not taken it for two days is asked again, and after three it is given up', async () => {
    gateway.answerWith(() => ({ status: 503 }));
    const id = await publishTo((await bySms()).cif);
    await eventually(async () => expect((await noticesOf(id))[0]?.failures).toBe(1));
    const becomeOlder = (hours: number) =>
      portal.pool.query('update notice set created_at = created_at - make_interval(hours => $2) where document_id = $1', [id, hours]);
    await becomeOlder(48);
    await sweepLater(3_600_000);
    await eventually(async () => expect(await noticesOf(id)).toMatchObject([{ state: 'queued', failures: 2 }]));
    await becomeOlder(24);
    await sweepLater(3_600_000);
    expect(await settled(id)).toMatchObject([{ state: 'failed', reason: 'GIVEN_UP', attempts: 3, failures: 3, sends: 3 }]);
  });

  test('says no id, or one that is none, has taken it all the same', async () => {
    gateway.answerWith(() => ({ status: 200, body: '{"id":{"nested":1}}' }));
    expect(await settled(await publishTo((await bySms()).cif))).toMatchObject([{ state: 'sent', message_id: null }]);
  });
});

describe('meanwhile', () => {
  const waiting = async (person: { cif: string }): Promise<string> => {
    refusesWith = refusal(451, 'later');
    const id = await publishTo(person.cif);
    await eventually(async () => expect(await noticesOf(id)).toMatchObject([{ state: 'queued', failures: 1 }]));
    refusesWith = undefined;
    return id;
  };
  const goOn = (): Promise<void> => sweepLater(15 * 60_000);

  test('a document that was deleted is not told of any more', async () => {
    const id = await waiting(await aPerson({ email: 'deleted@example.com' }));
    await portal.pool.query(`update document set state = 'DELETED' where id = $1`, [id]);
    await goOn();
    expect(await settled(id)).toMatchObject([{ state: 'failed', reason: 'WITHDRAWN', sends: 0 }]);
    expect(mail.received).toEqual([]);
  });

  test('108: a client to whom the document does not belong any more is not told of it', async () => {
    const person = await aPerson({ email: 'moved@example.com' });
    const id = await waiting(person);
    await portal.pool.query(`update client set cif = 'another' where personal_id = $1`, [person.personalId]);
    await goOn();
    expect(await settled(id)).toMatchObject([{ state: 'failed', reason: 'WITHDRAWN' }]);
    expect(mail.received).toEqual([]);
  });

  test('a client whose account was disabled is told nothing, neither of this document nor of the next', async () => {
    const person = await aPerson({ email: 'disabled@example.com' });
    const id = await waiting(person);
    const { personalId: client } = person;
    await portal.publisher.call('changeClientState', { params: { client }, body: { state: 'DISABLED', reason: 'S 1/26' } });
    const next = await publishTo(person.cif);
    await goOn();
    expect(await settled(id)).toMatchObject([{ state: 'failed', reason: 'WITHDRAWN', sends: 0 }]);
    expect(await noticesOf(next)).toEqual([]);
    expect(mail.received).toEqual([]);
  });

  test('a new address is written to at the next attempt, and none at all ends it', async () => {
    const person = await aPerson({ email: 'old@example.com' });
    const [id, second] = [await waiting(person), await waiting(person)];
    await portal.pool.query(`update client set email = 'new@example.com' where personal_id = $1`, [person.personalId]);
    await goOn();
    expect(await settled(id)).toMatchObject([{ state: 'sent' }]);
    expect(mail.received.map(({ to }) => to)).toContainEqual(['new@example.com']);
    await settled(second);
    const third = await waiting(person);
    await portal.pool.query('update client set email = null where personal_id = $1', [person.personalId]);
    await goOn();
    expect(await settled(third)).toMatchObject([{ state: 'failed', reason: 'NO_ADDRESS' }]);
  });
});
