import { createHash } from 'node:crypto';
import { createServiceTransport } from '#features/sign-in/sign-in.door.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { openPolicy } from '#platform/witnesses/open-policy.ts';
import { type Outcome, reasonOf, type Try } from './outcome.ts';

/** Asks each for the checkpoint of this log that it cosigned last. `origin` is undefined where the log is not known. */
export const tryWitnesses =
  ({ ledgerPolicyFile }: Pick<Settings, 'ledgerPolicyFile'>, findOrigin: () => Promise<string | undefined>): Try =>
  async (signal) => {
    const name = 'witness';
    const { witnesses } = await openPolicy(ledgerPolicyFile);
    const addressed = witnesses.filter(({ url }) => url !== undefined);
    if (addressed.length === 0) return { name, state: 'not configured', text: 'LEDGER_POLICY_FILE: nobody outside watches the ledger' };
    const origin = await findOrigin();
    const path = `${createHash('sha256')
      .update(origin ?? '')
      .digest('hex')}/checkpoint`;
    return Promise.all(addressed.map((witness) => tryWitness({ url: witness.url ?? '', name: witness.name }, { origin, path, signal })));
  };

interface Asked {
  readonly origin: string | undefined;
  readonly path: string;
  readonly signal: AbortSignal;
}

const tryWitness = async (witness: { url: string; name: string }, { origin, path, signal }: Asked): Promise<Outcome> => {
  const name = 'witness';
  try {
    const response = await fetch(`${witness.url.replace(/\/$/, '')}/${path}`, { redirect: 'manual', signal });
    await response.body?.cancel();
    if (response.ok && origin !== undefined)
      return { name, state: 'ok', text: `${witness.name} answers with a checkpoint of this ledger; its signatures were not verified` };
    if (response.status === 404)
      return origin === undefined
        ? { name, state: 'ok', text: `${witness.name} answers; whether it knows this ledger was not asked` }
        : { name, state: 'warning', text: `${witness.name} answers, and has not cosigned this ledger yet` };
    return { name, state: 'wrong', text: `${witness.name} answers ${response.status}` };
  } catch (error) {
    return { name, state: 'wrong', text: `${witness.name}: ${reasonOf(error)}` };
  }
};

/** Reads the metadata of each, as a sign-in does. */
export const tryIdentityServices =
  ({ identityServices }: Pick<Settings, 'identityServices'>): Try =>
  async (signal) => {
    const name = 'identity service';
    if (identityServices.length === 0)
      return { name, state: 'not configured', text: 'IDENTITY_SERVICES: everybody signs in at the embedded one' };
    return Promise.all(identityServices.map((service) => tryService(service, signal)));
  };

const tryService = async (service: Settings['identityServices'][number], signal: AbortSignal): Promise<Outcome> => {
  const name = 'identity service';
  const { id, issuer, privateNetwork } = service;
  try {
    const ask = createServiceTransport({ issuer, privateNetwork });
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await ask(address, { method: 'GET', headers: { accept: 'application/json' }, body: null, redirect: 'manual', signal });
    if (!response.ok) return { name, state: 'wrong', text: `${id}: it answers ${response.status} for its metadata` };
    const metadata: unknown = await response.json().catch(() => undefined);
    const told = typeof metadata === 'object' && metadata !== null && 'issuer' in metadata ? metadata.issuer : undefined;
    return told === issuer
      ? { name, state: 'ok', text: `${id}: its metadata were read` }
      : { name, state: 'wrong', text: `${id}: its metadata name another issuer than the setting, or are none` };
  } catch (error) {
    return {
      name,
      state: 'wrong',
      text: `${id}: ${error instanceof Error && /internal address/.test(error.message) ? error.message : reasonOf(error)}`,
    };
  }
};
