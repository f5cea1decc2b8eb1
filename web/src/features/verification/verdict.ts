import type { CheckStatus, DocumentRow } from '@pergamin/contract';
import type { BadgeProps } from '#kit/feedback/Badge.tsx';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { checksumOf, publishedAt } from '#platform/metadata.ts';
import { bytesText } from '#platform/numbers.ts';
import type { Finding, Verified } from './verification.store.ts';

/** What a verdict says, in the order in which it is read. */
export interface Verdict {
  readonly tone: 'ok' | 'bad' | 'neutral';
  readonly badge: BadgeProps;
  /** The sentence of the status (G5). */
  readonly title: string;
  readonly lead: string;
}

/** One thing that was compared; `open`: it could not be. Others, of the register, find their place after these. */
export interface Tick {
  readonly id: string;
  readonly tone: 'ok' | 'bad' | 'open';
  readonly title: string;
  readonly text: string;
  /** A machine's value beside it. */
  readonly value?: string | undefined;
}

/** What became of a file or checksum in hand: nothing is said to have been deleted that was never here. */
export const headlineOf = (status: CheckStatus): string => t(status === 'DOCUMENT_NOT_EXIST' ? 'verify.notOurs' : `check.${status}`);

export const verdictOf = ({ status, document }: Finding, signedIn: boolean, namesake: DocumentRow | undefined): Verdict => {
  const title = headlineOf(status);
  const notMatching = { tone: 'bad', icon: 'x-circle-fill', children: t('verify.notMatching') } as const;
  if (namesake !== undefined) return { tone: 'bad', badge: notMatching, title, lead: t('verify.namesakeLead') };
  if (status === 'SHA_CIF_OK')
    return {
      tone: 'ok',
      badge: { tone: 'ok', icon: 'seal-check-fill', children: t('verify.authentic') },
      title,
      lead: t('verify.okLead', { date: momentText(document && publishedAt(document)) }),
    };
  if (status === 'DOCUMENT_NOT_EXIST')
    return {
      tone: 'neutral',
      badge: { tone: 'neutral', icon: 'question', children: t('verify.notFound') },
      title,
      lead: t(signedIn ? 'verify.noneOfYours' : 'verify.nonePublic'),
    };
  return {
    tone: 'bad',
    badge: notMatching,
    title,
    lead: t(leads[status]),
  };
};

const leads = {
  SHA_NOT_EQUAL: 'verify.shaLead',
  CIF_NOT_EQUAL: 'verify.cifLead',
  SHA_CIF_NOK: 'verify.nokLead',
} as const satisfies Partial<Record<CheckStatus, string>>;

/** Two files that ought to be one. */
export interface Pair {
  readonly published: SealedFile;
  readonly other: SealedFile;
}
export interface SealedFile {
  readonly sha256: string;
  readonly label: string;
  /** Of the checksum, in full. */
  readonly sumLabel: string;
}

/** What was published beside what is not that: a file that is called the same, or what the portal keeps now. */
export const pairOf = ({ storedSha256 }: Finding, item: Verified, { sha256, namesake }: Answer): Pair | undefined => {
  const isFile = item.subject.file !== undefined;
  const original = namesake && checksumOf(namesake);
  if (original !== undefined)
    return {
      published: { sha256: original, label: t('verify.seal.published'), sumLabel: t('verify.sumOfPublished') },
      other: { sha256, label: t('verify.seal.yours'), sumLabel: t('verify.sumOfFile') },
    };
  if (storedSha256 === null) return undefined;
  return {
    published: {
      sha256,
      label: t(isFile ? 'verify.seal.yoursPublished' : 'verify.seal.published'),
      sumLabel: t(isFile ? 'verify.sumOfFile' : 'verify.sumOfPublished'),
    },
    other: { sha256: storedSha256, label: t('verify.seal.stored'), sumLabel: t('verify.sumOfStored') },
  };
};

type Answer = Pick<Extract<Verified['progress'], { state: 'answered' }>, 'sha256' | 'namesake'>;

export const isPublic = ({ metadata }: NonNullable<Finding['document']>): boolean => metadata['TYPE'] === 'PUBLIC';

export const ticksOf = ({ status, compared, checkedAt, document }: Finding, { subject }: Verified): readonly Tick[] => [
  status === 'DOCUMENT_NOT_EXIST'
    ? { id: 'published', tone: 'bad', title: t('verify.tick.notPublished'), text: t('verify.tick.notPublishedText') }
    : {
        id: 'published',
        tone: 'ok',
        title: t('verify.tick.published'),
        text: t('verify.tick.publishedText'),
        value: subject.file && bytesText(subject.file.size),
      },
  storedTick(compared?.stored ?? null, checkedAt),
  ownerTick(compared?.owner ?? null, document),
];

const storedTick = (stored: boolean | null, checkedAt: number | null): Tick => {
  const value = checkedAt === null ? undefined : momentText(checkedAt);
  if (stored === null) return { id: 'stored', tone: 'open', title: t('verify.tick.stored'), text: t('verify.tick.open') };
  return stored
    ? { id: 'stored', tone: 'ok', title: t('verify.tick.storedRight'), text: t('verify.tick.storedRightText'), value }
    : { id: 'stored', tone: 'bad', title: t('verify.tick.storedWrong'), text: t('verify.tick.storedWrongText'), value };
};

const ownerTick = (owner: boolean | null, document: Finding['document']): Tick => {
  if (owner === null) return { id: 'owner', tone: 'open', title: t('verify.tick.owner'), text: t('verify.tick.open') };
  if (!owner) return { id: 'owner', tone: 'bad', title: t('verify.tick.ownerWrong'), text: t('verify.tick.ownerWrongText') };
  const isEverybodys = document !== null && isPublic(document);
  return {
    id: 'owner',
    tone: 'ok',
    title: t(isEverybodys ? 'verify.tick.ownerEverybody' : 'verify.tick.ownerRight'),
    text: t(isEverybodys ? 'verify.tick.everybody' : 'verify.tick.yours'),
  };
};
