import type { CheckStatus } from '@pergamin/contract';
import type { BadgeProps } from '#kit/feedback/Badge.tsx';
import { sentencesOfCheck, unprovedEntry } from '#platform/check-words.ts';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { checksumOf, publishedAt } from '#platform/metadata.ts';
import { bytesText } from '#platform/numbers.ts';
import type { Answer, Finding, Verified } from './verification.store.ts';

/** What a verdict says, in the order in which it is read. */
export interface Verdict {
  readonly badge: BadgeProps;
  /** The sentence of the status (G5). */
  readonly title: string;
  readonly lead: string;
  readonly ticks: readonly Tick[];
}

/** One thing that was compared; `open`: it could not be. */
export interface Tick {
  readonly tone: 'ok' | 'bad' | 'open';
  readonly title: string;
  readonly text: string;
  /** A machine's value beside it. */
  readonly value?: string | undefined;
}

/** What became of a file or checksum in hand: nothing is said to have been deleted that was never here. */
export const headlineOf = (status: CheckStatus): string => t(status === 'DOCUMENT_NOT_EXIST' ? 'verify.notOurs' : `check.${status}`);

export const badgeOf = ({ finding: { status }, namesake }: Answer): BadgeProps => {
  if (status === 'SHA_CIF_OK') return { tone: 'ok', icon: 'seal-check-fill', children: t('verify.authentic') };
  if (status === 'DOCUMENT_NOT_EXIST' && namesake === undefined)
    return { tone: 'neutral', icon: 'question', children: t('verify.notFound') };
  return { tone: 'bad', icon: 'x-circle-fill', children: t('verify.notMatching') };
};

export const verdictOf = (answer: Answer, { file, isSignedIn }: Pick<Verified, 'file'> & { readonly isSignedIn: boolean }): Verdict => ({
  badge: badgeOf(answer),
  title: headlineOf(answer.finding.status),
  lead: leadOf(answer, isSignedIn),
  ticks: ticksOf(answer.finding, file),
});

const leadOf = ({ finding, namesake }: Answer, isSignedIn: boolean): string => {
  const { status, document } = finding;
  if (namesake !== undefined) return t('verify.namesakeLead');
  if (status === 'SHA_CIF_OK') return t('verify.okLead', { date: momentText(document && publishedAt(document)) });
  if (status === 'DOCUMENT_NOT_EXIST') return t(isSignedIn ? 'verify.noneOfYours' : 'verify.nonePublic');
  return differsIn(finding) ? sentencesOfCheck(finding).join(' ') : t(leads[status]);
};

const leads = {
  SHA_NOT_EQUAL: 'verify.shaLead',
  CIF_NOT_EQUAL: 'verify.cifLead',
  SHA_CIF_NOK: 'verify.nokLead',
} as const satisfies Partial<Record<CheckStatus, string>>;

/** A file that is shown as a seal, beside another one that ought to be the same. */
export interface SealedFile {
  readonly sha256: string;
  readonly role: 'published' | 'yours' | 'yoursPublished' | 'stored';
}

/** What was published beside what is not that: a file that is called the same, or what the portal keeps now. */
export const pairOf = ({ sha256, finding: { storedSha256 }, namesake }: Answer, isFile: boolean): readonly SealedFile[] | undefined => {
  const original = namesake && checksumOf(namesake);
  if (original !== undefined)
    return [
      { sha256: original, role: 'published' },
      { sha256, role: 'yours' },
    ];
  if (storedSha256 === null) return undefined;
  return [
    { sha256, role: isFile ? 'yoursPublished' : 'published' },
    { sha256: storedSha256, role: 'stored' },
  ];
};

export const isPublic = ({ metadata }: NonNullable<Finding['document']>): boolean => metadata['TYPE'] === 'PUBLIC';

const ticksOf = (finding: Finding, file: File | undefined): readonly Tick[] => {
  const { status, compared, checkedAt, document } = finding;
  return [
    status === 'DOCUMENT_NOT_EXIST'
      ? { tone: 'bad', title: t('verify.tick.notPublished'), text: t('verify.tick.notPublishedText') }
      : {
          tone: 'ok',
          title: t('verify.tick.published'),
          text: t('verify.tick.publishedText'),
          value: file && bytesText(file.size),
        },
    storedTick(compared?.stored ?? null, checkedAt),
    ownerTick(compared?.owner ?? null, document),
    ...entryTicks(finding),
  ];
};

const differsIn = ({ differences = [] }: Pick<Finding, 'differences'>): boolean => differences.length > 0;

/** Nothing is said of the entry of a document that is not there, or is somebody else's. */
const entryTicks = (finding: Finding): readonly Tick[] => {
  if (finding.entry === null || finding.entry === undefined) return [];
  const text = sentencesOfCheck(finding).join(' ');
  if (differsIn(finding)) return [{ tone: 'bad', title: t('verify.tick.entryWrong'), text }];
  if (unprovedEntry(finding) !== undefined || finding.compared?.entry === false)
    return [{ tone: 'open', title: t('verify.tick.entry'), text }];
  return [{ tone: 'ok', title: t('verify.tick.entryRight'), text: text === '' ? t('verify.tick.entryRightText') : text }];
};

const storedTick = (stored: boolean | null, checkedAt: number | null): Tick => {
  const value = checkedAt === null ? undefined : momentText(checkedAt);
  if (stored === null) return { tone: 'open', title: t('verify.tick.stored'), text: t('verify.tick.open') };
  return stored
    ? { tone: 'ok', title: t('verify.tick.storedRight'), text: t('verify.tick.storedRightText'), value }
    : { tone: 'bad', title: t('verify.tick.storedWrong'), text: t('verify.tick.storedWrongText'), value };
};

const ownerTick = (owner: boolean | null, document: Finding['document']): Tick => {
  if (owner === null) return { tone: 'open', title: t('verify.tick.owner'), text: t('verify.tick.open') };
  if (!owner) return { tone: 'bad', title: t('verify.tick.ownerWrong'), text: t('verify.tick.ownerWrongText') };
  return document !== null && isPublic(document)
    ? { tone: 'ok', title: t('verify.tick.ownerEverybody'), text: t('verify.tick.everybody') }
    : { tone: 'ok', title: t('verify.tick.ownerRight'), text: t('verify.tick.yours') };
};
