import { useState } from 'react';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { DocumentList, type DocumentListProps } from '#lists/DocumentList.tsx';
import { ownDocuments } from '#lists/list-source.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import { statementsPlan } from './statements.plan.ts';

/** The account statements of the caller; `hrefOf` is where one can be found by itself. */
export function StatementsWindow({
  onOpen,
  onHistory,
  hrefOf,
}: {
  readonly onOpen: DocumentListProps['onShow'];
  readonly onHistory: NonNullable<DocumentListProps['onHistory']>;
  readonly hrefOf: (id: string) => string;
}) {
  const [plan] = useState(statementsPlan);
  const [settled, setSettled] = useState(false);
  useKeptFocus(settled);
  const metadata = useMetadata();
  return <DocumentList {...{ plan, metadata, hrefOf, onHistory }} source={ownDocuments} onShow={onOpen} onSettled={setSettled} />;
}
