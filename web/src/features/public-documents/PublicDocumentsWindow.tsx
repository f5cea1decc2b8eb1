import { useState } from 'react';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { DocumentList, type DocumentListProps } from '#lists/DocumentList.tsx';
import { ownDocuments } from '#lists/list-source.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import { publicPlan } from './public.plan.ts';

/** Public documents for a signed-in client. */
export function PublicDocumentsWindow(props: Pick<DocumentListProps, 'hrefOf' | 'onShow'>) {
  const [plan] = useState(publicPlan);
  const metadata = useMetadata();
  const [settled, setSettled] = useState(false);
  useKeptFocus(settled);
  return <DocumentList {...props} {...{ plan, metadata }} source={ownDocuments} filtersFirst={false} onSettled={setSettled} />;
}
