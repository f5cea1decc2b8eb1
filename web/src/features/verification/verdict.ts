import type { CheckStatus } from '@pergamin/contract';
import type { Tone } from '#kit/Badge.tsx';
import type { IconName } from '#kit/icon-names.ts';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { bytesText } from '#platform/numbers.ts';
import type { Finding, Verified } from './verification.store.ts';

/** What a verdict says, in the order in which it is read. */
export interface Verdict {
  readonly tone: 'ok' | 'bad' | 'neutral';
  readonly badge: { readonly tone: Tone; readonly icon: IconName; readonly word: string };
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

export const verdictOf = ({ status, document }: Finding, signedIn: boolean): Verdict => {
  const title = t(`check.${status}`);
  if (status === 'SHA_CIF_OK')
    return {
      tone: 'ok',
      badge: { tone: 'ok', icon: 'seal-check-fill', word: t('verify.authentic') },
      title,
      lead: t('verify.okLead', { date: momentText(document === null ? null : publishedAt(document)) }),
    };
  if (status === 'DOCUMENT_NOT_EXIST')
    return {
      tone: 'neutral',
      badge: { tone: 'neutral', icon: 'question', word: t('verify.notFound') },
      title,
      lead: t(signedIn ? 'verify.noneOfYours' : 'verify.nonePublic'),
    };
  return {
    tone: 'bad',
    badge: { tone: 'bad', icon: 'x-circle-fill', word: t('verify.notMatching') },
    title,
    lead: t(leads[status]),
  };
};

const leads = {
  SHA_NOT_EQUAL: 'verify.shaLead',
  CIF_NOT_EQUAL: 'verify.cifLead',
  SHA_CIF_NOK: 'verify.nokLead',
} as const satisfies Partial<Record<CheckStatus, string>>;

export const publishedAt = ({ metadata }: NonNullable<Finding['document']>): number | null => {
  const at = metadata['PUBLICATION_DATE'];
  return at === undefined ? null : Number(at);
};

export const isPublic = ({ metadata }: NonNullable<Finding['document']>): boolean => metadata['TYPE'] === 'PUBLIC';

export const ticksOf = ({ status, compared, checkedAt, document }: Finding, { subject }: Verified): readonly Tick[] => [
  status === 'DOCUMENT_NOT_EXIST'
    ? { id: 'published', tone: 'bad', title: t('verify.tick.notPublished'), text: t('verify.tick.notPublishedText') }
    : {
        id: 'published',
        tone: 'ok',
        title: t('verify.tick.published'),
        text: t('verify.tick.publishedText'),
        value: subject.kind === 'file' ? bytesText(subject.size) : undefined,
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
    title: t('verify.tick.ownerRight'),
    text: t(isEverybodys ? 'verify.tick.everybody' : 'verify.tick.yours'),
  };
};
