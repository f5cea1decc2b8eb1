import { useState } from 'react';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { DocumentList, type DocumentListProps } from '#lists/DocumentList.tsx';
import { unreadView, viewReaching } from '#lists/list-rules.ts';
import { ownDocuments } from '#lists/list-source.ts';
import { organisationToday } from '#lists/useDocuments.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import { receivedPlan } from './received.plan.ts';

interface ReceivedDocumentsWindowProps {
  readonly onOpen: DocumentListProps['onShow'];
  readonly onHistory: NonNullable<DocumentListProps['onHistory']>;
  readonly hrefOf: DocumentListProps['hrefOf'];
  /** A day that the list reaches back to at first. */
  readonly since?: string | undefined;
  /** Only what is unread is shown at first. */
  readonly unread?: boolean;
}

/** The documents delivered to the caller: a table, on a phone a list. */
export function ReceivedDocumentsWindow({ onOpen, onHistory, hrefOf, since, unread = false }: ReceivedDocumentsWindowProps) {
  const [plan] = useState(receivedPlan);
  const [begins] = useState(() =>
    since === undefined ? undefined : (unread ? unreadView : viewReaching)(plan, since, organisationToday()),
  );
  const [settled, setSettled] = useState(false);
  useKeptFocus(settled);
  return (
    <DocumentList
      plan={plan}
      source={ownDocuments}
      metadata={useMetadata()}
      begins={begins}
      hrefOf={hrefOf}
      onShow={onOpen}
      onHistory={onHistory}
      onSettled={setSettled}
    />
  );
}
