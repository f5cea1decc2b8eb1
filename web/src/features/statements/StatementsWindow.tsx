import { useState } from 'react';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { DocumentList, type DocumentListProps } from '#lists/DocumentList.tsx';
import { unreadView } from '#lists/list-rules.ts';
import { ownDocuments } from '#lists/list-source.ts';
import { organisationToday } from '#lists/useDocuments.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import { statementsPlan } from './statements.plan.ts';

interface StatementsWindowProps {
  readonly onOpen: DocumentListProps['onShow'];
  readonly onHistory: NonNullable<DocumentListProps['onHistory']>;
  /** Where one can be found by itself. */
  readonly hrefOf: (id: string) => string;
  /** Only what is unread is shown at first, the oldest of which is of this day. */
  readonly unreadSince?: string | undefined;
}

/** The account statements of the caller. */
export function StatementsWindow({ onOpen, onHistory, hrefOf, unreadSince }: StatementsWindowProps) {
  const [plan] = useState(statementsPlan);
  const [begins] = useState(() => (unreadSince === undefined ? undefined : unreadView(plan, unreadSince, organisationToday())));
  const [settled, setSettled] = useState(false);
  useKeptFocus(settled);
  const metadata = useMetadata();
  return <DocumentList {...{ plan, metadata, begins, hrefOf, onHistory }} source={ownDocuments} onShow={onOpen} onSettled={setSettled} />;
}
