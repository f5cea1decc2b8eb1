import { type CheckedPart, checkedParts, type EntryState } from '@pergamin/contract';
import type { Statement } from '@pergamin/ledger';
import { hashOfLines, hashOfMetadata, hashOfPublication, ownersOf } from '#features/ledger/ledger.door.ts';
import type { Evidence, Owner, RegisteredRow } from './evidence.store.ts';

/** What is not as it was stated, and of which nothing can be said. */
export interface Differences {
  readonly differences: readonly CheckedPart[];
  readonly notCompared: readonly CheckedPart[];
}

/** Undefined: nothing can be said. */
type Findings = Readonly<Record<CheckedPart, boolean | undefined>>;

/** The clocks of several machines differ, and a publication is registered right after its checkpoint. */
const clocksDifferMs = 60_000;

/** The principals of a document's owners. */
export const principalsOf = ({ cif, cif2, group_id: group }: Owner): string[] => {
  const owners = [
    ...(cif === null ? [] : [`cif:${cif}`]),
    ...(cif2 === null || cif2 === cif ? [] : [`cif:${cif2}`]),
    ...(group === null ? [] : [`group:${group}`]),
  ];
  return owners.length === 0 ? ['public'] : owners;
};

/** An owner to whom nothing is stated has no entry, whatever is stated to the other one. */
export const entryStateOf = ({ live, stated: { publications, pending } }: Evidence): EntryState => {
  if (publications.some(({ statement }) => statement === undefined)) return 'UNPROVED';
  const told = new Set(publications.flatMap(({ statement }) => (statement === undefined ? [] : ownersOf(statement.owner))));
  const owners = principalsOf(live);
  // Another owner than the stated one is another owner, and no missing entry.
  if (told.size > 0 && [...told].some((owner) => !owners.includes(owner))) return 'PROVED';
  if (owners.every((owner) => told.has(owner))) return 'PROVED';
  return pending.some(({ event }) => event === 'PUBLISHED') ? 'WAITING' : 'MISSING';
};

/**
 * Compares all that a statement names, but bytes and owner, with the row, the register and the deliveries. Where there is no statement, these are
 * compared with one another.
 */
export const compareStated = (evidence: Evidence): Differences => {
  const findings = findingsOf(evidence);
  return {
    differences: checkedParts.filter((part) => findings[part] === false),
    notCompared: checkedParts.filter((part) => findings[part] === undefined),
  };
};

const findingsOf = (evidence: Evidence): Findings => {
  const { live, registered, stated } = evidence;
  const statements = stated.publications.flatMap(({ statement }) => statement ?? []);
  const hashed = statements.map(({ metadata }) => readMetadata(evidence, metadata));
  const isStated = statements.length > 0;
  const every = (is: (statement: Statement) => boolean): boolean | undefined => (isStated ? statements.every(is) : undefined);
  return {
    TIME: isTimeRight(evidence, hashed),
    METADATA: isStated ? hashed.every((one) => one !== undefined) : undefined,
    TYPE: every(({ type }) => type === live.type),
    SIZE: registered !== null && registered.size !== live.size ? false : every(({ size }) => size === live.size),
    STATE: isStateRight(evidence),
    RETENTION: isRetentionRight(evidence, hashed),
    RECIPIENTS: isDeliveryRight(evidence),
  };
};

/** What the metadata hash of a publication covers besides the lines, once it was found. `null`: it is one of before, and covers these alone. */
type Covered = { readonly moment: number | null; readonly retentionDate: string | null } | null;

/** Undefined: it is the hash of something else. */
const readMetadata = ({ live, registered }: Evidence, metadata: string): Covered | undefined => {
  const { lines } = live;
  for (const retentionDate of new Set([registered?.retentionDate ?? null, live.retentionDate]))
    for (const moment of [null, ...(registered === null ? [] : [registered.at])]) {
      const covered = { moment, retentionDate };
      if (hashOfPublication({ lines, ...covered }) === metadata) return covered;
    }
  return hashOfLines(lines) === metadata ? null : undefined;
};

type Hashed = readonly (Covered | undefined)[];

/** Row and deliveries have the register's time, and the register that of its entry, or the moment that the entry names. */
const isTimeRight = ({ live, registered, deliveries, stated }: Evidence, hashed: Hashed): boolean | undefined => {
  if (registered === null) return undefined;
  const isKept = live.publishedAt === registered.at && deliveries.every(({ at, isOnItsDay }) => at === registered.at && isOnItsDay);
  if (!isKept) return false;
  if (hashed.length === 0) return undefined;
  if (hashed.every((covered) => covered?.moment === registered.at)) return true;
  if (isWhenEntered(registered, stated)) return true;
  // Of before, entries also tell of what was published long before them.
  return hashed.every((covered) => covered !== null && covered !== undefined) ? false : undefined;
};

const isWhenEntered = ({ at }: RegisteredRow, { publications }: Evidence['stated']): boolean =>
  publications.every(
    ({ statement, coveredAt }) =>
      statement !== undefined && at >= statement.time - clocksDifferMs && at <= Math.max(statement.time, coveredAt) + clocksDifferMs,
  );

/** A change that waits for its entry may have happened already, or happen with its checkpoint. */
const isStateRight = ({ live, stated: { last, pending } }: Evidence): boolean | undefined => {
  if (last?.statement !== undefined && last.statement.state === live.state) return true;
  if (pending.some(({ state }) => state === live.state)) return undefined;
  return last?.statement === undefined ? undefined : false;
};

const isRetentionRight = ({ live, stated: { extension, pending } }: Evidence, hashed: Hashed): boolean | undefined => {
  const { retentionDate } = live;
  const asStated = hashOfMetadata({ retentionDate: retentionDate ?? '' });
  const waits = pending.some(({ event, metadata }) => event === 'RETENTION_EXTENDED' && metadata === asStated);
  if (extension !== undefined) {
    if (extension.statement === undefined) return undefined;
    return extension.statement.metadata === asStated || (waits ? undefined : false);
  }
  const [covered] = hashed;
  if (covered === undefined || covered === null) return undefined;
  return covered.retentionDate === retentionDate || (waits ? undefined : false);
};

const isDeliveryRight = ({ live, deliveries }: Evidence): boolean => {
  // A withdrawal is a cancellation, whose state is compared with the statements.
  if (live.isWithdrawn && (live.state === 'ACTIVE' || live.state === 'OBSOLETE')) return false;
  // What was taken away is delivered to nobody.
  const owners = live.isWithdrawn || live.state === 'DELETED' || live.state === 'FORGOTTEN' ? [] : principalsOf(live);
  return deliveries.length === owners.length && deliveries.every(({ principal, kind }) => kind === live.kind && owners.includes(principal));
};
