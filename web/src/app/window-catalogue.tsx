import { windowLimits } from '@pergamin/contract';
import { createContext, use, useEffect } from 'react';
import type { WindowContentProps, WindowKind } from '#desktop/desktop.store.ts';
import { useUnreadReceived } from '#features/received-documents/unread.queries.ts';
import { useDesktop, useWindow } from '#desktop/desktop.context.ts';
import { formatDeepLink } from '#desktop/deep-link.ts';
import type { DocumentListProps } from '#lists/DocumentList.tsx';
import { t, type TranslationKey } from '#platform/language.ts';
import { onDemand } from './code-on-demand.ts';

const StatuteWindow = onDemand(async () => (await import('#features/statute/StatuteWindow.tsx')).StatuteWindow);
const UpcomingStatuteWindow = onDemand(async () => (await import('#features/statute/UpcomingStatuteWindow.tsx')).UpcomingStatuteWindow);
const ReceivedDocumentsWindow = onDemand(
  async () => (await import('#features/received-documents/ReceivedDocumentsWindow.tsx')).ReceivedDocumentsWindow,
);
const PublicDocumentsWindow = onDemand(
  async () => (await import('#features/public-documents/PublicDocumentsWindow.tsx')).PublicDocumentsWindow,
);
const DocumentWindow = onDemand(async () => (await import('#features/viewer/DocumentWindow.tsx')).DocumentWindow);
const DocumentInfoWindow = onDemand(async () => (await import('#features/viewer/DocumentInfoWindow.tsx')).DocumentInfoWindow);
const HistoryWindow = onDemand(async () => (await import('#features/viewer/HistoryWindow.tsx')).HistoryWindow);
const SentDocumentsWindow = onDemand(async () => (await import('#features/sent-documents/SentDocumentsWindow.tsx')).SentDocumentsWindow);
const SentDocumentWindow = onDemand(async () => (await import('#features/sent-documents/SentDocumentWindow.tsx')).SentDocumentWindow);
const SendingWindow = onDemand(async () => (await import('#features/sending/SendingWindow.tsx')).SendingWindow);
const VerificationWindow = onDemand(async () => (await import('#features/verification/VerificationWindow.tsx')).VerificationWindow);
const AccountWindow = onDemand(async () => (await import('#features/account/AccountWindow.tsx')).AccountWindow);
const AccessibilityWindow = onDemand(async () => (await import('#features/accessibility/AccessibilityWindow.tsx')).AccessibilityWindow);
const WhatsNewWindow = onDemand(async () => (await import('#features/whats-new/WhatsNewWindow.tsx')).WhatsNewWindow);

/** What most people open; the others come when they are asked for. */
const likely = [ReceivedDocumentsWindow, DocumentWindow];

/** Fetches, one after another, the code of the windows that most people open. */
export const preloadLikelyWindows = async (): Promise<void> => {
  for (const { preload } of likely) await preload();
};

/** What the windows ask of the desk around them. */
export interface DeskActions {
  readonly onStatuteAccepted: () => void;
  readonly onLogout: () => void;
  readonly onLanguage: () => void;
}
export const DeskActionsContext = createContext<DeskActions | undefined>(undefined);

/** Every kind of window, in one place; each content is code of its own that comes with its window. */
export const windowCatalogue = (): readonly WindowKind[] => [
  only({ kind: 'statute', title: 'statute.title', icon: 'scroll-duotone', activeIcon: 'scroll-fill', chrome: 'none', render: Statute }),
  only({
    kind: 'upcoming-statute',
    title: 'statute.title',
    icon: 'scroll-duotone',
    activeIcon: 'scroll-fill',
    render: UpcomingStatuteWindow.Component,
  }),
  only({ kind: 'received', title: 'documents.received', icon: 'tray-arrow-down', activeIcon: 'tray-arrow-down-fill', render: Received }),
  only({ kind: 'statements', title: 'statements.title', icon: 'receipt', activeIcon: 'receipt-fill', render: Statements }),
  only({ kind: 'public', title: 'publicView.title', icon: 'bank', activeIcon: 'bank-fill', render: PublicDocuments }),
  {
    kind: 'document',
    title: (params) => params['title'] ?? t('documents.preview'),
    icon: 'file-text',
    activeIcon: 'file-text-fill',
    single: false,
    render: ReceivedDocument,
  },
  {
    kind: 'document-info',
    title: (params) => (params['title'] === undefined ? t('documentInfo.title') : t('documentInfo.titleOf', { name: params['title'] })),
    icon: 'file-pdf',
    activeIcon: 'file-pdf',
    single: false,
    render: DocumentInfo,
  },
  {
    kind: 'document-history',
    title: (params) => (params['title'] === undefined ? t('history.title') : t('history.titleOf', { name: params['title'] })),
    icon: 'clock',
    activeIcon: 'clock-fill',
    size: windowLimits.historySizePx,
    single: false,
    render: HistoryOfDocument,
  },
  only({ kind: 'sent', title: 'sent.title', icon: 'paper-plane-tilt', activeIcon: 'paper-plane-tilt-fill', render: SentDocuments }),
  {
    kind: 'sent-document',
    title: (params) => params['title'] ?? t('sent.preview'),
    icon: 'file-text',
    activeIcon: 'file-text-fill',
    single: false,
    render: SentDocument,
  },
  only({
    kind: 'sending',
    title: 'sending.title',
    icon: 'upload-simple',
    activeIcon: 'upload-simple-fill',
    size: windowLimits.sendingSizePx,
    render: SendingWindow.Component,
  }),
  only({ kind: 'verification', title: 'verify.title', icon: 'seal-check', activeIcon: 'seal-check-fill', render: VerificationOfDocuments }),
  only({
    kind: 'account',
    title: 'account.title',
    icon: 'user-circle',
    activeIcon: 'user-circle-fill',
    size: windowLimits.accountSizePx,
    render: AccountWindow.Component,
  }),
  only({
    kind: 'whats-new',
    title: 'whatsNew.title',
    icon: 'newspaper',
    activeIcon: 'newspaper-fill',
    size: windowLimits.whatsNewSizePx,
    render: WhatsNewWindow.Component,
  }),
  only({
    kind: 'accessibility',
    title: 'accessibility.title',
    icon: 'person-simple-circle',
    activeIcon: 'person-simple-circle-fill',
    render: AccessibilityWindow.Component,
  }),
];

