import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInThroughIdentity } from '#testing/sign-in-as.ts';
import { password, startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});

afterAll(() => portal[Symbol.asyncDispose]());

const upsert = (personalId: string, person: object) =>
  portal.publisher.call('upsertClients', { body: { items: [{ personalId, firstName: 'Ewa', lastName: 'Lis', ...person }] as never } });

const failToSignIn = async (personalId: string): Promise<void> => {
  const wrong = { personalId, password: `${password}-wrong`, host: portal.settings.publicUrl.host };
  await expect(signInThroughIdentity(portal.server, wrong)).rejects.toThrow(/./);
};

describe('the account', () => {
  test('tells what the organisation knows, and nothing of sign-ins that never were', async () => {
    const client = await portal.signIn('50000001', { firstName: 'Ewa', lastName: 'Lis', email: 'ewa@example.com', phone: '+48600100200' });
    expect((await client.call('getAccount', {})).body).toEqual({
      preferredChannelId: null,
      personalId: '50000001',
      firstName: 'Ewa',
      lastName: 'Lis',
      email: 'ewa@example.com',
      phone: '+48600100200',
      managed: false,
      previousSuccessfulLoginDate: null,
      lastFailureLoginDate: null,
    });
  });

  test('tells when the client signed in before this time, and when a sign-in last failed', async () => {
    await portal.signIn('50000002');
    const firstAt = portal.clock.now().getTime();
    portal.clock.advance(60_000);
    await failToSignIn('50000002');
    const failedAt = portal.clock.now().getTime();
    portal.clock.advance(60_000);
    const client = await portal.signIn('50000002');
    const { previousSuccessfulLoginDate, lastFailureLoginDate } = (await client.call('getAccount', {})).body;
    expect(Math.abs(firstAt - (previousSuccessfulLoginDate ?? 0))).toBeLessThan(30_000);
    expect(Math.abs(failedAt - (lastFailureLoginDate ?? 0))).toBeLessThan(30_000);
  });

  test('the account of a managed client does not show failed sign-ins here: that is not where they sign in', async () => {
    const client = await portal.signIn('50000003', { cif: 'cif-50000003' });
    await failToSignIn('50000003');
    await upsert('50000003', { cif: 'cif-50000003', managed: true });
    const { managed, lastFailureLoginDate } = (await client.call('getAccount', {})).body;
    expect([managed, lastFailureLoginDate]).toEqual([true, null]);
  });
});

describe('the language', () => {
  const mailLanguage = async (personalId: string) =>
    await portal.db
      .selectFrom('client')
      .select(['language', 'chosen_language as chosen'])
      .where('personal_id', '=', personalId)
      .executeTakeFirst();
  const shown = async (client: Pick<Awaited<ReturnType<TestPortal['signIn']>>, 'call'>) => (await client.call('getSelf', {})).body.language;

  test('is the one of the record until another is chosen, and the chosen one stays at the next sign-in in the language of the house', async () => {
    const client = await portal.signIn('50000050', { language: 'EN' });
    expect([await shown(client), await mailLanguage('50000050')]).toEqual(['EN', { language: 'EN', chosen: null }]);
    expect((await client.call('setupLanguage', { params: { language: 'PL' } })).status).toBe(204);
    expect([await shown(client), await mailLanguage('50000050')]).toEqual(['PL', { language: 'EN', chosen: 'PL' }]);
    const again = await portal.signIn('50000050');
    expect(await shown(again)).toBe('PL');
  });

  test('that the portal does not speak is refused, and is not shown where the record has it from before', async () => {
    const client = await portal.signIn('50000051', {});
    const answer = await client.call('setupLanguage', { params: { language: 'DE' } });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    await portal.db.updateTable('client').set({ language: 'DE' }).where('personal_id', '=', '50000051').execute();
    expect(await shown(client)).toBe('PL');
  });
});

describe('the channel for news', () => {
  test('is chosen, changed, and chosen once more without harm', async () => {
    const client = await portal.signIn('50000010', { email: 'ewa@example.com', phone: '+48600100200' });
    for (const channel of ['EMAIL', 'SMS', 'SMS'] as const) {
      expect((await client.call('setupChannel', { params: { channel } })).status).toBe(204);
      expect((await client.call('getAccount', {})).body.preferredChannelId).toBe(channel);
    }
  });

  test.each([
    ['EMAIL', 'email', { phone: '+48600100200' }],
    ['SMS', 'phone', { email: 'ewa@example.com' }],
  ] as const)('%s without an %s to reach the client at is refused, and the choice before stays', async (channel, field, contact) => {
    const personalId = `5000002${channel.length}`;
    const client = await portal.signIn(personalId, contact);
    const other = channel === 'EMAIL' ? 'SMS' : 'EMAIL';
    await client.call('setupChannel', { params: { channel: other } });
    const answer = await client.call('setupChannel', { params: { channel } });
    expect([answer.status, answer.error?.code, Object.keys(answer.error?.fields ?? {})]).toEqual([400, 'VALIDATION_ERROR', [field]]);
    expect((await client.call('getAccount', {})).body.preferredChannelId).toBe(other);
  });

  test('is none while its address is gone, and is back with the address', async () => {
    const cif = 'cif-50000030';
    const client = await portal.signIn('50000030', { cif, email: 'ewa@example.com', phone: '+48600100200' });
    const chosen = async () => (await client.call('getAccount', {})).body.preferredChannelId;
    await client.call('setupChannel', { params: { channel: 'EMAIL' } });
    await upsert('50000030', { cif, email: null, phone: '+48600100200' });
    expect(await chosen()).toBe(null);
    await upsert('50000030', { cif, email: 'other@example.com' });
    expect(await chosen()).toBe('EMAIL');
  });

  test.each(['PIGEON', 'email', 'EMAIL ', '../EMAIL', '__proto__', 'EMAIL\0'])('110: %j is none', async (channel) => {
    const client = await portal.signIn('50000040', { email: 'ewa@example.com' });
    const answer = await client.call('setupChannel', { params: { channel: channel as 'EMAIL' } });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
