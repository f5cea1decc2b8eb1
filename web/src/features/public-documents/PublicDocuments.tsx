import { lazy, Suspense, useRef, useState } from 'react';
import { DocumentList } from '#lists/DocumentList.tsx';
import { publicDocuments } from '#lists/list-source.ts';
import { usePublicMetadata } from '#platform/metadata.queries.ts';
import { publicPlan } from './public.plan.ts';
import css from './PublicDocuments.module.css';
import { useWayBack } from './useWayBack.ts';

// pdf.js comes with the first document that is opened.
const PublicPreview = lazy(async () => ({ default: (await import('./PublicPreview.tsx')).PublicPreview }));

const nowhere = (): undefined => undefined;

/** Public documents without a session (A9): the list, and one document in its place. */
export function PublicDocuments() {
  const [plan] = useState(publicPlan);
  const metadata = usePublicMetadata();
  const [shown, setShown] = useState<{ readonly id: string; readonly title: string }>();
  const opener = useRef<HTMLElement | null>(null);
  const card = useRef<HTMLDivElement>(null);
  const way = useWayBack(shown !== undefined, () => {
    setShown(undefined);
    // It can take the focus again when it is seen again.
    requestAnimationFrame(() => opener.current?.focus());
  });
  const showTop = () => {
    if ((card.current?.getBoundingClientRect().top ?? 0) < 0) card.current?.scrollIntoView();
  };
  return (
    <div ref={card} className={css['card']} data-reading={shown === undefined ? undefined : ''}>
      {/* Kept while a document is read: the way back leads to the same rows. */}
      <div className={css['list']} hidden={shown !== undefined}>
        <DocumentList
          plan={plan}
          source={publicDocuments}
          metadata={metadata}
          filtersFirst={false}
          searchFirst
          onPage={showTop}
          hrefOf={nowhere}
          onShow={(document) => {
            opener.current = document.opener;
            way.cover();
            setShown(document);
          }}
        />
      </div>
      {shown !== undefined && (
        <Suspense>
          <PublicPreview {...shown} onClose={way.back} />
        </Suspense>
      )}
    </div>
  );
}