/** A window of which there is one, with a fixed title. */
const only = ({ title, ...kind }: Omit<WindowKind, 'single' | 'title'> & { readonly title: TranslationKey }): WindowKind => ({
  ...kind,
  title: () => t(title),
  single: true,
});

function Statute() {
  const actions = use(DeskActionsContext);
  if (actions === undefined) throw new Error('Only on the desk');
  return <StatuteWindow.Component onAccepted={actions.onStatuteAccepted} onLogout={actions.onLogout} onLanguage={actions.onLanguage} />;
}

type Shown = Parameters<DocumentListProps['onShow']>[0];

/** Opening a document from any list: the window returns the focus to where it was opened from. */
function useOpenDocument(): (document: Shown) => void {
  const desktop = useDesktop();
  return ({ id, title, opener, page }) =>
    void desktop.open('document', { id, title, ...(page === undefined ? {} : { page: String(page) }) }, { opener });
}

function useOpenHistory(): NonNullable<DocumentListProps['onHistory']> {
  const desktop = useDesktop();
  return ({ id, title, opener }) => void desktop.open('document-history', { id, title }, { opener });
}

const addressOf = (id: string): string => `./${formatDeepLink({ kind: 'document', id })}`;

/** Whether the window was opened for what is unread; after a reload of the page it is a list like any other. */
function useOpenedForUnread(params: WindowContentProps['params']): boolean {
  const desktop = useDesktop();
  const { id } = useWindow();
  const isAsked = params['unread'] === 'only';
  useEffect(() => {
    if (isAsked) desktop.note(id, { unread: '' });
  }, [desktop, id, isAsked]);
  return isAsked;
}

function Received({ params }: WindowContentProps) {
  // The list begins alike from the tile, the menu and a link: with all that the tile counts as new.
  const oldest = useUnreadReceived()?.since;
  return (
    <ReceivedDocumentsWindow.Component
      kind="received"
      hrefOf={addressOf}
      onShow={useOpenDocument()}
      onHistory={useOpenHistory()}
      since={params['since'] ?? oldest}
      unread={useOpenedForUnread(params)}
    />
  );
}

function Statements({ params }: WindowContentProps) {
  return (
    <ReceivedDocumentsWindow.Component
      kind="statements"
      hrefOf={addressOf}
      onShow={useOpenDocument()}
      onHistory={useOpenHistory()}
      since={useOpenedForUnread(params) ? params['since'] : undefined}
      unread
    />
  );
}

function VerificationOfDocuments() {
  const desktop = useDesktop();
  return <VerificationWindow.Component onOpen={({ id, title }, opener) => void desktop.open('document', { id, title }, { opener })} />;
}

function PublicDocuments() {
  return <PublicDocumentsWindow.Component hrefOf={addressOf} onShow={useOpenDocument()} />;
}

function ReceivedDocument({ params }: WindowContentProps) {
  const desktop = useDesktop();
  const { id } = useWindow();
  return (
    <DocumentWindow.Component
      onPage={(page) => desktop.note(id, { page: String(page) })}
      documentId={params['id'] ?? ''}
      startPage={Number(params['page']) || undefined}
      wordsSearched={params['find']}
    />
  );
}

function DocumentInfo({ params }: WindowContentProps) {
  return <DocumentInfoWindow.Component documentId={params['id'] ?? ''} />;
}

function HistoryOfDocument({ params }: WindowContentProps) {
  const desktop = useDesktop();
  const { id = '', title } = params;
  return (
    <HistoryWindow.Component
      documentId={id}
      name={title}
      onShow={(opener) => void desktop.open('document', title === undefined ? { id } : { id, title }, { opener })}
    />
  );
}

const sentAddressOf = (id: string): string => `./${formatDeepLink({ kind: 'sent-document', id })}`;

function SentDocuments() {
  const desktop = useDesktop();
  return (
    <SentDocumentsWindow.Component
      hrefOf={sentAddressOf}
      onShow={({ opener, ...params }) => void desktop.open('sent-document', params, { opener })}
      onSend={() => void desktop.open('sending')}
    />
  );
}

function SentDocument({ params }: WindowContentProps) {
  return <SentDocumentWindow.Component documentId={params['id'] ?? ''} />;
}
