import { Dashboard } from '#desktop/Dashboard.tsx';
import type { Desktop } from '#desktop/desktop.store.ts';
import { useDesktop } from '#desktop/desktop.context.ts';
import { Tiles, type TileItem, type TilesProps } from '#desktop/Tiles.tsx';
import { useAccount } from '#features/account/account.queries.ts';
import { useUnreadReceived, useUnreadStatements } from '#features/received-documents/unread.queries.ts';
import { momentText } from '#platform/dates.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import type { Unread } from '#lists/useUnread.ts';
import { Inbox, useInbox } from './Inbox.tsx';
import css from './Overview.module.css';

/** A card stays a card, however few of them there are. */
const cardWidthRem = 11.25;

export function DeskTiles({ look, onOpen }: Pick<TilesProps, 'look' | 'onOpen'>) {
  const desktop = useDesktop();
  const received = useUnreadReceived();
  const statements = useUnreadStatements();
  const items: readonly TileItem[] = [
    { id: 'received', label: t('dashboard.received'), icon: 'tray-arrow-down-duotone', badge: badgeOf(received) },
    { id: 'statements', label: t('statements.title'), icon: 'receipt-duotone', badge: badgeOf(statements) },
    { id: 'public', label: t('dashboard.public'), icon: 'bank-duotone' },
    { id: 'sent', label: t('dashboard.sent'), icon: 'paper-plane-tilt-duotone' },
    { id: 'sending', label: t('dashboard.sending'), icon: 'upload-simple-duotone' },
    { id: 'verification', label: t('dashboard.verification'), icon: 'seal-check-duotone' },
    { id: 'account', label: t('dashboard.account'), icon: 'user-circle-duotone' },
  ];
  const handleOpen = (id: string) => {
    const unreadOf = { received, statements }[id];
    if (unreadOf === undefined) onOpen(id);
    else openUnread(desktop, id, unreadOf);
  };
  const tiles = <Tiles label={t('dashboard.tiles')} items={items} look={look} onOpen={handleOpen} />;
  if (look === 'column') return tiles;
  return (
    <div className={css['tiles']} style={{ maxWidth: `${items.length * cardWidthRem}rem` }}>
      {tiles}
    </div>
  );
}

const badgeOf = (unread: Unread | undefined) => unread && { count: unread.count, label: t('dashboard.unread', { count: unread.count }) };

/** What the number counts is what the list shows that it opens (D20). */
const openUnread = (desktop: Desktop, kind: string, unread: Unread | undefined): void => {
  if (unread?.since === undefined) desktop.open(kind);
  else {
    desktop.open(kind, { since: unread.since, unread: 'only' });
    // One that is open already has to be told.
    emit('unreadAsked', { kind, since: unread.since });
  }
};

/** The desk without windows: a greeting, what waits to be read, the tiles, and when the person was here before. */
export function Overview() {
  const desktop = useDesktop();
  const inbox = useInbox();
  const { received, statements, state } = inbox;
  const before = useAccount().data?.previousSuccessfulLoginDate ?? null;
  return (
    <Dashboard
      greeting={t('dashboard.greeting')}
      lead={<UnreadLead documents={received?.count ?? 0} statements={statements?.count ?? 0} isAllRead={state === 'read'} />}
      foot={before === null ? undefined : t('dashboard.previousLogin', { time: momentText(before) })}
    >
      <Inbox
        inbox={inbox}
        onOpen={({ id, title, opener }) => desktop.open('document', { id, title }, { opener })}
        onList={(kind) => openUnread(desktop, kind, { received, statements }[kind])}
      />
      <DeskTiles look="cards" onOpen={(kind) => desktop.open(kind)} />
    </Dashboard>
  );
}

interface UnreadLeadProps {
  readonly documents: number;
  readonly statements: number;
  /** Known, and not merely not yet counted. */
  readonly isAllRead: boolean;
}

/** Stand for what is counted while the sentence is looked up; in no sentence otherwise. */
const [documentsPlace, statementsPlace] = ['\uE000', '\uE001'];

/** What is new, in one sentence: the same numbers as on the tiles below it. */
function UnreadLead({ documents, statements, isAllRead }: UnreadLeadProps) {
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
