import { windowLimits } from '@pergamin/contract';
import { createContext, lazy, use } from 'react';
import type { WindowContentProps, WindowKind } from '#desktop/desktop.store.ts';
import { useDesktop } from '#desktop/desktop.context.ts';
import { t } from '#platform/language.ts';

const ReceivedDocumentsWindow = lazy(async () => ({
  default: (await import('#features/received-documents/ReceivedDocumentsWindow.tsx')).ReceivedDocumentsWindow,
}));
const DocumentWindow = lazy(async () => ({ default: (await import('#features/viewer/DocumentWindow.tsx')).DocumentWindow }));
const StatuteWindow = lazy(async () => ({ default: (await import('#features/statute/StatuteWindow.tsx')).StatuteWindow }));

const AccountWindow = lazy(async () => ({ default: (await import('#features/account/AccountWindow.tsx')).AccountWindow }));
const WhatsNewWindow = lazy(async () => ({ default: (await import('#features/whats-new/WhatsNewWindow.tsx')).WhatsNewWindow }));

/** What the windows ask of the desk around them. */
export interface DeskActions {
  readonly onStatuteAccepted: () => void;
  readonly onLogout: () => void;
  readonly onLanguage: () => void;
}
export const DeskActionsContext = createContext<DeskActions | undefined>(undefined);

/** Every kind of window, in one place; each content is code of its own that comes with its window. */
export const windowCatalogue = (): readonly WindowKind[] => [
  {
    kind: 'statute',
    title: () => t('statute.title'),
    icon: 'scroll-duotone',
    activeIcon: 'scroll-fill',
    single: true,
    chrome: 'none',
    render: Statute,
  },
  {
    kind: 'received',
    title: () => t('documents.received'),
    icon: 'tray-arrow-down',
    activeIcon: 'tray-arrow-down-fill',
    single: true,
    render: Received,
  },
  {
    kind: 'document',
    title: (params) => params['title'] ?? t('documents.preview'),
    icon: 'file-text',
    activeIcon: 'file-text-fill',
    single: false,
    render: ReceivedDocument,
  },
  {
    kind: 'account',
    title: () => t('account.title'),
    icon: 'user-circle',
    activeIcon: 'user-circle-fill',
    size: windowLimits.accountSizePx,
    single: true,
    render: AccountWindow,
  },
  {
    kind: 'whats-new',
    title: () => t('whatsNew.title'),
    icon: 'newspaper',
    activeIcon: 'newspaper-fill',
    size: windowLimits.whatsNewSizePx,
    single: true,
    render: WhatsNewWindow,
  },
];

function Statute() {
  const actions = use(DeskActionsContext);
  if (actions === undefined) throw new Error('Only on the desk');
  return <StatuteWindow onAccepted={actions.onStatuteAccepted} onLogout={actions.onLogout} onLanguage={actions.onLanguage} />;
}

function Received() {
  const desktop = useDesktop();
  return (
    <ReceivedDocumentsWindow
      onOpen={(documentId: string, title: string, opener: HTMLElement | null) =>
        desktop.open('document', { id: documentId, title }, { opener })
      }
    />
  );
}

function ReceivedDocument({ params }: WindowContentProps) {
  return <DocumentWindow documentId={params['id'] ?? ''} />;
}
