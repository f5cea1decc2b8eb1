import type { CheckedPart, CheckResult, EntryState } from '@pergamin/contract';
import { CallError } from './api.ts';
import { t } from './language.ts';

/** What a check says beside its status. */
export interface CheckDetail extends Pick<CheckResult, 'entry'> {
  readonly differences?: readonly CheckedPart[] | undefined;
  readonly notCompared?: readonly CheckedPart[] | undefined;
}

const namesOf = (parts: readonly CheckedPart[]): string => parts.map((part) => t(`check.part.${part}`)).join(', ');

/** An entry that was not proved: the verdict then covers the file and its owner alone. */
export const unprovedEntry = ({ entry }: Pick<CheckDetail, 'entry'>): Exclude<EntryState, 'PROVED'> | undefined =>
  entry === null || entry === 'PROVED' ? undefined : entry;

/** What differs from the register, what is wrong with the entry, and what was not compared: each in a sentence. None when all was compared and is right. */
export const sentencesOfCheck = (detail: CheckDetail): readonly string[] => {
  const { differences = [], notCompared = [] } = detail;
  const entry = unprovedEntry(detail);
  // The sentence of the entry says that nothing else was compared.
  const isListed = notCompared.length > 0 && entry !== 'MISSING' && entry !== 'WAITING';
  return [
    ...(differences.length === 0 ? [] : [t('check.differs', { parts: namesOf(differences) })]),
    ...(entry === undefined ? [] : [t(`check.entry.${entry}`)]),
    ...(isListed ? [t('check.notCompared', { parts: namesOf(notCompared) })] : []),
  ];
};

/** A check that says that the document's entry is missing, there twice, or not to be proved. */
export const isEntryRefused = (error: unknown): boolean =>
  error instanceof CallError && (error.code === 'NOT_FOUND_BC' || error.code === 'BC_ERROR' || error.code === 'DUPLICATE_BC');
