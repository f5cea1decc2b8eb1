import { windowLimits } from '@pergamin/contract';
import { createContext, use, useEffect, type ComponentType } from 'react';
import type { WindowContentProps, WindowKind } from '#desktop/desktop.store.ts';
import { useUnreadReceived } from '#features/received-documents/unread.queries.ts';
import { useDesktop, useWindow } from '#desktop/desktop.context.ts';
import { formatDeepLink } from '#desktop/deep-link.ts';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import type { DocumentListProps } from '#lists/DocumentList.tsx';
import { onDemand } from '#platform/code-on-demand.ts';
import { t, type TranslationKey } from '#platform/language.ts';

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

/** Fetches, one after another, the code of the windows that most people open. */
export const preloadLikelyWindows = async (): Promise<void> => {
  for (const { preload } of [ReceivedDocumentsWindow, DocumentWindow]) await preload();
};

/** What `useDeskActions` does by its id, for the windows that ask it of the desk around them. */
export const DeskActionsContext = createContext<(id: string) => void>(() => undefined);

/** Every kind of window, in one place; each content is code of its own that comes with its window. */
export const windowCatalogue = (): readonly WindowKind[] => [
  only({ kind: 'statute', title: 'statute.title', ...scroll, chrome: 'none', render: Statute }),
  only({ kind: 'upcoming-statute', title: 'statute.title', ...scroll, render: UpcomingStatuteWindow.Component }),
  only({ kind: 'received', title: 'documents.received', ...face('tray-arrow-down'), render: Received }),
  only({ kind: 'statements', title: 'statements.title', ...face('receipt'), render: Statements }),
  only({ kind: 'public', title: 'publicView.title', ...face('bank'), render: PublicDocuments }),
  each({ kind: 'document', title: (name) => name ?? t('documents.preview'), ...face('file-text'), render: ReceivedDocument }),
  each({
    kind: 'document-info',
    title: (name) => (name === undefined ? t('documentInfo.title') : t('documentInfo.titleOf', { name })),
    icon: 'file-pdf',
    render: ofDocument(DocumentInfoWindow.Component),
  }),
  each({
    kind: 'document-history',
    title: (name) => (name === undefined ? t('history.title') : t('history.titleOf', { name })),
    ...face('clock'),
    size: windowLimits.historySizePx,
    render: HistoryOfDocument,
  }),
  only({ kind: 'sent', title: 'sent.title', ...face('paper-plane-tilt'), render: SentDocuments }),
  each({
    kind: 'sent-document',
    title: (name) => name ?? t('sent.preview'),
    ...face('file-text'),
    render: ofDocument(SentDocumentWindow.Component),
  }),
  only({
    kind: 'sending',
    title: 'sending.title',
    ...face('upload-simple'),
    size: windowLimits.sendingSizePx,
    render: SendingWindow.Component,
  }),
  only({ kind: 'verification', title: 'verify.title', ...face('seal-check'), render: VerificationOfDocuments }),
  only({
    kind: 'account',
    title: 'account.title',
    ...face('user-circle'),
    size: windowLimits.accountSizePx,
    render: AccountWindow.Component,
  }),
  only({
    kind: 'whats-new',
    title: 'whatsNew.title',
    ...face('newspaper'),
    size: windowLimits.whatsNewSizePx,
    render: WhatsNewWindow.Component,
  }),
  only({ kind: 'accessibility', title: 'accessibility.title', ...face('person-simple-circle'), render: AccessibilityWindow.Component }),
];

/** A window of which there is one, with a fixed title. */
const only = ({ title, ...kind }: Omit<WindowKind, 'single' | 'title'> & { readonly title: TranslationKey }): WindowKind => ({
  ...kind,
  title: () => t(title),
  single: true,
});

/** A window of which there is one for each document, called by the document's name. */
const each = ({ title, ...kind }: Omit<WindowKind, 'single' | 'title'> & { readonly title: (name?: string) => string }): WindowKind => ({
  ...kind,
  title: (params) => title(params['title']),
  single: false,
});

type Fillable<Name extends string> = Name extends `${infer Plain}-fill` ? Extract<IconName, Plain> : never;

/** An icon that is filled in the tab of a window that has the focus. */
const face = <Name extends Fillable<IconName>>(icon: Name) => ({ icon, activeIcon: `${icon}-fill` }) as const;
const scroll = { icon: 'scroll-duotone', activeIcon: 'scroll-fill' } as const;

const ofDocument = (Content: ComponentType<{ readonly documentId: string }>) =>
  function OfDocument({ params }: WindowContentProps) {
    return <Content documentId={params['id'] ?? ''} />;
  };

function Statute() {
  const act = use(DeskActionsContext);
  return (
    <StatuteWindow.Component onAccepted={() => act('statute-accepted')} onLogout={() => act('logout')} onLanguage={() => act('language')} />
  );
}

/** Opening a document of any list, or its history: the window returns the focus to where it was opened from. */
function useOpening(): Pick<DocumentListProps, 'hrefOf' | 'onShow'> & Required<Pick<DocumentListProps, 'onHistory'>> {
  const desktop = useDesktop();
  return {
    hrefOf: addressOf,
    onShow: ({ id, title, opener, page }) =>
      void desktop.open('document', { id, title, ...(page === undefined ? {} : { page: String(page) }) }, { opener }),
    onHistory: ({ id, title, opener }) => void desktop.open('document-history', { id, title }, { opener }),
  };
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
      {...useOpening()}
      kind="received"
      since={params['since'] ?? oldest}
      unread={useOpenedForUnread(params)}
    />
  );
}

function Statements({ params }: WindowContentProps) {
  return (
    <ReceivedDocumentsWindow.Component
      {...useOpening()}
      kind="statements"
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
  const { hrefOf, onShow } = useOpening();
  return <PublicDocumentsWindow.Component hrefOf={hrefOf} onShow={onShow} />;
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
