import type { ReceiptVerdict } from '@pergamin/ledger';
import { momentText } from '#platform/dates.ts';
import { t, type TranslationKey } from '#platform/language.ts';
import { numberText } from '#platform/numbers.ts';
import type { Tick, Verdict } from '#features/verification/verdict.ts';
import type { CheckedReceipt } from './check-receipt.ts';

const open = (title: string): Tick => ({ tone: 'open', title, text: t('receipt.open') });

const fileTick = ({ isSameFile, statement }: ReceiptVerdict): Tick => {
  if (statement === undefined) return open(t('receipt.file'));
  return isSameFile
    ? { tone: 'ok', title: t('receipt.fileRight'), text: t('receipt.fileRightText') }
    : { tone: 'bad', title: t('receipt.fileWrong'), text: t('receipt.fileWrongText') };
};

const statementTick = ({ statement, place }: ReceiptVerdict): Tick => {
  const wrong = place === undefined ? 'receipt.notOne' : 'receipt.statementWrong';
  if (statement === undefined) return { tone: 'bad', title: t(wrong), text: t('receipt.statementWrongText') };
  const { event, time, owner, state } = statement;
  const said = { date: momentText(time), owner: ownerText(owner), state: t(`state.${state}`) };
  // A change of state names it already.
  const stateThen = state === 'ACTIVE' || event === 'STATE_CHANGED' ? '' : ` ${t('receipt.stateThen', said)}`;
  return { tone: 'ok', title: t('receipt.statementRight'), text: `${t(`receipt.event.${event}`, said)}${stateThen}` };
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

/** Principals as a statement names them (`cif:7001`, `group:…`, `public`); nobody in one of a forgotten document. */
export const ownerText = (owner: string): string =>
  owner
    .split('\n')
    .map((principal) => {
      if (principal === '') return t('receipt.owner.nobody');
      if (principal === 'public') return t('receipt.owner.everybody');
      const [kind = '', ...name] = principal.split(':');
      if (kind === 'cif') return t('receipt.owner.customer', { number: name.join(':') });
      return kind === 'group' ? t('receipt.owner.group', { name: name.join(':') }) : principal;
    })
    .join(', ');

interface Look extends Pick<Verdict, 'title' | 'lead'> {
  readonly badge: Pick<Verdict['badge'], 'tone' | 'icon'>;
  readonly word: TranslationKey;
}

/** What each outcome looks like. Only a publication has the look of one: what else is authentic has other words, another colour and icon. */
const lookOf = ({ outcome, isSameFile, isIncluded, keys, statement }: CheckedReceipt): Look => {
  const said = { date: momentText(statement?.time), owner: ownerText(statement?.owner ?? '') };
  if (outcome === 'proved') {
    const right = { title: t('receipt.proved'), lead: t('receipt.provedLead', said) };
    return statement?.state === 'ACTIVE'
      ? { ...right, badge: { tone: 'ok', icon: 'seal-check-fill' }, word: 'verify.authentic' }
      : { ...right, badge: { tone: 'warn', icon: 'warning-fill' }, word: 'receipt.notActiveWord' };
  }
  if (outcome === 'received')
    return {
      badge: { tone: 'note', icon: 'paper-plane-tilt-fill' },
      word: 'receipt.receivedWord',
      title: t('receipt.received'),
      lead: t('receipt.receivedLead', said),
    };
  if (outcome === 'otherEvent' && statement !== undefined && statement.event !== 'PUBLISHED' && statement.event !== 'RECEIVED')
    return {
      badge: { tone: 'neutral', icon: 'info-fill' },
      word: 'receipt.otherWord',
      title: t(`receipt.other.${statement.event}`),
      lead: t('receipt.otherLead'),
    };
  // All but the keys is right.
  if (isSameFile && isIncluded && keys !== 'given')
    return {
      badge: { tone: 'warn', icon: 'warning-fill' },
      word: 'receipt.notComplete',
      title: t('receipt.lacksKeys'),
      lead: t('receipt.lacksKeysLead'),
    };
  return {
    badge: { tone: 'bad', icon: 'x-circle-fill' },
    word: 'verify.notMatching',
    title: t('receipt.notProved'),
    lead: t('receipt.notProvedLead'),
  };
};

/** Four answers, in words for somebody who has never heard of a register. A red one says what it means and what to do. */
export const receiptVerdictOf = (checked: CheckedReceipt): Verdict => {
  const { badge, word, title, lead } = lookOf(checked);
  return {
    badge: { ...badge, children: t(word) },
    title,
    lead,
    ticks: [fileTick, statementTick, entryTick, signatureTick].map((tick) => tick(checked)),
  };
};

/** What even four right answers do not say. */
export const cautionsOf = (checked: CheckedReceipt, from: 'file' | 'portal' | undefined): readonly string[] => {
  const { outcome, statement, keys, witnesses, isSignedByLog, place } = checked;
  const isSigned = keys === 'given' && isSignedByLog;
  const ofPublication = [
    ...(statement === undefined || statement.state === 'ACTIVE' ? [] : [t('receipt.notActive', { state: t(`state.${statement.state}`) })]),
    t('receipt.publishedOnly'),
    t('receipt.laterUnknown'),
  ];
  return [
    ...(outcome === 'proved' ? ofPublication : []),
    ...(isSigned && witnesses.length === 0 ? [t('receipt.unwatched')] : []),
    ...(keys === 'given' && from === 'portal' ? [t('receipt.ownKeys')] : []),
    ...(isSigned && from === 'file' ? [t('receipt.keysOfRegister', { origin: place?.origin ?? '' })] : []),
  ];
};
