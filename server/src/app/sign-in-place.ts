import { personalIdPattern } from '@pergamin/contract';
import { createIdentity } from '@pergamin/identity';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { PasswordAccounts } from '#features/accounts/accounts.door.ts';
import type { SignInService } from '#features/sign-in/sign-in.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { OutsideIdentity, Settings } from '#platform/settings/settings.ts';
import { embeddedService, mountIdentity } from './mount-identity.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
}

/** Where people sign in. Whichever it is, the room sign-in speaks OpenID Connect with it. */
export interface SignInPlace {
  service(server: FastifyInstance): SignInService;
  /** Undefined where passwords are kept by somebody else. */
  readonly passwords: PasswordAccounts | undefined;
  removeAccounts(personalIds: readonly string[]): Promise<void>;
  mount(server: FastifyInstance): Promise<void>;
  readonly jobs: JobHandlers;
  readonly crontab: string;
}

/** A part of the address that a provider sends people back to: `/api/open/redirect/back/identity`. */
const outsideServiceId = 'identity';

const openEmbedded = async ({ db, settings, clock, log }: Parts): Promise<SignInPlace> => {
  const identity = await createIdentity({ db, settings, clock, log });
  return {
    service: (server) => embeddedService(identity, { server, publicUrl: settings.publicUrl }),
    passwords: identity.accounts,
    removeAccounts: (personalIds) => identity.accounts.remove(personalIds),
    mount: (server) => mountIdentity(server, identity),
    jobs: { 'identity:sweep': () => identity.sweep() },
    crontab: '*/10 * * * * identity:sweep',
  };
};

const outside = (identity: OutsideIdentity): SignInPlace => ({
  service: () => ({ id: outsideServiceId, pattern: personalIdPattern, ...identity }),
  passwords: undefined,
  removeAccounts: async () => {},
  mount: async () => {},
  jobs: {},
  crontab: '',
});

/** The embedded identity service, or the outside one that the settings name (ID1). */
export const openSignInPlace = async (parts: Parts): Promise<SignInPlace> => {
  const { identity } = parts.settings;
  return identity === undefined ? openEmbedded(parts) : outside(identity);
};
