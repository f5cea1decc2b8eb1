import { useState } from 'react';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { DocumentList, type DocumentListProps } from '#lists/DocumentList.tsx';
import { unreadView, viewReaching } from '#lists/list-rules.ts';
import { ownDocuments } from '#lists/list-source.ts';
import { organisationToday } from '#lists/useDocuments.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import { receivedPlan } from './received.plan.ts';
import { statementsPlan } from './statements.plan.ts';

interface ReceivedDocumentsWindowProps extends Pick<DocumentListProps, 'hrefOf' | 'onShow' | 'onHistory'> {
  readonly kind: 'received' | 'statements';
  /** A day that the list reaches back to at first. */
  readonly since: string | undefined;
  /** Only what is unread is shown at first. */
  readonly unread: boolean;
}

const plans = { received: receivedPlan, statements: statementsPlan } as const;

/** The documents delivered to the caller, or the account statements: a table, on a phone a list. */
export function ReceivedDocumentsWindow({ kind, since, unread, ...props }: ReceivedDocumentsWindowProps) {
  const [plan] = useState(plans[kind]);
  const [begins] = useState(() =>
    since === undefined ? undefined : (unread ? unreadView : viewReaching)(plan, since, organisationToday()),
  );
  const [settled, setSettled] = useState(false);
  useKeptFocus(settled);
  return <DocumentList {...props} {...{ plan, begins }} source={ownDocuments} metadata={useMetadata()} onSettled={setSettled} />;
}
