import { t } from '#platform/language.ts';

interface UnreadLeadProps {
  readonly documents: number;
  readonly statements: number;
  /** Known, and not merely not yet counted. */
  readonly isAllRead: boolean;
}

/** Stand for what is counted while the sentence is looked up; in no sentence otherwise. */
const [documentsPlace, statementsPlace] = ['\uE000', '\uE001'];

/** What is new, in one sentence: the same numbers as on the tiles below it. */
export function UnreadLead({ documents, statements, isAllRead }: UnreadLeadProps) {
  if (documents === 0 && statements === 0) return t(isAllRead ? 'dashboard.allRead' : 'dashboard.lead');
  const sentence =
    documents > 0 && statements > 0
      ? t('dashboard.unreadBoth', { documents: documentsPlace, statements: statementsPlace })
      : t('dashboard.unreadOnly', { what: documents > 0 ? documentsPlace : statementsPlace });
  return sentence.split(/([\uE000\uE001])/).map((part) => {
    if (part === documentsPlace) return <b key={part}>{t('dashboard.newDocuments', { count: documents })}</b>;
    return part === statementsPlace ? <b key={part}>{t('dashboard.newStatements', { count: statements })}</b> : part;
  });
}
