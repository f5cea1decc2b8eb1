import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Icon } from '#kit/icons/Icon.tsx';
import { DocumentList } from '#lists/DocumentList.tsx';
import { publicDocuments } from '#lists/list-source.ts';
import { ignorePressesOnChangedControls } from '#platform/double-press.ts';
import { t } from '#platform/language.ts';
import { usePublicMetadata } from '#platform/metadata.queries.ts';
import { publicAddress } from './public-address.ts';
import { publicPlan } from './public.plan.ts';
import css from './PublicDocuments.module.css';

// pdf.js comes with the first document that is opened.
const PublicPreview = lazy(async () => ({ default: (await import('./PublicPreview.tsx')).PublicPreview }));

/** What an entry of the browser's history says of a document that was opened from the list: one step back is the list. */
interface ShowOptions {
  readonly state: { readonly fromList: boolean };
  readonly replace?: boolean;
}

interface PublicDocumentsProps {
  /** The document that is read; undefined at the address of the list. */
  readonly documentId: string | undefined;
  readonly onShow: (id: string, options: ShowOptions) => void;
  readonly onShowList: () => void;
  readonly onNotFound: (id: string) => void;
}

/** Public documents without a session (A9): the list, and one document at an address of its own. */
export function PublicDocuments({ documentId, onShow, onShowList, onNotFound }: PublicDocumentsProps) {
  const [plan] = useState(publicPlan);
  const metadata = usePublicMetadata();
  const [opened, setOpened] = useState<{ readonly id: string; readonly title: string }>();
  const opener = useRef<HTMLElement | null>(null);
  const card = useRef<HTMLDivElement>(null);
  const isReading = documentId !== undefined;
  const [hasList, setHasList] = useState(!isReading);
  if (!isReading && !hasList) setHasList(true);
  const isLeaving = useRef(false);
  // The second press of a double press on the closing button would meet the list.
  useEffect(() => ignorePressesOnChangedControls(), []);
  useEffect(() => {
    isLeaving.current = false;
    if (isReading) return;
    opener.current?.focus();
    opener.current = null;
  }, [isReading]);
  const leave = () => {
    // Pressed twice, it would go back twice.
    if (isLeaving.current) return;
    isLeaving.current = true;
    if (isFromList()) history.back();
    else onShowList();
  };
  const showTop = () => {
    if ((card.current?.getBoundingClientRect().top ?? 0) < 0) card.current?.scrollIntoView();
  };
  return (
    <>
      {isReading && (
        <a
          className={css['all']}
          href="/login"
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            leave();
          }}
        >
          <Icon name="arrow-left" size="s" />
          {t('publicView.all')}
        </a>
      )}
      <div ref={card} className={css['card']} data-reading={isReading || undefined}>
        {/* Kept while a document is read: the way back leads to the same rows. */}
        {hasList && (
          <div className={css['list']} hidden={isReading}>
            <DocumentList
              plan={plan}
              source={publicDocuments}
              metadata={metadata}
              filtersFirst={false}
              searchFirst
              onPage={showTop}
              hrefOf={publicAddress}
              onShow={(document) => {
                opener.current = document.opener;
                setOpened(document);
                onShow(document.id, { state: { fromList: true } });
              }}
            />
          </div>
        )}
        {isReading && (
          <Suspense>
            <PublicPreview
              key={documentId}
              id={documentId}
              title={opened?.id === documentId ? opened.title : t('documents.preview')}
              onClose={leave}
              onOpenNewVersion={(id) => onShow(id, { state: { fromList: isFromList() }, replace: true })}
              onNotFound={() => onNotFound(documentId)}
            />
          </Suspense>
        )}
      </div>
    </>
  );
}

const isFromList = (): boolean => {
  const state: unknown = history.state;
  return state !== null && typeof state === 'object' && Reflect.get(state, 'fromList') === true;
};
