import type { ReceiptVerdict } from '@pergamin/ledger';
import { momentText } from '#platform/dates.ts';
import { t, type TranslationKey } from '#platform/language.ts';
import { bytesText, numberText } from '#platform/numbers.ts';
import type { Tick, Verdict } from '#features/verification/verdict.ts';
import type { CheckedReceipt } from './check-receipt.ts';

const open = (title: string): Tick => ({ tone: 'open', title, text: t('receipt.open') });

const fileTick = ({ isSameFile, statement }: ReceiptVerdict): Tick => {
  if (statement === undefined) return open(t('receipt.file'));
  return isSameFile
    ? { tone: 'ok', title: t('receipt.fileRight'), text: t('receipt.fileRightText'), value: bytesText(statement.size) }
    : { tone: 'bad', title: t('receipt.fileWrong'), text: t('receipt.fileWrongText') };
};

const events: Readonly<Record<string, TranslationKey>> = { PUBLISHED: 'receipt.published', RECEIVED: 'receipt.received' };

const statementTick = ({ statement, place }: ReceiptVerdict): Tick => {
  const wrong = place === undefined ? 'receipt.notOne' : 'receipt.statementWrong';
  if (statement === undefined) return { tone: 'bad', title: t(wrong), text: t('receipt.statementWrongText') };
  const said = { date: momentText(statement.time), owner: ownerText(statement.owner) };
  return { tone: 'ok', title: t('receipt.statementRight'), text: t(events[statement.event] ?? 'receipt.recorded', said) };
};

const entryTick = ({ isIncluded, statement, place }: ReceiptVerdict): Tick => {
  if (statement === undefined || place === undefined) return open(t('receipt.entry'));
  if (!isIncluded) return { tone: 'bad', title: t('receipt.entryWrong'), text: t('receipt.entryWrongText') };
  const said = { number: numberText(place.index + 1), size: numberText(place.size) };
  return { tone: 'ok', title: t('receipt.entryRight'), text: t('receipt.entryRightText', said), value: `${said.number} / ${said.size}` };
};

const signatureTick = ({ isSigned, isSignedByLog, witnesses, known, keys, place }: CheckedReceipt): Tick => {
  if (place === undefined) return open(t('receipt.signature'));
  const lack = keys === 'missing' ? 'receipt.keysMissing' : 'receipt.keysMalformed';
  if (keys !== 'given') return { tone: 'open', title: t('receipt.signature'), text: t(lack) };
  if (!isSignedByLog) return { tone: 'bad', title: t('receipt.signatureWrong'), text: t('receipt.signatureWrongText') };
  if (!isSigned) return { tone: 'bad', title: t('receipt.tooFewWitnesses'), text: t('receipt.tooFewWitnessesText') };
  const [first] = witnesses;
  const right = { tone: 'ok', title: t('receipt.signatureRight') } as const;
  if (first === undefined) return { ...right, text: t('receipt.signatureAlone') };
  const said = { seen: numberText(witnesses.length), known: numberText(known.length) };
  return { ...right, text: t('receipt.signatureSeen', said), value: momentText(first.at * 1_000) };
};

/** Principals as a statement names them (`cif:7001`, `group:…`, `public`). */
export const ownerText = (owner: string): string =>
  owner
    .split('\n')
    .map((principal) => {
      if (principal === 'public') return t('receipt.owner.everybody');
      const [kind = '', ...name] = principal.split(':');
      if (kind === 'cif') return t('receipt.owner.customer', { number: name.join(':') });
      return kind === 'group' ? t('receipt.owner.group', { name: name.join(':') }) : principal;
    })
    .join(', ');

const outcomes = {
  proved: { tone: 'ok', icon: 'seal-check-fill', word: 'verify.authentic', title: 'receipt.proved', lead: 'receipt.provedLead' },
  lacksKeys: { tone: 'warn', icon: 'warning-fill', word: 'receipt.notComplete', title: 'receipt.lacksKeys', lead: 'receipt.lacksKeysLead' },
  notProved: { tone: 'bad', icon: 'x-circle-fill', word: 'verify.notMatching', title: 'receipt.notProved', lead: 'receipt.notProvedLead' },
} as const;

/** Four answers, in words for somebody who has never heard of a register. A red one says what it means and what to do. */
export const receiptVerdictOf = (checked: CheckedReceipt): Verdict => {
  const { isProved, isSameFile, isIncluded, keys, statement } = checked;
  // All but the keys is right.
  const lacksKeys = isSameFile && isIncluded && keys !== 'given';
  const { tone, icon, word, title, lead } = outcomes[isProved ? 'proved' : lacksKeys ? 'lacksKeys' : 'notProved'];
  return {
    badge: { tone, icon, children: t(word) },
    title: t(title),
    lead: t(lead, { date: momentText(statement?.time) }),
    ticks: [fileTick, statementTick, entryTick, signatureTick].map((tick) => tick(checked)),
  };
};

/** What even four right answers do not say. */
export const cautionsOf = ({ keys, witnesses, isSignedByLog }: CheckedReceipt, from: 'file' | 'portal' | undefined): readonly string[] => [
  ...(keys === 'given' && isSignedByLog && witnesses.length === 0 ? [t('receipt.unwatched')] : []),
  ...(keys === 'given' && from === 'portal' ? [t('receipt.ownKeys')] : []),
];
