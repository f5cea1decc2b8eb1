import { addMonths, type DocumentState, type ErrorCode } from '@pergamin/contract';
import { accountKey, inOnePiece } from '#features/metadata/metadata.door.ts';
import type { DocumentKind } from '#platform/database/schema.ts';
import type { RetentionYears } from '#platform/settings/retention-setting.ts';

/** What asks for a new state: a publisher's word, a new version in its place, or the call that forgets. */
export type Occasion = 'status' | 'replacement' | 'forgetting';

interface Transition {
  readonly from: DocumentState;
  readonly to: DocumentState;
  readonly occasion: Occasion;
  /** Takes the document away from its clients: only without a legal hold and after its retention. */
  readonly removes?: true;
  /** Only while every version after it is taken back. */
  readonly isLast?: true;
}

/** Every change of state that there is (R2). Any other is INVALID_STATUS. */
const transitions: readonly Transition[] = [
  { from: 'ACTIVE', to: 'CANCELLED', occasion: 'status' },
  { from: 'ACTIVE', to: 'OBSOLETE', occasion: 'replacement' },
  { from: 'ACTIVE', to: 'DELETED', occasion: 'status', removes: true },
  { from: 'CANCELLED', to: 'DELETED', occasion: 'status', removes: true },
  { from: 'OBSOLETE', to: 'ACTIVE', occasion: 'status', isLast: true },
  { from: 'OBSOLETE', to: 'DELETED', occasion: 'status', removes: true },
  { from: 'DELETED', to: 'FORGOTTEN', occasion: 'forgetting', removes: true },
];

type Change = Pick<Transition, 'from' | 'to' | 'occasion'>;

const findTransition = ({ from, to, occasion }: Change): Transition | undefined =>
  transitions.find((row) => row.from === from && row.to === to && row.occasion === occasion);

export const isTransition = (change: Change): boolean => findTransition(change) !== undefined;

/** `retentionDate`: a day as yyyy-mm-dd, 'infinity', or null when none was set. */
export interface Standing {
  readonly state: DocumentState;
  readonly legalHold: boolean;
  readonly retentionDate: string | null;
  /** Its bytes are gone or going. */
  readonly isRemoved: boolean;
  /** Another version is in its place, or waits for it. */
  readonly isReplaced: boolean;
}

export interface Refusal {
  readonly code: Extract<ErrorCode, 'INVALID_STATUS' | 'DOCUMENT_REMOVE_ERROR' | 'DOCUMENT_RETENTION_ERROR' | 'VALIDATION_ERROR'>;
  readonly field: string;
  readonly problem: string;
}

/** `today`: the organisation's day. The retention's last day is part of it. A document without a retention date may be removed. */
export const isRetentionOver = (retentionDate: string | null, today: string): boolean =>
  retentionDate === null || isBefore(retentionDate, today);

interface Wish {
  readonly to: DocumentState;
  readonly occasion: Occasion;
  readonly today: string;
  /** A removal before the end of the retention, by a key that may ask for it. A legal hold refuses it all the same. */
  readonly isEarly?: boolean;
}

/** Why a document may not change to a state; undefined when it may. */
export const refusalOfState = (standing: Standing, { to, occasion, today, isEarly = false }: Wish): Refusal | undefined => {
  const transition = findTransition({ from: standing.state, to, occasion });
  if (transition === undefined) return { code: 'INVALID_STATUS', field: 'state', problem: `its state is ${standing.state}` };
  if (transition.isLast === true && standing.isReplaced)
    return { code: 'INVALID_STATUS', field: 'state', problem: 'it has a new version, which is not taken back' };
  if (transition.removes !== true) return undefined;
  if (standing.legalHold) return { code: 'DOCUMENT_REMOVE_ERROR', field: 'legalHold', problem: 'it is under a legal hold' };
  if (isEarly || isRetentionOver(standing.retentionDate, today)) return undefined;
  return { code: 'DOCUMENT_RETENTION_ERROR', field: 'retentionDate', problem: lastDay(standing.retentionDate) };
};

/** Shorter ones are found in any text. */
const shortestName = 4;

/** The reason of forgetting stays, so it must not name what is forgotten. */
export const refusalOfReason = (reason: string, names: readonly string[]): Refusal | undefined => {
  const said = inOnePiece(reason);
  const isNamed = names.map((name) => accountKey(name.normalize('NFC'))).some((name) => name.length >= shortestName && said.includes(name));
  return isNamed ? { code: 'VALIDATION_ERROR', field: 'reason', problem: 'it stays, and names the document or its owner' } : undefined;
};

/** A hold or a longer retention of what is gone would be a promise that cannot be kept. */
export const refusalOfKeeping = ({ state, isRemoved }: Standing): Refusal | undefined => {
  if (state === 'FORGOTTEN') return { code: 'INVALID_STATUS', field: 'state', problem: 'its state is FORGOTTEN' };
  return isRemoved ? { code: 'INVALID_STATUS', field: 'removedAt', problem: 'its bytes are removed' } : undefined;
};

/** T4: the same day or a later one, and none that is over: a typing error would keep nothing, and cannot be taken back from the history. */
export const refusalOfRetention = (standing: Standing, { until, today }: { until: string; today: string }): Refusal | undefined => {
  const { retentionDate } = standing;
  if (retentionDate !== null && isBefore(until, retentionDate))
    return { code: 'DOCUMENT_RETENTION_ERROR', field: 'until', problem: lastDay(retentionDate) };
  if (isBefore(until, today)) return { code: 'VALIDATION_ERROR', field: 'until', problem: `it is over: today is ${today}` };
  return refusalOfKeeping(standing);
};

/** The removal of bytes. A forgotten document has passed its retention, or was forgotten early on purpose. */
export const mayRemoveBytes = ({ state, legalHold, retentionDate }: Omit<Standing, 'isRemoved' | 'isReplaced'>, today: string): boolean =>
  !legalHold && (state === 'FORGOTTEN' || (state === 'DELETED' && isRetentionOver(retentionDate, today)));

/**
 * The last day on which a document that is published on this day is kept at least, by its class. A period of years ends on the day of the same
 * date, in February of a common year on the 28th.
 */
export const retentionOfClasses = (publishedOn: string, years: RetentionYears): Partial<Record<DocumentKind, string>> =>
  Object.fromEntries(Object.entries(years).map(([kind, count]) => [kind, addMonths(publishedOn, 12 * count)]));

/** Days as text compare as days; 'infinity' is after all of them. */
const isBefore = (one: string, other: string): boolean => one !== other && one !== 'infinity' && (other === 'infinity' || one < other);

const lastDay = (day: string | null): string => (day === 'infinity' ? 'it is kept for ever' : `it is kept until ${day ?? ''}`);
