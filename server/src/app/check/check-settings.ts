import { resolve } from 'node:path';
import { judgeMarker } from '#features/metadata/metadata.door.ts';
import { judgeLedgerKey } from '#features/ledger/ledger.door.ts';
import type { OpenDatabase } from '#platform/database/database.ts';
import type { Db } from '#platform/database/schema.ts';
import { readSettings, type Settings } from '#platform/settings/settings.ts';
import { checkFonts, openBranding } from '../platform.ts';
import { DemonstrationError, refuseDemonstration } from '../demonstration.ts';
import { type Outcome, type Try, within } from './outcome.ts';
import { tryDatabase } from './try-database.ts';
import { tryDisk, tryEncryptionKey, tryLedgerKey, tryObjects } from './try-data.ts';
import { tryConnection, tryMail, tryScanner } from './try-peers.ts';
import { tryIdentityServices, tryWitnesses } from './try-watchers.ts';

export type { Outcome } from './outcome.ts';

/**
 * Tries everything that the settings name, as a start and its work would, without changing anything or sending anything to anybody: at most
 * ten seconds for each, side by side.
 * @throws SettingsError, BrandingError
 */
export const checkSettings = async (environment: NodeJS.ProcessEnv): Promise<readonly Outcome[]> => {
  const read = readSettings(environment);
  const settings: Settings = { ...read, dataDir: resolve(read.dataDir) };
  await openBranding(settings);
  await checkFonts(settings);
  const outside = Promise.all(outsideTries(settings).map(([name, attempt]) => within(name, attempt)));
  let database: OpenDatabase | undefined;
  try {
    const ofDatabase = await within('database', async () => {
      const tried = await tryDatabase(settings);
      database = tried.database;
      return tried.outcomes;
    });
    const inside = await Promise.all(insideTries(settings, database?.db).map(([name, attempt]) => within(name, attempt)));
    return [...ofDatabase, ...inside.flat(), ...(await outside).flat()];
  } finally {
    await database?.close();
  }
};

type NamedTry = readonly [name: string, attempt: Try];

/** What is compared with the database, which is undefined where it could not be asked. */
const insideTries = (settings: Settings, db: Db | undefined): readonly NamedTry[] => [
  ['data disk', tryDisk(settings)],
  ['objects', tryObjects(settings, db)],
  ['encryption key', tryEncryptionKey(settings, db)],
  ['ledger key', tryLedgerKey(settings, db)],
  ...(db === undefined ? [] : [['contents', tryContents(settings, db)] as const]),
  [
    'witness',
    tryWitnesses(settings, async () => (db === undefined ? undefined : (await judgeLedgerKey(db, settings.ledgerKeyFile)).origin)),
  ],
];

const tryContents =
  (settings: Settings, db: Db): Try =>
  async () => {
    const name = 'contents';
    try {
      await refuseDemonstration(db, settings.publicUrl);
      await judgeMarker(db, settings);
      return {
        name,
        state: 'ok',
        text: 'no demonstration that others could reach, and STATEMENT_MARKER_KEY is not the key of other metadata',
      };
    } catch (error) {
      if (!(error instanceof DemonstrationError) && !(error instanceof Error && error.name === 'SettingsError')) throw error;
      return { name, state: 'wrong', text: error.message };
    }
  };

const outsideTries = (settings: Settings): readonly NamedTry[] => [
  ['mail', tryMail(settings)],
  ['identity service', tryIdentityServices(settings)],
  [
    'time-stamps',
    tryConnection({ name: 'time-stamps', setting: 'TIMESTAMP_URL', url: settings.timestamps?.url, without: 'nobody dates the ledger' }),
  ],
  ['malware scanner', tryScanner(settings)],
  ['SMS gateway', tryConnection({ name: 'SMS gateway', setting: 'SMS_URL', url: urlOf(settings.sms?.url), without: 'no SMS leaves' })],
  [
    'webhook',
    tryConnection({
      name: 'webhook',
      setting: 'RECEIVED_WEBHOOK_URL',
      url: urlOf(settings.receivedWebhook?.url),
      without: 'the organisation’s system is told of nothing',
    }),
  ],
  [
    'traces',
    tryConnection({
      name: 'traces',
      setting: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      url: urlOf(settings.tracesUrl),
      without: 'no traces are written',
    }),
  ],
];

const urlOf = (written: string | URL | undefined): URL | undefined => (written === undefined ? undefined : new URL(written));

const width = Math.max(...['not configured', 'encryption key', 'malware scanner', 'identity service'].map(({ length }) => length));

/** A line for each, and one that counts them. */
export const printedOutcomes = (outcomes: readonly Outcome[]): string => {
  const count = (state: Outcome['state']): number => outcomes.filter((outcome) => outcome.state === state).length;
  const [wrong, fine, warnings, untried] = [count('wrong'), count('ok'), count('warning'), count('not tried')];
  const lines = outcomes.map(({ state, name, text }) => `${state.padEnd(width)}  ${name.padEnd(width)}  ${text}`);
  const noted = [...(warnings > 0 ? [`${warnings} to look at`] : []), ...(untried > 0 ? [`${untried} not tried`] : [])];
  const verdict = wrong === 0 ? `Nothing is wrong with what was tried: ${fine} fine` : `${wrong} wrong: ${fine} fine`;
  return `${[...lines, [verdict, ...noted].join(', ')].join('\n')}\n`;
};
